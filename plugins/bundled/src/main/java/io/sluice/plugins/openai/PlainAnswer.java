package io.sluice.plugins.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.FinishReason;
import io.sluice.tenants.money.TokenUsage;
import java.io.IOException;
import java.util.List;

/**
 * The common case of a whole answer, recognised in one scan without a tree: one choice of text that ended by itself or at its
 * limit, and usage that can be true. Such an answer may be relayed byte by byte; anything else is {@link AnswerReader}'s to
 * read. For one answer on one thread.
 */
final class PlainAnswer {
    private String id;
    private long createdS;
    private String model;
    private String content;
    private FinishReason reason;
    private boolean choices;
    private UsageFigures usage;
    private String serviceTier;

    private PlainAnswer() {}

    /** The events of a plain answer, or null where the bytes are none. */
    static List<AnswerEvent> scan(byte[] bytes) {
        PlainAnswer answer = new PlainAnswer();
        try (JsonParser parser = ProviderJson.FACTORY.createParser(bytes)) {
            boolean plain = parser.nextToken() == JsonToken.START_OBJECT
                    && answer.scanRoot(parser)
                    && parser.nextToken() == null;
            return plain ? answer.events() : null;
        } catch (IOException malformed) {
            return null;
        }
    }

    private List<AnswerEvent> events() {
        TokenUsage used = usage == null ? null : usage.trusted();
        if (id == null
                || content == null
                || content.isBlank()
                || reason == null
                || used == null
                || used.outputTotal() == 0) {
            return null;
        }
        return List.of(
                new AnswerEvent.Started(id, createdS, model),
                new AnswerEvent.ContentDelta(0, content),
                new AnswerEvent.Finished(0, reason),
                new AnswerEvent.UsageReported(used, serviceTier, usage.searches()),
                new AnswerEvent.Completed());
    }

    private boolean scanRoot(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (name) {
                case "id" -> {
                    if (id != null || value != JsonToken.VALUE_STRING || parser.getTextLength() == 0) {
                        return false;
                    }
                    id = parser.getText();
                }
                case "created" -> createdS = value == JsonToken.VALUE_NUMBER_INT ? parser.getLongValue() : 0;
                case "model" -> model = value == JsonToken.VALUE_STRING ? parser.getText() : null;
                case "service_tier" -> serviceTier = value == JsonToken.VALUE_STRING ? parser.getText() : null;
                case "object" -> {
                    if (value != JsonToken.VALUE_STRING || !parser.getText().equals("chat.completion")) {
                        return false;
                    }
                }
                case "choices" -> {
                    if (choices || value != JsonToken.START_ARRAY || !scanChoices(parser)) {
                        return false;
                    }
                    choices = true;
                }
                case "usage" -> {
                    if (usage != null || value != JsonToken.START_OBJECT) {
                        return false;
                    }
                    usage = UsageFigures.scan(parser);
                }
                case "error" -> {
                    if (value != JsonToken.VALUE_NULL) {
                        return false;
                    }
                }
                default -> parser.skipChildren();
            }
        }
        return choices && usage != null;
    }

    private boolean scanChoices(JsonParser parser) throws IOException {
        return parser.nextToken() == JsonToken.START_OBJECT
                && scanChoice(parser)
                && parser.nextToken() == JsonToken.END_ARRAY;
    }

    private boolean scanChoice(JsonParser parser) throws IOException {
        boolean first = false;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (name) {
                case "index" ->
                    first = value == JsonToken.VALUE_NUMBER_INT
                            && parser.getText().equals("0");
                case "message" -> {
                    if (value != JsonToken.START_OBJECT || !scanMessage(parser)) {
                        return false;
                    }
                }
                case "finish_reason" -> {
                    if (reason != null || value != JsonToken.VALUE_STRING) {
                        return false;
                    }
                    reason = ordinary(parser.getText());
                }
                case "delta", "text" -> {
                    return false;
                }
                default -> parser.skipChildren();
            }
        }
        return first;
    }

    private static FinishReason ordinary(String word) {
        return switch (word) {
            case "stop" -> FinishReason.STOP;
            case "length" -> FinishReason.LENGTH;
            default -> null;
        };
    }

    private boolean scanMessage(JsonParser parser) throws IOException {
        boolean assistant = false;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (name) {
                case "role" ->
                    assistant =
                            value == JsonToken.VALUE_STRING && parser.getText().equals("assistant");
                case "content" -> {
                    if (content != null || value != JsonToken.VALUE_STRING) {
                        return false;
                    }
                    content = parser.getText();
                }
                case "tool_calls", "function_call", "refusal", "reasoning", "reasoning_content", "audio", "images" -> {
                    if (value != JsonToken.VALUE_NULL) {
                        return false;
                    }
                }
                default -> parser.skipChildren();
            }
        }
        return assistant;
    }
}
