package io.sluice.plugins.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.tenants.money.TokenUsage;
import java.io.IOException;

/** The figures of a usage object in OpenAI's own form, scanned without a tree. For one answer on one thread. */
final class UsageFigures {
    private long prompt = -1;
    private long completion = -1;
    private long total;
    private long cached;
    private long written;
    private long reasoning;
    private long searches = UsageReader.UNSAID;
    private boolean odd;

    private UsageFigures() {}

    /** Reads the object at the current token to its end. */
    static UsageFigures scan(JsonParser parser) throws IOException {
        UsageFigures figures = new UsageFigures();
        figures.read(parser);
        return figures;
    }

    private void read(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (name) {
                case "prompt_tokens" -> prompt = figure(parser, value);
                case "completion_tokens" -> completion = figure(parser, value);
                case "total_tokens" -> total = figure(parser, value);
                case "cached_tokens" -> cached = figure(parser, value);
                case "cache_write_tokens" -> written = figure(parser, value);
                case "reasoning_tokens" -> reasoning = figure(parser, value);
                case "web_search_requests" -> {
                    if (value != JsonToken.VALUE_NULL) {
                        searches = Math.max(searches, figure(parser, value));
                    }
                }
                case "prompt_tokens_details", "completion_tokens_details", "server_tool_use" -> {
                    if (value == JsonToken.START_OBJECT) {
                        read(parser);
                    } else {
                        odd |= value != JsonToken.VALUE_NULL;
                    }
                }
                case "prompt_cache_hit_tokens" -> odd = true;
                default -> parser.skipChildren();
            }
        }
    }

    private long figure(JsonParser parser, JsonToken value) throws IOException {
        if (value == JsonToken.VALUE_NULL) {
            return 0;
        }
        if (value != JsonToken.VALUE_NUMBER_INT || parser.getTextLength() > 12) {
            odd = true;
            parser.skipChildren();
            return 0;
        }
        long figure = parser.getLongValue();
        odd |= figure < 0;
        return figure;
    }

    /** How many searches the provider bills; {@link UsageReader#UNSAID} where it does not say, or none can be that many. */
    int searches() {
        return UsageReader.searches(searches);
    }

    /** The usage, or null where {@link UsageReader} has to look at the whole object. */
    TokenUsage trusted() {
        boolean plain = !odd && prompt > 0 && completion >= 0;
        return plain ? UsageReader.of(prompt, completion, cached, written, reasoning, total) : null;
    }
}
