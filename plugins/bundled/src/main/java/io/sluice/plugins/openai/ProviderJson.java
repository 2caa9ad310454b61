package io.sluice.plugins.openai;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.sluice.tenants.json.StrictJson;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * JSON from providers: trees whose numbers keep their text. Unlike {@link StrictJson} it takes duplicate keys, since a
 * provider's answer decides nothing about rights. Thread-safe.
 */
final class ProviderJson {
    /** Longest number in characters; log probabilities have about 25. */
    private static final int NUMBER_LENGTH_MAX = 100;

    /** Always UTF-8 (no guessing by zero bytes), bounded in depth and length. */
    static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(StrictJson.DEPTH_MAX)
                    .maxNumberLength(NUMBER_LENGTH_MAX)
                    .maxNameLength(StrictJson.NAME_LENGTH_MAX)
                    .maxStringLength(StrictJson.STRING_LENGTH_MAX)
                    .build())
            .disable(JsonFactory.Feature.CHARSET_DETECTION)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private static final ObjectMapper WRITER = new ObjectMapper(FACTORY);
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ProviderJson() {}

    /** The one JSON value between {@code from} and {@code to}; null where that is not exactly one well-formed value. */
    static JsonNode read(byte[] bytes, int from, int to) {
        try (JsonParser parser = FACTORY.createParser(bytes, from, to - from)) {
            if (parser.nextToken() == null) {
                return null;
            }
            JsonNode tree = read(parser);
            return parser.nextToken() == null ? tree : null;
        } catch (IOException malformed) {
            return null;
        }
    }

    /** Whether {@code text} is exactly one well-formed JSON value. */
    static boolean wellFormed(CharSequence text) {
        try (JsonParser parser = FACTORY.createParser(text.toString())) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (IOException malformed) {
            return false;
        }
    }

    /** UTF-8 text of a tree. */
    static byte[] write(JsonNode tree) {
        try {
            return WRITER.writeValueAsBytes(tree);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Text of a tree. */
    static String text(JsonNode tree) {
        try {
            return WRITER.writeValueAsString(tree);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Depth is bounded by the factory, so this recursion is too. */
    private static JsonNode read(JsonParser parser) throws IOException {
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                ObjectNode object = NODES.objectNode();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.set(name, read(parser));
                }
                return object;
            }
            case START_ARRAY -> {
                ArrayNode array = NODES.arrayNode();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(read(parser));
                }
                return array;
            }
            case VALUE_STRING -> {
                return NODES.textNode(parser.getText());
            }
            case VALUE_NUMBER_INT -> {
                return integer(parser);
            }
            case VALUE_NUMBER_FLOAT -> {
                return NODES.rawValueNode(new RawValue(parser.getText()));
            }
            case VALUE_TRUE, VALUE_FALSE -> {
                return NODES.booleanNode(parser.currentToken() == JsonToken.VALUE_TRUE);
            }
            default -> {
                return NODES.nullNode();
            }
        }
    }

    private static JsonNode integer(JsonParser parser) throws IOException {
        String text = parser.getText();
        if (text.equals("-0")) {
            return NODES.rawValueNode(new RawValue(text));
        }
        return switch (parser.getNumberType()) {
            case INT -> NODES.numberNode(parser.getIntValue());
            case LONG -> NODES.numberNode(parser.getLongValue());
            default -> NODES.numberNode(parser.getBigIntegerValue());
        };
    }
}
