package io.sluice.tenants.limit;

/**
 * How many tokens a request is expected to use, before it is known. A caller who says how long an answer may be is taken at its
 * word, so that a limit on tokens holds strictly. For one who does not, the answer is expected to be as long as answers of the
 * scenario have been lately, and no longer than the limit could ever admit: what is used beyond that is counted afterwards and
 * makes later requests wait.
 */
public final class TokenEstimate {
    /** While nothing is known: answers to chat requests without a limit are nearly always shorter. */
    static final int ANSWER_TOKENS_DEFAULT = 1_024;

    /** Nothing has been answered yet. */
    public static final int UNKNOWN = -1;

    private TokenEstimate() {}

    /**
     * Prompt and answers.
     *
     * @param promptTokens estimate
     * @param choices answers asked for
     * @param maxTokens longest answer the caller asks for; 0 where it does not say
     * @param modelMax longest answer of the model that would be called first
     * @param usual tokens of usual answers, {@link #UNKNOWN} before the first
     * @param limitMin the lowest limit on tokens that applies
     */
    public static long of(long promptTokens, int choices, int maxTokens, int modelMax, int usual, int limitMin) {
        if (maxTokens > 0) {
            return promptTokens + (long) choices * Math.min(maxTokens, modelMax);
        }
        int answer = Math.min(usual == UNKNOWN ? ANSWER_TOKENS_DEFAULT : usual, modelMax);
        long whole = promptTokens + (long) choices * answer;
        return Math.max(promptTokens, Math.min(whole, limitMin));
    }

    /** What answers usually have, after one of {@code answer} tokens: up at once, down by an eighth of the way. */
    public static int usualAfter(int usual, int answer) {
        return answer >= usual ? answer : usual - Math.max(1, (usual - answer) / 8);
    }
}
