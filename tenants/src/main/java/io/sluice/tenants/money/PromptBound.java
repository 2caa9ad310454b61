package io.sluice.tenants.money;

/**
 * How many tokens a prompt has at most, from what is known without counting them. A byte-level tokeniser never makes more tokens
 * than the text has bytes, and the JSON of a text never has fewer bytes than the text; the JSON around each message is longer than
 * the tokens that set messages apart.
 */
public final class PromptBound {
    /** What providers write around the tools of a request: up to 804 tokens at Anthropic, less elsewhere. */
    static final int TOOLS_TOKENS = 1_000;

    /** What stands before the first and after the last message. */
    static final int FRAME_TOKENS = 16;

    /**
     * One image at most where the model is not in the table. The largest of the others known: about 4,800 tokens of 2,576 pixels a
     * side at Anthropic; 85 + 8 tiles of 170 at OpenAI.
     */
    static final int IMAGE_TOKENS = 5_000;

    /** At OpenAI's small models of 2024 an image has 2,833 tokens and 5,667 for each of at most eight tiles. */
    static final int IMAGE_TOKENS_OF_MINI = 48_200;

    private PromptBound() {}

    /**
     * The bound for one model.
     *
     * @param bytes of the request's JSON without image data; negative where the prompt holds what has no bound by its bytes, such
     *     as a file or a document, and then the bound is the model's context window
     * @param nameUpstream what the provider calls the model
     */
    public static long tokensMax(long bytes, int images, boolean tools, String nameUpstream, int contextWindow) {
        if (bytes < 0) {
            return contextWindow;
        }
        return bytes + (long) images * imageTokens(nameUpstream) + (tools ? TOOLS_TOKENS : 0) + FRAME_TOKENS;
    }

    private static int imageTokens(String nameUpstream) {
        return nameUpstream.contains("4o-mini") ? IMAGE_TOKENS_OF_MINI : IMAGE_TOKENS;
    }
}
