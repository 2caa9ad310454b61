package io.sluice.tenants.money;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.sluice.tenants.json.RecordWriter;

/**
 * What one attempt used, in disjoint classes: a token is counted in exactly one of them, whatever way the provider reports
 * (OpenAI's prompt_tokens include the cached ones, Anthropic's input_tokens do not).
 *
 * @param input prompt tokens at the full rate: neither read from nor written to the provider's prompt cache
 * @param cachedInput prompt tokens read from the provider's prompt cache
 * @param cacheWrite prompt tokens written to the provider's prompt cache
 * @param output answer tokens without reasoning
 * @param reasoning answer tokens the model spent thinking
 * @param images in the prompt, for models that bill each beside its tokens
 * @param serverToolCalls calls of tools that the provider runs itself and bills each beside the tokens, such as web searches; left out of JSON
 *     where there are none, as releases write it that count none
 * @param estimated true where the provider gave no usable figures and these are Sluice's own count
 */
public record TokenUsage(
        long input,
        long cachedInput,
        long cacheWrite,
        long output,
        long reasoning,
        long images,

        @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.AS_EMPTY)
        long serverToolCalls,

        boolean estimated)
        implements RecordWriter.Written {
    public static final TokenUsage NONE = new TokenUsage(0, 0, 0, 0, 0, 0, 0, false);

    /** More images than any prompt can have: what sums of prices bear. */
    public static final long IMAGES_MAX = 1L << 20;

    /** More calls of a provider's tools than any answer has: what sums of prices bear. */
    public static final long SERVER_TOOL_CALLS_MAX = 1L << 20;

    /** More tokens than any answer can have; a figure above it is a provider's mistake. 2^40 keeps sums far from overflow. */
    public static final long TOKENS_MAX = 1L << 40;

    public TokenUsage {
        input = clamp(input);
        cachedInput = clamp(cachedInput);
        cacheWrite = clamp(cacheWrite);
        output = clamp(output);
        reasoning = clamp(reasoning);
        images = Math.max(0, Math.min(IMAGES_MAX, images));
        serverToolCalls = Math.max(0, Math.min(SERVER_TOOL_CALLS_MAX, serverToolCalls));
    }

    /** Of tokens alone. */
    public TokenUsage(long input, long cachedInput, long cacheWrite, long output, long reasoning, boolean estimated) {
        this(input, cachedInput, cacheWrite, output, reasoning, 0, 0, estimated);
    }

    /** The same with so many images in the prompt. */
    public TokenUsage withImages(long count) {
        return count == images
                ? this
                : new TokenUsage(input, cachedInput, cacheWrite, output, reasoning, count, serverToolCalls, estimated);
    }

    /** The same with so many calls of the provider's own tools. */
    public TokenUsage withServerToolCalls(long count) {
        return count == serverToolCalls
                ? this
                : new TokenUsage(input, cachedInput, cacheWrite, output, reasoning, images, count, estimated);
    }

    private static long clamp(long tokens) {
        return Math.max(0, Math.min(TOKENS_MAX, tokens));
    }

    /** All prompt tokens. */
    public long promptTotal() {
        return input + cachedInput + cacheWrite;
    }

    /** All answer tokens. */
    public long outputTotal() {
        return output + reasoning;
    }

    /** Class by class sum; estimated if either part is. */
    public TokenUsage plus(TokenUsage other) {
        return new TokenUsage(
                input + other.input,
                cachedInput + other.cachedInput,
                cacheWrite + other.cacheWrite,
                output + other.output,
                reasoning + other.reasoning,
                images + other.images,
                serverToolCalls + other.serverToolCalls,
                estimated || other.estimated);
    }

    @Override
    public void members(RecordWriter out) {
        out.whole("input", input);
        out.whole("cachedInput", cachedInput);
        out.whole("cacheWrite", cacheWrite);
        out.whole("output", output);
        out.whole("reasoning", reasoning);
        out.whole("images", images);
        out.whole("serverToolCalls", serverToolCalls);
        out.flag("estimated", estimated);
    }
}
