package io.sluice.tenants.config;

import java.time.Duration;

/** What holds where a scenario says nothing. Each is a field's default, not a limit. */
public final class ScenarioDefaults {
    /** Interactive users leave after about ten seconds of waiting (requirement A5). */
    public static final Duration DEADLINE = Duration.ofSeconds(10);

    /** Nobody waits for a batch answer, but it is worth nothing for ever either (requirement A5). */
    public static final Duration BATCH_DEADLINE = Duration.ofSeconds(60);

    /** Half of the interactive deadline stays for rungs below the first (requirement A5). */
    public static final Duration LOWER_RUNGS_RESERVE = Duration.ofSeconds(5);

    /** The upper end of A6's 3 to 5 s. */
    public static final Duration FIRST_TOKEN_TIMEOUT = Duration.ofSeconds(5);

    /** A stream that has begun may last this long (A6: 60 to 120 s). */
    public static final Duration STREAM_TOTAL = Duration.ofMinutes(2);

    /** Silence between two events of a stream after which it counts as dead (bad-input row 75). */
    public static final Duration STREAM_IDLE = Duration.ofSeconds(30);

    /** Less than this and no provider answers even a short prompt; an attempt would only burn budget. */
    public static final Duration MIN_REMAINING = Duration.ofMillis(200);

    /** First attempt, two repeats and one on a lower rung. */
    public static final int ATTEMPTS_MAX = 4;

    private ScenarioDefaults() {}
}
