package io.sluice.control.spend;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hash chain of statements: each hash covers the one before and every member of the entry. Pure. */
final class StatementChain {
    /** What stands before a tenant's first entry. */
    static final String START = "0".repeat(64);

    private StatementChain() {}

    /** SHA-256 over the hash before and the members; each is preceded by its length, so that none can slide. */
    static String hash(String before, long no, String... members) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(before.getBytes(StandardCharsets.US_ASCII));
            digest.update((no + ":").getBytes(StandardCharsets.US_ASCII));
            for (String member : members) {
                byte[] bytes = member.getBytes(StandardCharsets.UTF_8);
                digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
                digest.update(bytes);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException everyPlatformMustHaveIt) {
            throw new IllegalStateException(everyPlatformMustHaveIt);
        }
    }
}
