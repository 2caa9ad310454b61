package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShareTest {
    @Test
    void oneOfNoneIsTooMuchOnlyWhereNothingMayBe() {
        assertThat(new Share(100, 0).notAbove(0)).isTrue();
        assertThat(new Share(100, 1).notAbove(0)).isFalse();
        assertThat(new Share(100, 100).notAbove(1)).isTrue();
        assertThat(new Share(100, 99).notBelow(1)).isFalse();
        assertThat(new Share(0, 0).notAbove(0.5)).isTrue();
    }

    /** Of ten thousand at a quarter, five deviations are 217. */
    @Test
    void aCountOfManyIsAllowedWithinFiveDeviations() {
        assertThat(new Share(10_000, 2_700).notAbove(0.25)).isTrue();
        assertThat(new Share(10_000, 2_730).notAbove(0.25)).isFalse();
        assertThat(new Share(10_000, 2_300).notBelow(0.25)).isTrue();
        assertThat(new Share(10_000, 2_270).notBelow(0.25)).isFalse();
    }

    /** Chances of a Poisson distribution with mean 3: 15 or more 6.7e-7, 16 or more 1.3e-7. */
    @Test
    void aFewOfAHundredthAreCountedExactly() {
        assertThat(new Share(30_000, 15).notAbove(0.0001)).isTrue();
        assertThat(new Share(30_000, 16).notAbove(0.0001)).isFalse();
    }
}
