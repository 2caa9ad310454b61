package io.sluice.plugins.api.chat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.tenants.failure.Refusal;
import java.io.IOException;
import java.util.Arrays;

/** Steps over JSON tokens and counts what must stay bounded: keys per object and tokens in all. For one parse. */
final class TokenWalk {
    private static final int PLAIN_CHARS_MAX = 300;
    private static final int DEPTH_FIRST = 8;

    private final JsonParser parser;
    private final ChatLimits limits;
    private int[] keys; // by depth; made for the first structure, since many requests have none
    private int tokens;

    TokenWalk(JsonParser parser, ChatLimits limits) {
        this.parser = parser;
        this.limits = limits;
    }

    /** Steps over the value of the member {@code name} of {@code at}; the path is put together only when it is needed. */
    void skipValue(String at, String name, boolean counted) throws IOException, ParseStop {
        if (parser.currentToken().isStructStart() || parser.currentToken().isNumeric()) {
            skipValue(at + "." + name, counted);
        }
    }

    /** Steps over the value that begins at the current token; afterwards the parser stands on its last token. */
    void skipValue(String param, boolean counted) throws IOException, ParseStop {
        JsonToken token = parser.currentToken();
        checkNumber(param, token);
        if (!token.isStructStart()) {
            return;
        }
        if (keys == null) {
            keys = new int[DEPTH_FIRST];
        }
        int depth = 1;
        keys[1] = 0;
        while (depth > 0) {
            token = parser.nextToken();
            if (counted && ++tokens > limits.tokensMax()) {
                throw ParseStop.invalid(param, "is too complex: more than " + limits.tokensMax() + " JSON tokens");
            }
            if (token.isStructStart()) {
                if (++depth == keys.length) {
                    keys = Arrays.copyOf(keys, 2 * depth);
                }
                keys[depth] = 0;
            } else if (token.isStructEnd()) {
                depth--;
            } else if (token == JsonToken.FIELD_NAME) {
                if (++keys[depth] > limits.keysPerObjectMax()) {
                    throw ParseStop.invalid(
                            param, "has an object with more than " + limits.keysPerObjectMax() + " keys");
                }
            } else {
                checkNumber(param, token);
            }
        }
    }

    private void checkNumber(String param, JsonToken token) throws IOException, ParseStop {
        if (token == JsonToken.VALUE_NUMBER_FLOAT && !surelyFinite() && !Double.isFinite(parser.getDoubleValue())) {
            throw new ParseStop(Refusal.INVALID_JSON, param + " has a number out of range", param);
        }
    }

    /** Whether it has too few digits, and no exponent, to be out of range: a double holds 308 of them. */
    private boolean surelyFinite() throws IOException {
        int length = parser.getTextLength();
        if (length > PLAIN_CHARS_MAX) {
            return false;
        }
        char[] text = parser.getTextCharacters();
        int start = parser.getTextOffset();
        for (int i = start; i < start + length; i++) {
            if (text[i] >= 'E') { // or e: whatever else is in a number comes before the letters
                return false;
            }
        }
        return true;
    }

    /** Counts a key of an object that the caller walks by itself. */
    void countKey(String param, int count) throws ParseStop {
        if (count > limits.keysPerObjectMax()) {
            throw ParseStop.invalid(param, "has more than " + limits.keysPerObjectMax() + " keys");
        }
    }
}
