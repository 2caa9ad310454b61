package io.sluice.control.shift;

import java.time.Duration;

/**
 * How scenarios are watched and how fast their traffic moves.
 *
 * @param sample latency is judged by samples of so long
 * @param samples so many slow ones in a row are trouble
 * @param baselineStep what is usual is learned from {@link Baseline#STEPS} steps of so long
 * @param slowed a slow target's weight stays low for so long, and takes as long to rise again
 * @param hold each step of a shift lasts at least so long
 * @param rest all traffic stays at the substitute, and nothing is shifted after a shift, for so long; doubled after each try that ended badly
 */
public record ShiftSettings(
        Duration sample,
        int samples,
        Duration baselineStep,
        Duration slowed,
        Duration hold,
        Duration rest,
        TroubleLimits limits) {
    /** As F3 and F4 say; {@code rest} is longer than all steps of a shift together, so that traffic moves most of the time in no direction. */
    public static final ShiftSettings DEFAULT = new ShiftSettings(
            Duration.ofSeconds(15),
            5,
            Duration.ofMinutes(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(30),
            Duration.ofMinutes(5),
            TroubleLimits.DEFAULT);

    public ShiftSettings {
        if (samples < 1 || samples > 100) {
            throw new IllegalArgumentException("samples must be 1 to 100");
        }
        for (Duration each : new Duration[] {sample, baselineStep, slowed, hold, rest}) {
            if (each.toMillis() < 1) {
                throw new IllegalArgumentException("must be positive: " + each);
            }
        }
    }
}
