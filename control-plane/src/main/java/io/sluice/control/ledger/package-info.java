/**
 * The authority over spend caps. Open {@link io.sluice.control.ledger.LedgerActor}: it owns the one
 * {@link io.sluice.tenants.ledger.Authority} of this installation and answers nodes when what they asked is on disk.
 */
package io.sluice.control.ledger;
