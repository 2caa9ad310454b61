package io.sluice.tenants.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFormatTest {
    private static byte[] bits(long seed) {
        byte[] bits = new byte[KeyFormat.ID_BYTES + KeyFormat.SECRET_BYTES];
        new SplittableRandom(seed).nextBytes(bits);
        return bits;
    }

    @ParameterizedTest
    @EnumSource(KeyFormat.class)
    void readsBackWhatItMade(KeyFormat format) {
        for (long seed = 0; seed < 1_000; seed++) {
            String key = format.make(bits(seed));
            KeyFormat.Parts parts = format.parse(key).orElseThrow();
            assertThat(key).as("seed %d", seed).startsWith(format.shown(parts.id()) + "_" + parts.secret() + "_");
        }
    }

    @Test
    void hasTheWrittenForm() {
        assertThat(KeyFormat.API_KEY.make(bits(1))).matches("gw_live_[a-z2-7]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}");
        assertThat(KeyFormat.ACCESS_TOKEN.make(bits(1))).matches("gwa_[a-z2-7]{12}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}");
    }

    @Test
    void keepsItsLengthForTheSmallestAndTheLargestSecret() {
        byte[] ones = new byte[40];
        Arrays.fill(ones, (byte) 0xff);
        assertThat(KeyFormat.API_KEY.make(ones)).hasSameSizeAs(KeyFormat.API_KEY.make(new byte[40]));
    }

    @Test
    void everyChangedCharacterShows() {
        String key = KeyFormat.API_KEY.make(bits(2));
        for (int i = 0; i < key.length(); i++) {
            char other = key.charAt(i) == 'a' ? 'b' : 'a';
            String changed = key.substring(0, i) + other + key.substring(i + 1);
            assertThat(KeyFormat.API_KEY.parse(changed)).as("at %d", i).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gw_live_", "gw_live_abc_def_ghi", "Bearer x", "gwa_"})
    void isEmptyForAnythingElse(String text) {
        assertThat(KeyFormat.API_KEY.parse(text)).isEmpty();
    }

    @Test
    void isEmptyForNothing() {
        assertThat(KeyFormat.API_KEY.parse(null)).isEmpty();
    }

    @Test
    void oneKindIsNotTheOther() {
        assertThat(KeyFormat.ACCESS_TOKEN.parse(KeyFormat.API_KEY.make(bits(3))))
                .isEmpty();
    }

    @Test
    void differentBitsMakeDifferentIds() {
        Set<String> ids = new HashSet<>();
        for (long seed = 0; seed < 10_000; seed++) {
            ids.add(KeyFormat.API_KEY
                    .parse(KeyFormat.API_KEY.make(bits(seed)))
                    .orElseThrow()
                    .id());
        }
        assertThat(ids).hasSize(10_000);
    }

    @Test
    void wantsAllItsBits() {
        assertThatThrownBy(() -> KeyFormat.API_KEY.make(new byte[39])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void thePartsDoNotShowTheSecret() {
        KeyFormat.Parts parts =
                KeyFormat.API_KEY.parse(KeyFormat.API_KEY.make(bits(4))).orElseThrow();
        assertThat(parts.toString()).doesNotContain(parts.secret());
    }
}
