package io.sluice.tenants.key;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * What API keys, access tokens and webhook secrets look like: {@code gw_live_<id>_<secret>_<check>}, and {@code gwa_} or {@code gwh_} before the same.
 * The id finds the key without a search, the check lets a typing mistake or a scanner's find be told from a wrong key
 * without asking a store, and the prefix is what secret scanners look for. Every part has a fixed length. Pure.
 */
public enum KeyFormat {
    /** A key of an app for the data plane. */
    API_KEY("gw_live_"),
    /** A token for the management API. */
    ACCESS_TOKEN("gwa_"),
    /** A secret that signs events for a webhook. */
    WEBHOOK_SECRET("gwh_");

    /** Characters of the id: 60 random bits, so that a million ids meet with a probability of one in two million. */
    public static final int ID_CHARS = 12;

    /** Random bytes of the secret. */
    public static final int SECRET_BYTES = 32;

    /** Random bytes an id is made of. */
    public static final int ID_BYTES = 8;

    /** 62^43 is the first power above 2^256. */
    static final int SECRET_CHARS = 43;

    /** 62^6 is the first power above 2^32. */
    static final int CHECK_CHARS = 6;

    private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
    private static final String BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final boolean[] IN_BASE32 = places(BASE32);
    private static final boolean[] IN_BASE62 = places(BASE62);
    private static final BigInteger SIXTY_TWO = BigInteger.valueOf(62);

    private final String prefix;

    KeyFormat(String prefix) {
        this.prefix = prefix;
    }

    /**
     * A key taken apart.
     *
     * @param id public
     * @param secret what is hashed; never logged
     */
    public record Parts(String id, String secret) {
        @Override
        public String toString() {
            return "Parts[" + id + "]";
        }
    }

    /** The key made of random bytes: the first {@link #ID_BYTES} become the id, the next {@link #SECRET_BYTES} the secret. */
    public String make(byte[] random) {
        if (random.length != ID_BYTES + SECRET_BYTES) {
            throw new IllegalArgumentException("needs " + (ID_BYTES + SECRET_BYTES) + " random bytes");
        }
        StringBuilder id = new StringBuilder();
        long bits = new BigInteger(1, java.util.Arrays.copyOf(random, ID_BYTES)).longValue();
        for (int i = 0; i < ID_CHARS; i++) {
            id.append(BASE32.charAt((int) (bits >>> (5 * i)) & 31));
        }
        BigInteger secret = new BigInteger(1, java.util.Arrays.copyOfRange(random, ID_BYTES, random.length));
        String body = prefix + id + "_" + base62(secret, SECRET_CHARS);
        return body + "_" + check(body);
    }

    /** The parts of {@code text}; empty where it is not of this format or its check is wrong. */
    public Optional<Parts> parse(String text) {
        int idEnd = prefix.length() + ID_CHARS;
        int secretEnd = idEnd + 1 + SECRET_CHARS;
        if (text == null
                || text.length() != secretEnd + 1 + CHECK_CHARS
                || !text.startsWith(prefix)
                || text.charAt(idEnd) != '_'
                || text.charAt(secretEnd) != '_'
                || !allOf(IN_BASE32, text, prefix.length(), idEnd)
                || !allOf(IN_BASE62, text, idEnd + 1, secretEnd)
                || !checked(text, secretEnd)) {
            return Optional.empty();
        }
        return Optional.of(new Parts(text.substring(prefix.length(), idEnd), text.substring(idEnd + 1, secretEnd)));
    }

    /** What people may see of a key: prefix and id. */
    public String shown(String id) {
        return prefix + id;
    }

    private static boolean[] places(String alphabet) {
        boolean[] places = new boolean[128];
        alphabet.chars().forEach(c -> places[c] = true);
        return places;
    }

    private static boolean allOf(boolean[] alphabet, String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c >= alphabet.length || !alphabet[c]) {
                return false;
            }
        }
        return true;
    }

    private static String check(String body) {
        return base62(BigInteger.valueOf(crc(body.getBytes(StandardCharsets.US_ASCII), body.length())), CHECK_CHARS);
    }

    /** Whether the text ends with the check of its first {@code length} characters; without big numbers, for every request. */
    private static boolean checked(String text, int length) {
        long rest = crc(text.getBytes(StandardCharsets.US_ASCII), length);
        for (int i = text.length() - 1; i > length; i--) {
            if (text.charAt(i) != BASE62.charAt((int) (rest % 62))) {
                return false;
            }
            rest /= 62;
        }
        return true;
    }

    private static long crc(byte[] ascii, int length) {
        CRC32 crc = new CRC32();
        crc.update(ascii, 0, length);
        return crc.getValue();
    }

    private static String base62(BigInteger number, int chars) {
        char[] text = new char[chars];
        BigInteger rest = number;
        for (int i = chars - 1; i >= 0; i--) {
            BigInteger[] step = rest.divideAndRemainder(SIXTY_TWO);
            text[i] = BASE62.charAt(step[1].intValue());
            rest = step[0];
        }
        return new String(text);
    }
}
