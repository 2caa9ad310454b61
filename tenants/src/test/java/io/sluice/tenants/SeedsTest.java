package io.sluice.tenants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SeedsTest {
    @Test
    void namesTheSeedOfAFailure() {
        assertThatThrownBy(() -> Seeds.check(
                        100, random -> assertThat(random.nextInt(10)).isLessThan(9)))
                .isInstanceOf(AssertionError.class)
                .hasMessageMatching("(?s)broken with seed \\d+: .*");
    }
}
