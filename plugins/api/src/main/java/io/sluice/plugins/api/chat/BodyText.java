package io.sluice.plugins.api.chat;

import io.sluice.tenants.failure.Refusal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Checks the bytes of a body before any parser sees them: UTF-8 without a byte order mark, no half surrogate pairs. */
final class BodyText {
    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long ONES = 0x0101010101010101L;
    private static final long BACKSLASHES = 0x5C5C5C5C5C5C5C5CL;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private BodyText() {}

    /** Whether none of the eight bytes is zero, a backslash or above 127: the usual case, in a few instructions. */
    private static boolean plain(long eight) {
        long noBackslash = eight ^ BACKSLASHES;
        long found = eight | ((eight - ONES) & ~eight) | ((noBackslash - ONES) & ~noBackslash);
        return (found & HIGH_BITS) == 0;
    }

    /** Throws where {@code body} is not plain UTF-8. One pass; the costly checks run only where a byte calls for them. */
    static void check(byte[] body) throws ParseStop {
        if (body.length == 0) {
            throw new ParseStop(Refusal.INVALID_JSON, "the body is empty; send a JSON object", null);
        }
        boolean ascii = true;
        boolean surrogates = false;
        int i = 0;
        while (i < body.length) {
            if (i + Long.BYTES <= body.length && plain((long) EIGHT_BYTES.get(body, i))) {
                i += Long.BYTES;
                continue;
            }
            for (int end = Math.min(i + Long.BYTES, body.length); i < end; i++) {
                byte b = body[i];
                if (b < 0) {
                    ascii = false;
                } else if (b
                        == 0) { // JSON has none; in the first bytes it would make the parser guess UTF-16 or UTF-32
                    throw new ParseStop(Refusal.INVALID_JSON, "the body has zero bytes; send JSON in UTF-8", null);
                } else if (b == '\\' && i + 2 < body.length && body[i + 1] == 'u') {
                    surrogates |= (body[i + 2] | 0x20) == 'd';
                }
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
        if (!utf8(body)) {
            throw new ParseStop(Refusal.INVALID_JSON, "the body is not valid UTF-8", null);
        }
    }

    /** The table of well-formed byte sequences, 3-7 of the Unicode standard. */
    static boolean utf8(byte[] body) {
        int i = 0;
        while (i < body.length) {
            int lead = body[i] & 0xFF;
            if (lead < 0x80) {
                i++;
                continue;
            }
            int length = lead < 0xC2 || lead > 0xF4 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
            if (length == 0 || i + length > body.length) {
                return false;
            }
            int second = body[i + 1] & 0xFF;
            int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
            int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
            if (second < least || second > most) {
                return false;
            }
            for (int next = i + 2; next < i + length; next++) {
                if ((body[next] & 0xC0) != 0x80) {
                    return false;
                }
            }
            i += length;
        }
        return true;
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
