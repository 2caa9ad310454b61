package io.sluice.plugins.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.failure.Refusal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BodyTextPropertyTest {
    private static final int[] BYTES = {
        0x00, 'a', '"', 0x5B, 0x5D, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED,
        0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF
    };

    @Test
    void takesTheSameBytesForUtf8AsTheJdk() {
        Seeds.check(200_000, random -> {
            byte[] body = new byte[1 + random.nextInt(6)];
            for (int i = 0; i < body.length; i++) {
                body[i] = (byte) BYTES[random.nextInt(BYTES.length)];
            }
            assertThat(BodyText.utf8(body)).isEqualTo(jdk(body));
        });
    }

    @Test
    void findsAWrongByteWhereverItStands() {
        for (int length = 1; length < 40; length++) {
            for (int at = 0; at < length; at++) {
                for (int wrong : new int[] {0, 0xFF, 0xC3}) {
                    byte[] body = "x".repeat(length).getBytes(StandardCharsets.UTF_8);
                    body[at] = (byte) wrong;
                    assertThat(refused(body))
                            .as("%s of %s: %s", at, length, wrong)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void findsHalfASurrogatePairWhereverItStands() {
        for (int before = 0; before < 20; before++) {
            String pair = "x".repeat(before) + "\\ud83d\\ude00" + "y".repeat(20 - before);
            assertThat(refused(pair.getBytes(StandardCharsets.UTF_8))).isFalse();
            assertThat(refused(pair.replace("\\ude00", "").getBytes(StandardCharsets.UTF_8)))
                    .isTrue();
        }
    }

    private static boolean refused(byte[] body) {
        try {
            BodyText.check(body);
            return false;
        } catch (ParseStop stop) {
            assertThat(stop.refused().refusal()).isEqualTo(Refusal.INVALID_JSON);
            return true;
        }
    }

    private static boolean jdk(byte[] body) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }
}
