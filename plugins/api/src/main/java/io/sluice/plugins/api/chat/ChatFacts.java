package io.sluice.plugins.api.chat;

/**
 * What Sluice needs to know of a chat request.
 *
 * @param model as written
 * @param includeUsage {@code stream_options.include_usage}
 * @param maxTokens the smaller of {@code max_tokens} and {@code max_completion_tokens}; 0 where both are absent
 * @param choices {@code n}, 1 where absent
 * @param promptTokens estimate: one token per four bytes of messages and tools, {@link #IMAGE_TOKENS} per image
 * @param messages number of messages
 * @param tools whether tools are offered
 * @param images number of images in messages
 * @param serverToolCalls so many times it asks the provider to use tools of its own at most: one search for {@code web_search_options}
 * @param jsonSchema whether {@code response_format} asks for a JSON schema
 * @param structured whether only JSON will do, or a call of a tool: {@code response_format} json_object or json_schema,
 *     {@code tool_choice} or {@code function_call} that demands one
 * @param endUser the member {@code user}; null where absent
 * @param promptBytesMax length of the body without image addresses, so never less than the prompt's own length in bytes, whatever
 *     the provider makes of it; -1 where there is more in the prompt whose length is not seen here, such as a file, or what a search finds
 * @param continuesTools whether the last message is the result of a tool call
 */
public record ChatFacts(
        String model,
        boolean streamed,
        boolean includeUsage,
        int maxTokens,
        int choices,
        int promptTokens,
        int messages,
        boolean tools,
        int images,
        int serverToolCalls,
        boolean jsonSchema,
        boolean structured,
        String endUser,
        int promptBytesMax,
        boolean continuesTools) {
    /** A high-detail image of 1,024 pixels a side costs 765 tokens at OpenAI, about 1,400 at others. */
    public static final int IMAGE_TOKENS = 1_000;

    /** English text has about four bytes a token in every current tokeniser; other scripts have fewer characters but more bytes. */
    public static final int BYTES_PER_TOKEN = 4;
}
