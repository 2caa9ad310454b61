/** What becomes of the ledger's figures: how caps stand, for people. Open {@link io.sluice.control.budget.CapBoard}. */
package io.sluice.control.budget;
