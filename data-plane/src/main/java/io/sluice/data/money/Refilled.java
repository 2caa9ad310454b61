package io.sluice.data.money;

/** What came of asking the authority for more. */
public enum Refilled {
    /** Something came in: another try is worth it. */
    CAME,
    /** The cap does not have it. */
    DENIED,
    /** Nobody said whether the cap has it: the authority is away, waits for other nodes after a loss, or this node can not write. */
    UNANSWERED
}
