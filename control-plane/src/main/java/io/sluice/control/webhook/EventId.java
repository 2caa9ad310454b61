package io.sluice.control.webhook;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names events by what they say, so that one that is made again after a crash has the same name. Pure. */
final class EventId {
    private EventId() {}

    /** {@code evt_} and 128 bits of a SHA-256 in hex. */
    static String of(String... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = digest.digest(String.join("\n", parts).getBytes(StandardCharsets.UTF_8));
            return "evt_" + HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException everyPlatformMustHaveIt) {
            throw new IllegalStateException(everyPlatformMustHaveIt);
        }
    }
}
