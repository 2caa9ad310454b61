package io.sluice.plugins.openai;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * The common case of a stream, recognised in one scan without a tree: a chunk of the known id with one choice that carries
 * text or thinking and nothing else that means anything to Sluice. Such a chunk may be relayed byte by byte. For one thread;
 * used again for every chunk of a stream.
 */
final class PlainChunk {
    private int choice;
    private String content;
    private String reasoning;

    /** Whether the bytes are such a chunk; if not, {@link AnswerReader} has to look. {@code id} is that of the stream, or null. */
    boolean scan(byte[] bytes, int from, int to, String id) {
        choice = -1;
        content = null;
        reasoning = null;
        try (JsonParser parser = ProviderJson.FACTORY.createParser(bytes, from, to - from)) {
            return parser.nextToken() == JsonToken.START_OBJECT && scanRoot(parser, id) && parser.nextToken() == null;
        } catch (IOException malformed) {
            return false;
        }
    }

    int choice() {
        return choice;
    }

    /** Null or empty where there is none. */
    String content() {
        return content;
    }

    /** Null or empty where there is none. */
    String reasoning() {
        return reasoning;
    }

    private boolean scanRoot(JsonParser parser, String id) throws IOException {
        boolean sameId = id == null;
        boolean choices = false;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (name) {
                case "id" -> {
                    if (value != JsonToken.VALUE_STRING || !same(parser, id)) {
                        return false;
                    }
                    sameId = true;
                }
                case "choices" -> {
                    if (choices || value != JsonToken.START_ARRAY || !scanChoices(parser)) {
                        return false;
                    }
                    choices = true;
                }
                case "usage", "error" -> {
                    if (value != JsonToken.VALUE_NULL) {
                        return false;
                    }
                }
                default -> parser.skipChildren();
            }
        }
        return sameId && choices;
    }

    private static boolean same(JsonParser parser, String id) throws IOException {
        if (id == null || parser.getTextLength() != id.length()) {
            return false;
        }
        char[] text = parser.getTextCharacters();
        int offset = parser.getTextOffset();
        for (int i = 0; i < id.length(); i++) {
            if (text[offset + i] != id.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private boolean scanChoices(JsonParser parser) throws IOException {
        return parser.nextToken() == JsonToken.START_OBJECT
                && scanChoice(parser)
                && parser.nextToken() == JsonToken.END_ARRAY;
    }

    private boolean scanChoice(JsonParser parser) throws IOException {
        boolean delta = false;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (name) {
                case "index" -> {
                    if (value != JsonToken.VALUE_NUMBER_INT || parser.getTextLength() > 3) {
                        return false;
                    }
                    choice = parser.getIntValue();
                }
                case "delta" -> {
                    if (delta || value != JsonToken.START_OBJECT || !scanDelta(parser)) {
                        return false;
                    }
                    delta = true;
                }
                case "finish_reason" -> {
                    if (value != JsonToken.VALUE_NULL) {
                        return false;
                    }
                }
                case "message", "text" -> {
                    return false;
                }
                default -> parser.skipChildren();
            }
        }
        return delta && choice >= 0 && choice < AnswerState.CHOICES_MAX;
    }

    private boolean scanDelta(JsonParser parser) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (name) {
                case "content" -> {
                    if (value == JsonToken.VALUE_STRING) {
                        content = parser.getText();
                    } else if (value != JsonToken.VALUE_NULL) {
                        return false;
                    }
                }
                case "reasoning_content", "reasoning" -> {
                    if (value == JsonToken.VALUE_STRING && reasoning == null) {
                        reasoning = parser.getText();
                    } else if (value != JsonToken.VALUE_NULL) {
                        return false;
                    }
                }
                case "role" -> {
                    boolean right = value == JsonToken.VALUE_STRING && (same(parser, "assistant") || same(parser, ""));
                    if (!right && value != JsonToken.VALUE_NULL) {
                        return false;
                    }
                }
                case "tool_calls", "function_call", "refusal", "audio", "images" -> {
                    if (value != JsonToken.VALUE_NULL) {
                        return false;
                    }
                }
                default -> parser.skipChildren();
            }
        }
        return true;
    }
}
