package io.sluice.tenants.key;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA-256 of secrets under the server's own secret: a stolen store does not show which key a guess would be. Fit for
 * secrets of 256 random bits only, which need no slow hash. Thread-safe: each thread has a {@link Mac} of its own.
 */
public final class KeyHasher {
    private static final String ALGORITHM = "HmacSHA256";

    private final ThreadLocal<Mac> mac;

    /** Under {@code serverSecret}, which is copied. */
    public KeyHasher(byte[] serverSecret) {
        SecretKeySpec key = new SecretKeySpec(serverSecret, ALGORITHM);
        mac = ThreadLocal.withInitial(() -> macOf(key));
    }

    private static Mac macOf(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException everyPlatformMustHaveIt) {
            throw new IllegalStateException(everyPlatformMustHaveIt);
        }
    }

    /** The 32 bytes for {@code secret}. */
    public byte[] hash(String secret) {
        return mac.get().doFinal(secret.getBytes(StandardCharsets.UTF_8));
    }

    /** {@link #hash} in lower-case hex, as it is stored. */
    public String hex(String secret) {
        return HexFormat.of().formatHex(hash(secret));
    }

    /** Whether {@code secret} has that hash; takes the same time whatever the difference. */
    public boolean matches(String secret, byte[] hash) {
        return MessageDigest.isEqual(hash(secret), hash);
    }
}
