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
    /** A round trip to a store on the same network takes a few milliseconds; 50 ms are not felt beside a model's answer. */
    public static final LeaseSettings DEFAULT =
            new LeaseSettings(Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofSeconds(60));
}
