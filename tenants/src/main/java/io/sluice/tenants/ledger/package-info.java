/**
 * The rights to spend, as escrow: an authority grants slices of a cap to nodes, which spend them without asking. Open
 * {@link io.sluice.tenants.ledger.AccountState}, the pure double-entry machine of one cap and period;
 * {@link io.sluice.tenants.ledger.LocalPeriods} says when a day begins. Amounts are micro-units of the tenant's currency.
 */
package io.sluice.tenants.ledger;
