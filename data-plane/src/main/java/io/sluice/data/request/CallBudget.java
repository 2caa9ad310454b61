package io.sluice.data.request;

import io.sluice.data.upstream.CallTimes;
import io.sluice.tenants.config.ScenarioSettings;

/**
 * How long one attempt may take: what token counts suggest (requirement A6), what the rung allows, and what the deadline
 * leaves when something is kept for those who come after (A5). Pure.
 */
final class CallBudget {
    /** Prompt tokens a slow provider reads in a second. */
    private static final double INPUT_PER_S = 1_000;

    /** Answer tokens a slow provider writes in a second. */
    private static final double OUTPUT_PER_S = 25;

    /** A6 gives 1.5 to 2. */
    private static final double SAFETY = 2;

    /** Where the caller sets no limit: a typical answer's length, tokens. */
    private static final int OUTPUT_TYPICAL = 1_000;

    /** Even the shortest answer is waited for this long. */
    private static final long WHOLE_MIN_MS = 3_000;

    private CallBudget() {}

    /**
     * The clocks of an attempt that starts now.
     *
     * @param remainingMs of the request's deadline
     * @param moreToCome whether another candidate stands behind this one
     * @param rungTimeoutMs 0 where the rung sets none
     */
    static CallTimes times(
            ScenarioSettings.Parsed settings,
            long remainingMs,
            boolean moreToCome,
            long rungTimeoutMs,
            int promptTokens,
            int maxTokens) {
        long kept = moreToCome ? Math.min(settings.lowerRungsReserve().toMillis(), remainingMs / 2) : 0;
        long most = Math.max(1, remainingMs - kept);
        int output = maxTokens > 0 ? maxTokens : OUTPUT_TYPICAL;
        long byTokens = (long) (SAFETY * 1_000 * (promptTokens / INPUT_PER_S + output / OUTPUT_PER_S));
        long wanted = rungTimeoutMs > 0 ? rungTimeoutMs : Math.max(WHOLE_MIN_MS, byTokens);
        return new CallTimes(
                Math.min(most, settings.firstToken().toMillis()),
                Math.min(most, wanted),
                settings.streamTotal().toMillis(),
                settings.streamIdle().toMillis());
    }
}
