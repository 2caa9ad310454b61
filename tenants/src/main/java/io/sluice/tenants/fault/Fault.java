package io.sluice.tenants.fault;

import java.util.Objects;

/**
 * One fault as a rule brings it about.
 *
 * @param retryAfterMs what the answer's {@code retry-after} says; 0 for no header
 * @param delayMs of {@link FaultKind#SLOW} and {@link FaultKind#SLOW_BODY}; 0 for the others
 * @param afterEvents events of a stream before the fault shows; -1 where absent
 */
public record Fault(FaultKind kind, long retryAfterMs, long delayMs, int afterEvents) {
    public Fault {
        Objects.requireNonNull(kind);
    }

    /** One that needs no more words. */
    public static Fault of(FaultKind kind) {
        return new Fault(kind, 0, 0, -1);
    }

    /** Whether the fault stands in for the provider, which is then not called and costs nothing. */
    public boolean standsIn() {
        return kind.beforeAnyEvent() && (kind != FaultKind.HANG || afterEvents < 0);
    }

    /** {@link #afterEvents} with the default of one: the fault shows when something was already delivered. */
    public int events() {
        return afterEvents < 0 ? 1 : afterEvents;
    }
}
