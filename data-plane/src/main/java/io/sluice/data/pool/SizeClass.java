package io.sluice.data.pool;

/**
 * Classes of calls that take about as long until their first content. A stream's first token comes when its prompt is read, a
 * whole answer when its last token is written: so a stream counts by the tokens of its prompt, a whole answer by those of its
 * answer, both in powers of two.
 */
public final class SizeClass {
    /** All classes: 0 to this, exclusive. */
    public static final int COUNT = 32;

    private static final int OF_ONE_KIND = COUNT / 2;

    /** Prompts of up to 256 tokens are read in about the same time: the way there and back is longer. */
    private static final int SHORT_PROMPT_BITS = 8;

    /** Likewise answers of up to 16 tokens. */
    private static final int SHORT_ANSWER_BITS = 4;

    private SizeClass() {}

    /**
     * The class of a call.
     *
     * @param answerTokens of a whole answer; not asked for a stream
     */
    public static int of(boolean streamed, long promptTokens, long answerTokens) {
        return streamed ? power(promptTokens, SHORT_PROMPT_BITS) : OF_ONE_KIND + power(answerTokens, SHORT_ANSWER_BITS);
    }

    private static int power(long tokens, int shortBits) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, tokens - 1) >> shortBits);
        return Math.min(bits, OF_ONE_KIND - 1);
    }
}
