package io.sluice.plugins.openai;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.money.TokenUsage;

/** Reads a usage object with distrust: what can not be true is not reported, and the gateway counts by itself. */
final class UsageReader {
    private static final long ABSENT = 0;
    private static final long WRONG = -1;

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
