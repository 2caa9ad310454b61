package io.sluice.data.money;

import java.time.Duration;

/**
 * How a node draws and returns slices.
 *
 * @param refillMax so long a request waits for money that its node does not have; then it is refused
 * @param resendAfter a question to the authority that was not answered is asked again
 * @param idleAfter a slice of which nothing was taken for so long goes back
 */
public record LeaseSettings(Duration refillMax, Duration resendAfter, Duration idleAfter) {
    /**
     * An authority answers within milliseconds, also that nothing is left; only its silence is waited for, and a disk may be
     * silent for some hundred. A request that waits a second is better than one that is refused money that is there.
     */
    public static final LeaseSettings DEFAULT =
            new LeaseSettings(Duration.ofSeconds(1), Duration.ofMillis(200), Duration.ofSeconds(60));
}
