package io.sluice.tenants.limit;

import static io.sluice.tenants.limit.TokenEstimate.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenEstimateTest {
    private static final int NO_LIMIT = Integer.MAX_VALUE;

    @Test
    void aCallerWhoSaysHowLongAnAnswerMayBeIsTakenAtItsWord() {
        assertThat(TokenEstimate.of(33, 1, 100, 4_096, UNKNOWN, 100)).isEqualTo(133);
    }

    @Test
    void everyChoiceIsAnAnswer() {
        assertThat(TokenEstimate.of(10, 3, 100, 4_096, 5, NO_LIMIT)).isEqualTo(310);
    }

    @Test
    void noModelAnswersMoreThanItCan() {
        assertThat(TokenEstimate.of(10, 1, 100_000, 4_096, UNKNOWN, NO_LIMIT)).isEqualTo(4_106);
    }

    @Test
    void withoutALengthTheUsualOneIsExpected() {
        assertThat(TokenEstimate.of(10, 1, 0, 4_096, 200, NO_LIMIT)).isEqualTo(210);
    }

    @Test
    void beforeTheFirstAnswerTheUsualLengthOfAnyAnswerIsExpected() {
        assertThat(TokenEstimate.of(10, 1, 0, 4_096, UNKNOWN, NO_LIMIT)).isEqualTo(1_034);
    }

    @Test
    void withoutALengthTheAnswerIsExpectedToFitTheLimit() {
        assertThat(TokenEstimate.of(10, 1, 0, 4_096, UNKNOWN, 100)).isEqualTo(100);
    }

    @Test
    void aPromptDoesNotShrink() {
        assertThat(TokenEstimate.of(133, 1, 0, 4_096, UNKNOWN, 100)).isEqualTo(133);
    }

    @Test
    void theUsualLengthRisesAtOnceAndFallsSlowly() {
        assertThat(TokenEstimate.usualAfter(UNKNOWN, 80)).isEqualTo(80);
        assertThat(TokenEstimate.usualAfter(80, 800)).isEqualTo(800);
        assertThat(TokenEstimate.usualAfter(800, 0)).isEqualTo(700);
        assertThat(TokenEstimate.usualAfter(1, 0)).isZero();
    }
}
