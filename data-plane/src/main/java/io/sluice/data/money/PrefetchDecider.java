package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountDecider;
import java.time.Duration;
import java.time.Instant;

/**
 * When a node draws the first slice of the period that follows. All caps of a time zone begin anew at one instant: nodes that waited
 * for their first requests would ask for all of them at once. Pure.
 */
final class PrefetchDecider {
    /** Nobody minds a request that draws for itself half a minute after midnight, and 32 s are enough for a herd to pass one by one. */
    static final Duration LATE_MAX = Duration.ofSeconds(30);

    /** What was not used for so long may not be used in the next minutes either; a slice in vain goes back a minute later. */
    static final Duration USED_WITHIN = Duration.ofMinutes(5);

    private PrefetchDecider() {}

    /**
     * Whether to draw now.
     *
     * @param ends when the running period ends
     * @param now by the authority's clock
     * @param sinceUse how long nothing was spent or held of the running period; null where nothing ever was
     * @param unit 0 to 1, drawn once per node, cap and period: where in the time around {@code ends} it draws
     */
    static boolean decide(Instant ends, Instant now, Duration sinceUse, double unit) {
        Duration span = AccountDecider.EARLY_MAX.plus(LATE_MAX);
        Instant drawAt = ends.minus(AccountDecider.EARLY_MAX).plusMillis((long) (span.toMillis() * unit));
        boolean over = now.isAfter(ends.plus(LATE_MAX.multipliedBy(2))); // a node that slept draws nothing of the past
        return sinceUse != null && sinceUse.compareTo(USED_WITHIN) <= 0 && !now.isBefore(drawAt) && !over;
    }
}
