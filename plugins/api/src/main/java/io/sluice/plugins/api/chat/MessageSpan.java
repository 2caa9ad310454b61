package io.sluice.plugins.api.chat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.tenants.json.StrictJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where one message stands in a body, and what an edit has to know of it. Read only where messages are edited or asked about: a
 * second scan, without decoding any text.
 *
 * @param start of its opening brace
 * @param end after its closing brace
 * @param name null where it has none
 * @param calls whether it calls tools or functions
 * @param contentStart of the content's first byte; -1 where it has none
 * @param contentEnd after the content's last byte
 */
record MessageSpan(int start, int end, String role, String name, boolean calls, int contentStart, int contentEnd) {
    /** How OpenAI's documentation marks the question of an example. */
    private static final String EXAMPLE_USER = "example_user";

    /** How it marks the answer. */
    private static final String EXAMPLE_ASSISTANT = "example_assistant";

    /** All messages of a parsed body. */
    static List<MessageSpan> all(byte[] body, ChatRequest.Member messages) {
        int base = messages.valueStart();
        List<MessageSpan> spans = new ArrayList<>();
        try (JsonParser parser = StrictJson.FACTORY.createParser(body, base, messages.valueEnd() - base)) {
            parser.nextToken();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                spans.add(one(parser, base));
            }
        } catch (IOException scannedBefore) {
            throw new UncheckedIOException(scannedBefore);
        }
        return spans;
    }

    private static MessageSpan one(JsonParser parser, int base) throws IOException {
        int start = base + (int) parser.currentTokenLocation().getByteOffset();
        String role = "";
        String name = null;
        boolean calls = false;
        int contentStart = -1;
        int contentEnd = -1;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (member) {
                case "role" -> role = parser.getText();
                case "name" -> name = value == JsonToken.VALUE_STRING ? parser.getText() : null;
                case "tool_calls", "function_call" -> {
                    calls |= value != JsonToken.VALUE_NULL;
                    parser.skipChildren();
                }
                case "content" -> {
                    contentStart = base + (int) parser.currentTokenLocation().getByteOffset();
                    parser.skipChildren();
                    parser.finishToken();
                    contentEnd = base + (int) parser.currentLocation().getByteOffset();
                }
                default -> parser.skipChildren();
            }
        }
        int end = base + (int) parser.currentLocation().getByteOffset();
        return new MessageSpan(start, end, role, name, calls, contentStart, contentEnd);
    }

    private boolean example() {
        return EXAMPLE_USER.equals(name) || EXAMPLE_ASSISTANT.equals(name);
    }

    private boolean is(String wanted) {
        return role.equals(wanted);
    }

    /** Whether it instructs the model: examples may be written in the same role. */
    boolean instructs() {
        return (is("system") || is("developer")) && !example();
    }

    /** Whether the user asks, and not in an example. */
    boolean asks() {
        return is("user") && !example();
    }

    /** Whether this and {@code next} are marked as an example; OpenAI writes examples in the roles system or user. */
    boolean marked(MessageSpan next) {
        return EXAMPLE_USER.equals(name)
                && EXAMPLE_ASSISTANT.equals(next.name)
                && (is("user") || is("system"))
                && (next.is("assistant") || next.is("system"))
                && !calls
                && !next.calls;
    }

    /** Whether this and {@code next} are a question and an answer without calls. */
    boolean asksAndIsAnswered(MessageSpan next) {
        return is("user") && next.is("assistant") && !calls && !next.calls;
    }
}
