package io.sluice.tenants.ledger;

/**
 * What one request cost, as a node's journal has it.
 *
 * @param seq number of its line in the journal
 */
public record SpendEntry(long seq, SpendFacts facts) {}
