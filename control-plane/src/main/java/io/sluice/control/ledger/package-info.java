/**
 * The authority over spend caps. Open {@link io.sluice.control.ledger.LedgerActor}: it has this node's copy of all accounts, and
 * answers the node when what it asked is durable in the {@link io.sluice.control.ledger.LedgerStore}, which nodes may share.
 */
package io.sluice.control.ledger;
