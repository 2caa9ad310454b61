package io.sluice.control.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Proves to a receiver that an event is ours and new: HMAC-SHA-256 over timestamp, dot and body. Pure. */
final class WebhookSignature {
    private WebhookSignature() {}

    /** The time as it is signed and sent: whole seconds since 1970. */
    static String timestamp(Instant now) {
        return Long.toString(now.getEpochSecond());
    }

    /** {@code v1=} and lower-case hex. */
    static String of(String secret, String timestamp, String body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return "v1="
                    + HexFormat.of().formatHex(mac.doFinal((timestamp + "." + body).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException everyPlatformMustHaveIt) {
            throw new IllegalStateException(everyPlatformMustHaveIt);
        }
    }
}
