package io.sluice.control.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class WebhookSignatureTest {
    /** Reckoned with OpenSSL: {@code printf '1764504000.{}' | openssl dgst -sha256 -hmac 'a secret of finance'}. */
    @Test
    void timestampAndBodyAreSignedTogether() {
        String timestamp = WebhookSignature.timestamp(Instant.parse("2025-11-30T12:00:00.9Z"));
        assertThat(timestamp).isEqualTo("1764504000");
        assertThat(WebhookSignature.of("a secret of finance", timestamp, "{}"))
                .isEqualTo("v1=09372798977232585b0212d477f7d40559f53631994e6cbd7cd126c3b72576e6");
    }
}
