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
 * @param callIds of the calls; a function, which has none, is called under an empty one
 * @param answers id of the call that it is the result of; null where it is no result
 * @param contentStart of the content's first byte; -1 where it has none
 * @param contentEnd after the content's last byte
 * @param images in its content
 * @param imageChars of their addresses
 */
record MessageSpan(
        int start,
        int end,
        String role,
        String name,
        boolean calls,
        List<String> callIds,
        String answers,
        int contentStart,
        int contentEnd,
        int images,
        long imageChars) {
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
                spans.add(new Scan(parser, base).message());
            }
        } catch (IOException scannedBefore) {
            throw new UncheckedIOException(scannedBefore);
        }
        return spans;
    }

    /** So many messages instruct the model before anything else is said. */
    static int lead(List<MessageSpan> spans) {
        int lead = 0;
        while (lead < spans.size() && spans.get(lead).instructs()) {
            lead++;
        }
        return lead;
    }

    /**
     * Where the examples end that begin after {@code lead} messages.
     *
     * @param leadingPairs whether unmarked pairs are examples too
     */
    static int examplesEnd(List<MessageSpan> spans, int lead, boolean leadingPairs) {
        int question = spans.size() - 1;
        while (question >= 0 && !spans.get(question).asks()) {
            question--;
        }
        int end = lead;
        while (end + 1 < question && example(spans.get(end), spans.get(end + 1), leadingPairs)) {
            end += 2;
        }
        return end;
    }

    private static boolean example(MessageSpan one, MessageSpan next, boolean leadingPairs) {
        return one.marked(next) || (leadingPairs && one.asksAndIsAnswered(next));
    }

    /** Reads one message, whose opening brace the parser stands on. */
    private static final class Scan {
        private final JsonParser parser;
        private final int base;
        private String role = "";
        private String name;
        private boolean calls;
        private List<String> callIds = List.of();
        private String toolCallId;
        private int contentStart = -1;
        private int contentEnd = -1;
        private int images;
        private long imageChars;

        Scan(JsonParser parser, int base) {
            this.parser = parser;
            this.base = base;
        }

        MessageSpan message() throws IOException {
            int start = base + (int) parser.currentTokenLocation().getByteOffset();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String member = parser.currentName();
                member(member, parser.nextToken());
            }
            int end = base + (int) parser.currentLocation().getByteOffset();
            String answers = role.equals("tool") ? toolCallId : role.equals("function") ? "" : null;
            return new MessageSpan(
                    start, end, role, name, calls, callIds, answers, contentStart, contentEnd, images, imageChars);
        }

        private void member(String member, JsonToken value) throws IOException {
            switch (member) {
                case "role" -> role = parser.getText();
                case "name" -> name = value == JsonToken.VALUE_STRING ? parser.getText() : null;
                case "tool_call_id" -> toolCallId = value == JsonToken.VALUE_STRING ? parser.getText() : null;
                case "tool_calls" -> readCalls(value);
                case "function_call" -> {
                    if (value != JsonToken.VALUE_NULL) {
                        calls = true;
                        called("");
                    }
                    parser.skipChildren();
                }
                case "content" -> {
                    contentStart = base + (int) parser.currentTokenLocation().getByteOffset();
                    readContent(value);
                    parser.finishToken();
                    contentEnd = base + (int) parser.currentLocation().getByteOffset();
                }
                default -> parser.skipChildren();
            }
        }

        private void called(String id) {
            if (callIds.isEmpty()) {
                callIds = new ArrayList<>(2);
            }
            callIds.add(id);
        }

        private void readCalls(JsonToken value) throws IOException {
            calls |= value != JsonToken.VALUE_NULL;
            if (value != JsonToken.START_ARRAY) {
                parser.skipChildren();
                return;
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    boolean id = parser.currentName().equals("id");
                    if (parser.nextToken() == JsonToken.VALUE_STRING && id) {
                        called(parser.getText());
                    }
                    parser.skipChildren();
                }
            }
        }

        private void readContent(JsonToken value) throws IOException {
            if (value != JsonToken.START_ARRAY) {
                return;
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    boolean image = parser.currentName().equals("image_url");
                    JsonToken member = parser.nextToken();
                    if (image) {
                        readImage(member);
                    } else {
                        parser.skipChildren();
                    }
                }
            }
        }

        private void readImage(JsonToken form) throws IOException {
            images++;
            if (form == JsonToken.VALUE_STRING) {
                imageChars += parser.getTextLength();
                return;
            }
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                boolean url = parser.currentName().equals("url");
                if (parser.nextToken() == JsonToken.VALUE_STRING && url) {
                    imageChars += parser.getTextLength();
                }
                parser.skipChildren();
            }
        }
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
