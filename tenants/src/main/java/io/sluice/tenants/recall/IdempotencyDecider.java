package io.sluice.tenants.recall;

import io.sluice.tenants.config.RequestKind;

/**
 * Says what becomes of a request that its caller named with an idempotency key, and of the key's record when the request ends
 * (requirement A9). A name is used for one request once: its first result is everybody's. The rules for a request that comes,
 * first match wins:
 * <ol>
 *   <li>the name is new: begin
 *   <li>the name stands for another request: tell so
 *   <li>the first request runs: wait for its end, or tell so where the caller does not wait
 *   <li>its result was kept: replay it; where it was too large to keep, tell so
 *   <li>nobody knows how it ended: begin again where the request only reads, else tell so and never send it again
 * </ol>
 */
public final class IdempotencyDecider {
    private IdempotencyDecider() {}

    /** Where the record of a name stands. */
    public enum Standing {
        /** There is none, or it has expired. */
        ABSENT,
        /** The first request runs, on this node or another. */
        RUNNING,
        /** The first request's result is there. */
        KEPT,
        /** The first request was answered, with more than is kept. */
        TOO_LARGE,
        /** The first request was sent, and how it ended was lost: by a crash, or because an upstream did not say. */
        UNKNOWN
    }

    /**
     * What the choice depends on.
     *
     * @param sameRequest whether body, route, scenario and kind are those of the first request
     * @param kind the stricter of the first request's and this one's
     * @param mayWait whether the caller has time to wait for the first request, and wants to
     */
    public record Input(Standing standing, boolean sameRequest, RequestKind kind, boolean mayWait) {}

    /** What to do with a request. */
    public enum Verdict {
        BEGIN,
        /** Begin although it may have run before. */
        BEGIN_AGAIN,
        REPLAY,
        WAIT,
        TELL_RUNNING,
        TELL_REUSED,
        TELL_TOO_LARGE,
        TELL_UNKNOWN;

        /** Whether the request is the one that runs. */
        public boolean begins() {
            return this == BEGIN || this == BEGIN_AGAIN;
        }
    }

    /** The verdict for {@code input}. */
    public static Verdict decide(Input input) {
        if (input.standing() == Standing.ABSENT) {
            return Verdict.BEGIN;
        }
        if (!input.sameRequest()) {
            return Verdict.TELL_REUSED;
        }
        return switch (input.standing()) {
            case ABSENT -> Verdict.BEGIN;
            case RUNNING -> input.mayWait() ? Verdict.WAIT : Verdict.TELL_RUNNING;
            case KEPT -> Verdict.REPLAY;
            case TOO_LARGE -> Verdict.TELL_TOO_LARGE;
            case UNKNOWN -> input.kind() == RequestKind.READ ? Verdict.BEGIN_AGAIN : Verdict.TELL_UNKNOWN;
        };
    }

    /**
     * How a request that began has ended.
     *
     * @param answered whether its caller was given an answer, or the begin of one: the commit point was reached
     * @param fits whether all of it is small enough to be kept
     * @param effectPossible whether an upstream may have acted on it
     * @param standIn whether a rung answered that called nothing: a text, keywords, an old answer. It is true of this moment, so
     *     a repeat may get a model's answer
     */
    public record End(boolean answered, boolean fits, boolean effectPossible, RequestKind kind, boolean standIn) {}

    /** What becomes of the record. */
    public enum Fate {
        /** The answer is kept. */
        KEEP,
        /** That there was an answer is kept. */
        KEEP_NOTE,
        /** That nobody knows is kept. */
        MARK_UNKNOWN,
        /** The name is free again. */
        FREE
    }

    /** The fate of the record of a request that ended so. */
    public static Fate end(End end) {
        if (end.answered() && !end.standIn()) {
            return end.fits() ? Fate.KEEP : Fate.KEEP_NOTE;
        }
        return end.effectPossible() && end.kind() != RequestKind.READ ? Fate.MARK_UNKNOWN : Fate.FREE;
    }
}
