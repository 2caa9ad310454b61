package io.sluice.plugins.api.chat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.tenants.json.StrictJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One text for all JSON that means the same: members in the order of their names, no white space, strings without escapes,
 * numbers as written (so {@code 1} and {@code 1.0} differ, as they may to a provider). It is made to be hashed, not to be read:
 * lengths stand before strings and containers, so that no two meanings share a text.
 */
final class CanonicalText {
    private final JsonParser parser;

    private CanonicalText(JsonParser parser) {
        this.parser = parser;
    }

    /**
     * The text of an object that was parsed before.
     *
     * @param without top-level members that do not count
     */
    static byte[] of(byte[] body, Set<String> without) throws IOException {
        try (JsonParser parser = StrictJson.FACTORY.createParser(body)) {
            parser.nextToken();
            return new CanonicalText(parser).object(without);
        }
    }

    private byte[] object(Set<String> without) throws IOException {
        Map<String, byte[]> members = new TreeMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            byte[] value = value();
            if (!without.contains(name)) {
                members.put(name, value);
            }
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        head(out, '{', members.size());
        members.forEach((name, value) -> {
            string(out, name);
            out.writeBytes(value);
        });
        return out.toByteArray();
    }

    private byte[] array() throws IOException {
        ByteArrayOutputStream values = new ByteArrayOutputStream();
        int count = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            values.writeBytes(value());
            count++;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(values.size() + 8);
        head(out, '[', count);
        out.writeBytes(values.toByteArray());
        return out.toByteArray();
    }

    private byte[] value() throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return object(Set.of());
        }
        if (token == JsonToken.START_ARRAY) {
            return array();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (token == JsonToken.VALUE_STRING) {
            string(out, parser.getText());
        } else {
            byte[] word = parser.getText().getBytes(StandardCharsets.US_ASCII);
            head(out, '=', word.length);
            out.writeBytes(word);
        }
        return out.toByteArray();
    }

    private static void string(ByteArrayOutputStream out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        head(out, '"', bytes.length);
        out.writeBytes(bytes);
    }

    private static void head(ByteArrayOutputStream out, char kind, int length) {
        out.write(kind);
        out.writeBytes(Integer.toString(length).getBytes(StandardCharsets.US_ASCII));
        out.write(':');
    }
}
