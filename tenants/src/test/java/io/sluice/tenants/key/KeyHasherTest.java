package io.sluice.tenants.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeyHasherTest {
    /** Test case 2 of RFC 4231. */
    @Test
    void isHmacSha256() {
        KeyHasher hasher = new KeyHasher("Jefe".getBytes(StandardCharsets.US_ASCII));
        assertThat(hasher.hex("what do ya want for nothing?"))
                .isEqualTo("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    @Test
    void recognizesTheSecretAndNoOther() {
        KeyHasher hasher = new KeyHasher(new byte[] {1});
        byte[] hash = hasher.hash("right");
        assertThat(hasher.matches("right", hash)).isTrue();
        assertThat(hasher.matches("wrong", hash)).isFalse();
    }

    @Test
    void anotherServerHasAnotherHash() {
        assertThat(new KeyHasher(new byte[] {1}).hex("x")).isNotEqualTo(new KeyHasher(new byte[] {2}).hex("x"));
    }
}
