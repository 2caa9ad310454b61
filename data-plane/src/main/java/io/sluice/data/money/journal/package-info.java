/**
 * The node's journal of money: what it was granted, settled and gave back, in segment files that survive kill -9. A record
 * counts once it is on disk; a disk that fails ends the journal, and with it the node's right to spend, until a restart. Open
 * {@link io.sluice.data.money.journal.Journal}, then {@link io.sluice.data.money.journal.Segment} for the bytes.
 */
package io.sluice.data.money.journal;
