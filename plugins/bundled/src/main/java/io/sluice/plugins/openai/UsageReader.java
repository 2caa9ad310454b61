package io.sluice.plugins.openai;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.money.TokenUsage;

/** Reads a usage object with distrust: what can not be true is not reported, and the gateway counts by itself. */
final class UsageReader {
    private static final long ABSENT = 0;
    private static final long WRONG = -1;

    /** Stands for a figure that the provider does not give. */
    static final int UNSAID = -1;

    /** Research takes some hundred; more is a mistake, and at a cent each dear enough. */
    private static final int SEARCHES_MAX = 1_000;

    private UsageReader() {}

    /**
     * The usage, or null where it can not be trusted: a prompt of no tokens, or figures that are missing, negative,
     * fractional, no numbers, or larger than {@link TokenUsage#TOKENS_MAX}. Details that contradict their total are ignored.
     */
    static TokenUsage read(JsonNode usage) {
        long prompt = tokens(usage, "prompt_tokens");
        long completion = tokens(usage, "completion_tokens");
        if (prompt <= 0 || completion < 0 || !usage.has("completion_tokens")) {
            return null;
        }
        JsonNode promptDetails = usage.path("prompt_tokens_details");
        long cached = Math.max(
                Math.max(tokens(promptDetails, "cached_tokens"), tokens(usage, "prompt_cache_hit_tokens")),
                tokens(usage, "cached_tokens"));
        long written = Math.max(0, tokens(promptDetails, "cache_write_tokens"));
        long reasoning = Math.max(0, tokens(usage.path("completion_tokens_details"), "reasoning_tokens"));
        return of(prompt, completion, cached, written, reasoning, tokens(usage, "total_tokens"));
    }

    /**
     * How many web searches the provider bills: {@code server_tool_use.web_search_requests}, as Anthropic and OpenRouter have it, or LiteLLM's
     * {@code prompt_tokens_details.web_search_requests}. Fetched pages are counted beside it and cost only their tokens.
     *
     * @return {@link #UNSAID} where it does not say, or so that it can not be true
     */
    static int searches(JsonNode usage) {
        return searches(Math.max(figure(usage.path("server_tool_use")), figure(usage.path("prompt_tokens_details"))));
    }

    private static long figure(JsonNode details) {
        JsonNode searches = details.path("web_search_requests");
        return searches.isIntegralNumber() && searches.canConvertToLong() ? searches.longValue() : UNSAID;
    }

    /** {@code figure}, or {@link #UNSAID} where none can be that many. */
    static int searches(long figure) {
        return figure < 0 || figure > SEARCHES_MAX ? UNSAID : (int) figure;
    }

    /** Figures that can be true by themselves as disjoint classes; details that contradict their total are ignored. */
    static TokenUsage of(long prompt, long completion, long cached, long written, long reasoning, long total) {
        boolean impossible = cached < 0 || cached + written > prompt;
        long fromCache = impossible ? 0 : cached;
        long toCache = impossible ? 0 : written;
        long output = completion - reasoning;
        long thinking = reasoning;
        if (reasoning > 0 && total == prompt + completion + reasoning) {
            // xAI counts thinking beside the completion, everybody else within it; the total tells.
            output = completion;
        } else if (output < 0) {
            output = completion;
            thinking = 0;
        }
        return new TokenUsage(prompt - fromCache - toCache, fromCache, toCache, output, thinking, false);
    }

    private static long tokens(JsonNode of, String name) {
        JsonNode value = of.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return ABSENT;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            return WRONG;
        }
        long tokens = value.longValue();
        return tokens < 0 || tokens > TokenUsage.TOKENS_MAX ? WRONG : tokens;
    }
}
