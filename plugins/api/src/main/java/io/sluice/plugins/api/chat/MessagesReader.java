package io.sluice.plugins.api.chat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Checks {@code messages} while stepping over them: roles, forms of content, pairing of tool results with calls, images. It
 * decodes no text but ids, roles and image addresses. For one parse.
 */
final class MessagesReader {
    private static final Set<String> ROLES = Set.of("developer", "system", "user", "assistant", "tool", "function");

    /** Parts whose length in the body bounds their tokens; images are counted instead. */
    private static final Set<String> SEEN = Set.of("text", "refusal", "image_url", "input_audio");

    private static final Set<String> IMAGE_TYPES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    private final JsonParser parser;
    private final TokenWalk walk;
    private final ChatLimits limits;
    private final Set<String> callIds = new HashSet<>();
    private int count;
    private int images;
    private long imageChars;
    private boolean unseen;
    private boolean toolResult;

    MessagesReader(JsonParser parser, TokenWalk walk, ChatLimits limits) {
        this.parser = parser;
        this.walk = walk;
        this.limits = limits;
    }

    int count() {
        return count;
    }

    int images() {
        return images;
    }

    /** Characters of image addresses: no prompt text. */
    long imageChars() {
        return imageChars;
    }

    /** Whether a message has or names what is no text, no image and no inline sound: its length is not seen here. */
    boolean unseen() {
        return unseen;
    }

    /** Whether the last message is the result of a tool call. */
    boolean endsWithToolResult() {
        return toolResult;
    }

    /** Reads the array at the current token. */
    void read() throws IOException, ParseStop {
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw ParseStop.invalid("messages", "must be an array of messages");
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (count == limits.messagesMax()) {
                throw ParseStop.invalid("messages", "has more than " + limits.messagesMax() + " items");
            }
            readMessage();
            count++;
        }
        if (count == 0) {
            throw ParseStop.invalid("messages", "must have at least one message");
        }
    }

    /** The path of the message that is being read; put together only where it is told. */
    private String at() {
        return "messages[" + count + "]";
    }

    private void readMessage() throws IOException, ParseStop {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw ParseStop.invalid(at(), "must be an object");
        }
        String role = null;
        String toolCallId = null;
        JsonToken content = null;
        Set<String> calls = Set.of();
        for (int keys = 1; parser.nextToken() != JsonToken.END_OBJECT; keys++) {
            if (keys > limits.keysPerObjectMax()) {
                walk.countKey(at(), keys);
            }
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (name) {
                case "role" -> role = text(name, value);
                case "tool_call_id" -> toolCallId = text(name, value);
                case "content" -> {
                    content = value;
                    if (value != JsonToken.VALUE_STRING && value != JsonToken.VALUE_NULL) {
                        readParts(at() + ".content", value);
                    }
                }
                case "audio" -> {
                    unseen |= value != JsonToken.VALUE_NULL;
                    skip(name);
                }
                case "tool_calls" -> calls = readCalls(at() + ".tool_calls", value);
                default -> skip(name);
            }
        }
        checkMessage(role, toolCallId, content);
        if (!calls.isEmpty()) {
            callIds.addAll(calls);
        }
        toolResult = role.equals("tool") || role.equals("function");
    }

    private void skip(String name) throws IOException, ParseStop {
        if (parser.currentToken().isStructStart() || parser.currentToken().isNumeric()) {
            walk.skipValue(at(), name, false);
        }
    }

    private void checkMessage(String role, String toolCallId, JsonToken content) throws ParseStop {
        if (role == null) {
            throw ParseStop.invalid(at() + ".role", "is missing");
        }
        if (!ROLES.contains(role)) {
            throw ParseStop.invalid(
                    at() + ".role", "must be one of developer, system, user, assistant, tool, function");
        }
        boolean absent = content == null || content == JsonToken.VALUE_NULL;
        if (absent && !role.equals("assistant") && !role.equals("function")) {
            throw ParseStop.invalid(at() + ".content", "is missing");
        }
        if (role.equals("tool")) {
            if (toolCallId == null) {
                throw ParseStop.invalid(at() + ".tool_call_id", "is missing");
            }
            if (!callIds.contains(toolCallId)) {
                throw ParseStop.invalid(at() + ".tool_call_id", "names no tool call of an earlier assistant message");
            }
        }
    }

    private String text(String name, JsonToken value) throws IOException, ParseStop {
        return value == JsonToken.VALUE_STRING ? parser.getText() : textAt(at() + "." + name, value);
    }

    private String textAt(String at, JsonToken value) throws IOException, ParseStop {
        if (value == JsonToken.VALUE_NULL) {
            return null;
        }
        if (value != JsonToken.VALUE_STRING) {
            throw ParseStop.invalid(at, "must be a string");
        }
        return parser.getText();
    }

    private void readParts(String at, JsonToken value) throws IOException, ParseStop {
        if (value != JsonToken.START_ARRAY) {
            throw ParseStop.invalid(at, "must be a string or an array of content parts");
        }
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            if (i == limits.partsMax()) {
                throw ParseStop.invalid(at, "has more than " + limits.partsMax() + " parts");
            }
            readPart(at + "[" + i + "]");
        }
    }

    private void readPart(String at) throws IOException, ParseStop {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw ParseStop.invalid(at, "must be an object with a type");
        }
        boolean typed = false;
        for (int keys = 1; parser.nextToken() != JsonToken.END_OBJECT; keys++) {
            walk.countKey(at, keys);
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("type")) {
                String type = textAt(at + ".type", value);
                typed = type != null;
                unseen |= typed && !SEEN.contains(type);
            } else if (name.equals("image_url")) {
                readImage(at + ".image_url", value);
            } else {
                walk.skipValue(at, name, false);
            }
        }
        if (!typed) {
            throw ParseStop.invalid(at + ".type", "is missing");
        }
    }

    /** An object with the address, as OpenAI has it, or the bare address that other servers take as well. */
    private void readImage(String at, JsonToken form) throws IOException, ParseStop {
        images++;
        if (form == JsonToken.VALUE_STRING) {
            checkImageUrl(at);
            return;
        }
        if (form != JsonToken.START_OBJECT) {
            throw ParseStop.invalid(at, "must be an object with a url");
        }
        boolean addressed = false;
        for (int keys = 1; parser.nextToken() != JsonToken.END_OBJECT; keys++) {
            walk.countKey(at, keys);
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("url") && value == JsonToken.VALUE_STRING) {
                addressed = true;
                checkImageUrl(at + ".url");
            } else {
                walk.skipValue(at, name, false);
            }
        }
        if (!addressed) {
            throw ParseStop.invalid(at + ".url", "is missing");
        }
    }

    /** The gateway never fetches; it lets through only what a provider may fetch or decode safely. */
    private void checkImageUrl(String at) throws IOException, ParseStop {
        int length = parser.getTextLength();
        if (length > limits.imageUrlCharsMax()) {
            throw ParseStop.invalid(at, "is longer than " + limits.imageUrlCharsMax() + " characters");
        }
        imageChars += length;
        int head = Math.min(length, 64);
        String start = new String(parser.getTextCharacters(), parser.getTextOffset(), head).toLowerCase(Locale.ROOT);
        if (start.startsWith("https://")) {
            return;
        }
        int end = start.indexOf(';');
        if (!start.startsWith("data:") || end < 0 || !IMAGE_TYPES.contains(start.substring(5, end))) {
            throw ParseStop.invalid(at, "must be an https: address or a data: URL of a PNG, JPEG, GIF or WebP image");
        }
    }

    private Set<String> readCalls(String at, JsonToken value) throws IOException, ParseStop {
        if (value == JsonToken.VALUE_NULL) {
            return Set.of();
        }
        if (value != JsonToken.START_ARRAY) {
            throw ParseStop.invalid(at, "must be an array");
        }
        Set<String> ids = new HashSet<>();
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            String each = at + "[" + i + "]";
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw ParseStop.invalid(each, "must be an object");
            }
            for (int keys = 1; parser.nextToken() != JsonToken.END_OBJECT; keys++) {
                walk.countKey(each, keys);
                String name = parser.currentName();
                JsonToken member = parser.nextToken();
                if (!name.equals("id")) {
                    walk.skipValue(each, name, false);
                } else if (!ids.add(textAt(each + ".id", member))) {
                    throw ParseStop.invalid(each + ".id", "stands twice in one message");
                }
            }
        }
        return ids;
    }
}
