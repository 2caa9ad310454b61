package io.sluice.data.request;

import io.sluice.data.upstream.CallTimes;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.routing.CompiledRung;

/**
 * How long one attempt may take: what token counts suggest (requirement A6), what the rung allows, and what the deadline
 * leaves when something is kept for those who come after (A5). A retry, that is a further call of a pool by the same request,
 * gets half of the first two, but not less than the rung's {@code minRemaining}: a pool in trouble must not hold the request
 * for as long again (A4). Half of what token counts suggest is still what a slow provider takes. Pure.
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
     * @param retry whether the request has called this pool before
     * @param rung whose pool is called
     */
    static CallTimes times(
            ScenarioSettings.Parsed settings,
            long remainingMs,
            boolean moreToCome,
            boolean retry,
            CompiledRung.Pool rung,
            int promptTokens,
            int maxTokens) {
        long kept = moreToCome ? Math.min(settings.lowerRungsReserve().toMillis(), remainingMs / 2) : 0;
        long most = Math.max(1, remainingMs - kept);
        int output = maxTokens > 0 ? maxTokens : OUTPUT_TYPICAL;
        long byTokens = (long) (SAFETY * 1_000 * (promptTokens / INPUT_PER_S + output / OUTPUT_PER_S));
        long whole = rung.timeoutMs() > 0 ? rung.timeoutMs() : Math.max(WHOLE_MIN_MS, byTokens);
        long first = settings.firstToken().toMillis();
        return new CallTimes(
                Math.min(most, retry ? halved(first, rung) : first),
                Math.min(most, retry ? halved(whole, rung) : whole),
                settings.streamTotal().toMillis(),
                settings.streamIdle().toMillis());
    }

    private static long halved(long fullMs, CompiledRung.Pool rung) {
        return Math.min(fullMs, Math.max(fullMs / 2, rung.minRemainingMs()));
    }
}
