package io.sluice.data.money;

import java.time.Duration;

/**
 * How a node draws and returns slices.
 *
 * @param refillMax so long a request waits for money that its node does not have, longer than two answers of an authority take; then it
 *     is refused
 * @param silentMax so long it waits where a question has been open for {@code refillMax} already
 * @param resendAfter a question to the authority that was not answered is asked again
 * @param idleAfter a slice of which nothing was taken for so long goes back
 */
public record LeaseSettings(Duration refillMax, Duration silentMax, Duration resendAfter, Duration idleAfter) {
    /**
     * An authority answers within milliseconds, also that nothing is left; only its silence is waited for. A disk may be silent for some
     * hundred, and nodes that have all just begun on one machine for more than a second. A request that waits so long is better than one
     * that is refused money that is there; where the authority is away nobody has to wait for it as long.
     */
    public static final LeaseSettings DEFAULT = new LeaseSettings(
            Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofMillis(200), Duration.ofSeconds(60));
}
