package io.sluice.data.limit;

import io.sluice.tenants.limit.LimitKind;
import java.util.function.LongSupplier;

/**
 * What an admitted request has taken from its limits. It has exactly one end, however often it is ended: its place is given back,
 * and of its tokens what it did not use, or those that it used beyond are counted. For one request; not thread-safe.
 */
public final class LimitPermit {
    private final LongSupplier clockMs;
    private final LimitUse[] uses;
    private final long tokens;
    private final long takenMs;
    private long used;
    private boolean ended;

    LimitPermit(LongSupplier clockMs, LimitUse[] uses, long tokens, long takenMs) {
        this.clockMs = clockMs;
        this.uses = uses;
        this.tokens = tokens;
        this.takenMs = takenMs;
    }

    /** What the request really used; said before its end, where anything was used. */
    public void used(long tokensUsed) {
        used = tokensUsed;
    }

    /** The request is over. */
    public void end() {
        if (ended) {
            return;
        }
        ended = true;
        long nowMs = clockMs.getAsLong();
        for (LimitUse use : uses) {
            if (use.kind() == LimitKind.CONCURRENCY) {
                use.giveBack(1, takenMs, nowMs);
            } else if (use.kind() == LimitKind.TOKENS) {
                settle(use, nowMs);
            }
        }
    }

    private void settle(LimitUse use, long nowMs) {
        if (used > tokens) {
            use.window().take(used - tokens, nowMs);
        } else if (used < tokens) {
            use.giveBack(tokens - used, takenMs, nowMs);
        }
    }

    /** The request was refused after all, so that it never was: all is given back. */
    public void undo() {
        if (ended) {
            return;
        }
        ended = true;
        long nowMs = clockMs.getAsLong();
        for (LimitUse use : uses) {
            use.giveBack(use.kind() == LimitKind.TOKENS ? tokens : 1, takenMs, nowMs);
        }
    }
}
