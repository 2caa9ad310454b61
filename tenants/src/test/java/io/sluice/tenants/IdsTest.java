package io.sluice.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdsTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "7", "acme", "org/name:tag", "gpt-4.1@2026", "a+b_c", "A.B"})
    void takesNamesAsProvidersWriteThem(String id) {
        assertThat(Ids.valid(id)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-a",
                "/a",
                ".a",
                "a b",
                "a\nb",
                "a\n",
                "a..b",
                "../x",
                "a//b",
                "a|b",
                "ä",
                "a\u0000",
                "__proto__",
                "a\u202eb",
                "é",
                "👍",
                "a\\b",
                "a%2fb",
                "a?b",
                "a#b"
            })
    void refusesWhatCouldBeReadInTwoWays(String id) {
        assertThat(Ids.valid(id)).isFalse();
    }

    @Test
    void refusesNull() {
        assertThat(Ids.valid(null)).isFalse();
    }

    @Test
    void takes128CharactersAndNotOneMore() {
        assertThat(Ids.valid("a".repeat(128))).isTrue();
        assertThat(Ids.valid("a".repeat(129))).isFalse();
    }

    @Test
    void requireSaysWhatIsWrongWithoutQuotingIt() {
        assertThatThrownBy(() -> Ids.require("tenant id", "<script>"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tenant id must be " + Ids.RULE);
    }

    @Test
    void aTenantIdIsCheckedWhereverItComesFrom() {
        assertThatThrownBy(() -> new TenantId("a b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aScopedKeyTellsOwnersApart() {
        assertThat(ScopedId.platform("m").key()).isEqualTo("|m");
        assertThat(new ScopedId(new TenantId("t"), "m").key()).isEqualTo("t|m");
        assertThat(ScopedId.platform("m").ofPlatform()).isTrue();
    }

    @Test
    void noTwoScopedIdsHaveTheSameKey() {
        Seeds.check(2_000, random -> {
            String[] alphabet = {"a", "b", "a/b", "a:b", "b/a"};
            ScopedId one =
                    scoped(random.nextInt(3) == 0 ? null : alphabet[random.nextInt(5)], alphabet[random.nextInt(5)]);
            ScopedId two =
                    scoped(random.nextInt(3) == 0 ? null : alphabet[random.nextInt(5)], alphabet[random.nextInt(5)]);
            assertThat(one.key().equals(two.key())).isEqualTo(one.equals(two));
            assertThat(ScopedId.ofKey(one.key())).isEqualTo(one);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "|", "m", "a|", "a b|m", "|a|b", "||m"})
    void aKeyOfAnotherFormIsRefused(String key) {
        assertThatThrownBy(() -> ScopedId.ofKey(key)).isInstanceOf(IllegalArgumentException.class);
    }

    private static ScopedId scoped(String tenant, String id) {
        return new ScopedId(tenant == null ? null : new TenantId(tenant), id);
    }
}
