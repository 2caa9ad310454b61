package io.sluice.plugins.api.chat;

import io.sluice.tenants.failure.Refusal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Checks the bytes of a body before any parser sees them: UTF-8 without a byte order mark, no half surrogate pairs. */
final class BodyText {
    private BodyText() {}

    /** Throws where {@code body} is not plain UTF-8. One pass; the costly checks run only where a byte calls for them. */
    static void check(byte[] body) throws ParseStop {
        if (body.length == 0) {
            throw new ParseStop(Refusal.INVALID_JSON, "the body is empty; send a JSON object", null);
        }
        boolean ascii = true;
        boolean surrogates = false;
        for (int i = 0; i < body.length; i++) {
            byte b = body[i];
            if (b < 0) {
                ascii = false;
            } else if (b == 0) { // JSON has none; in the first bytes it would make the parser guess UTF-16 or UTF-32
                throw new ParseStop(Refusal.INVALID_JSON, "the body has zero bytes; send JSON in UTF-8", null);
            } else if (b == '\\' && i + 2 < body.length && body[i + 1] == 'u') {
                surrogates |= (body[i + 2] | 0x20) == 'd';
            }
        }
        if (!ascii) {
            checkUtf8(body);
        }
        if (surrogates) {
            checkSurrogates(body);
        }
    }

    private static void checkUtf8(byte[] body) throws ParseStop {
        if (body.length >= 3 && (body[0] & 0xFF) == 0xEF && (body[1] & 0xFF) == 0xBB && (body[2] & 0xFF) == 0xBF) {
            throw new ParseStop(
                    Refusal.INVALID_JSON, "the body begins with a byte order mark; send UTF-8 without it", null);
        }
        try {
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(body));
        } catch (CharacterCodingException notUtf8) {
            throw new ParseStop(Refusal.INVALID_JSON, "the body is not valid UTF-8", null);
        }
    }

    /** Every escaped high surrogate must be followed at once by an escaped low one, and no low one may stand alone. */
    private static void checkSurrogates(byte[] body) throws ParseStop {
        int i = 0;
        while (i + 1 < body.length) {
            if (body[i] != '\\') {
                i++;
                continue;
            }
            int unit = escaped(body, i);
            if (unit >= 0xDC00 && unit <= 0xDFFF) {
                throw halfPair();
            }
            boolean high = unit >= 0xD800 && unit <= 0xDBFF;
            if (high) {
                int low = escaped(body, i + 6);
                if (low < 0xDC00 || low > 0xDFFF) {
                    throw halfPair();
                }
            }
            i += high ? 12 : 2;
        }
    }

    private static ParseStop halfPair() {
        return new ParseStop(
                Refusal.INVALID_JSON,
                "the body has half of a surrogate pair (\\ud800 to \\udfff alone); send whole characters",
                null);
    }

    /** The code unit of the escape {@code \\uXXXX} at {@code at}; -1 where there is none. */
    private static int escaped(byte[] body, int at) {
        if (at + 5 >= body.length || body[at] != '\\' || body[at + 1] != 'u') {
            return -1;
        }
        int unit = 0;
        for (int i = at + 2; i < at + 6; i++) {
            int digit = Character.digit(body[i], 16);
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }
}
