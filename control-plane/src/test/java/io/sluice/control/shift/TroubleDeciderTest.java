package io.sluice.control.shift;

import static io.sluice.control.shift.FiguresGiven.figures;
import static io.sluice.control.shift.FiguresGiven.usable;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.shift.Trouble;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TroubleDeciderTest {
    private static final TroubleLimits LIMITS = TroubleLimits.DEFAULT;
    private static final double BASELINE = usable(1, 1_000).p95Ms();
    private static final Figures USUAL = usable(20, 1_000);

    private static TroubleInput input(List<Figures> samples, Double resources) {
        Figures recent = samples.stream().reduce(Figures.NONE, Figures::plus);
        return new TroubleInput(samples, 5, recent, BASELINE, resources);
    }

    private static List<Trouble> decide(List<Figures> samples) {
        return TroubleDecider.decide(input(samples, null), LIMITS);
    }

    private static List<Figures> five(Figures each) {
        return Collections.nCopies(5, each);
    }

    @Test
    void whatIsUsualIsNoTrouble() {
        assertThat(decide(five(USUAL))).isEmpty();
        assertThat(TroubleDecider.well(input(five(USUAL), null), LIMITS)).isTrue();
    }

    @Test
    void fiveSlowSamplesInARowAreATroubleFourAreNot() {
        Figures slow = usable(20, 2_100);
        assertThat(slow.p95Ms()).isGreaterThan(1.8 * BASELINE);
        assertThat(decide(five(slow))).containsExactly(Trouble.LATENCY);
        assertThat(decide(List.of(slow, slow, slow, slow))).isEmpty();
        assertThat(decide(List.of(slow, slow, USUAL, slow, slow))).isEmpty();
    }

    @Test
    void exactlyOneAndEightTenthsOfTheUsualIsNotSlow() {
        assertThat(LIMITS.slow(1_800, 1_000)).isFalse();
        assertThat(LIMITS.slow(1_800.1, 1_000)).isTrue();
    }

    @Test
    void lessThanATenthOfASecondMoreIsNotSlow() {
        assertThat(LIMITS.slow(109, 10)).isFalse();
        assertThat(LIMITS.slow(111, 10)).isTrue();
    }

    @Test
    void nothingIsSlowBeforeItIsKnownWhatIsUsual() {
        assertThat(LIMITS.slow(60_000, 0)).isFalse();
    }

    @Test
    void aSampleOfFourCallsSaysNothing() {
        assertThat(decide(five(usable(4, 9_000)))).isEmpty();
        assertThat(decide(five(usable(5, 9_000)))).containsExactly(Trouble.LATENCY);
    }

    @Test
    void tenFailedCallsOfMoreThanFivePercentAreATrouble() {
        assertThat(decide(List.of(figures(189, 10, 0, 1_000)))).containsExactly(Trouble.ERRORS);
        assertThat(decide(List.of(figures(190, 10, 0, 1_000)))).isEmpty();
        assertThat(decide(List.of(figures(0, 9, 0, 1_000)))).isEmpty();
    }

    @Test
    void moreThanFifteenPercentUselessAnswersAreATrouble() {
        assertThat(decide(List.of(figures(84, 0, 16, 1_000)))).containsExactly(Trouble.QUALITY);
        assertThat(decide(List.of(figures(85, 0, 15, 1_000)))).isEmpty();
    }

    @Test
    void resourcesAreATroubleOnlyWhereSomebodyReportsThem() {
        assertThat(TroubleDecider.decide(input(five(USUAL), 0.91), LIMITS)).containsExactly(Trouble.RESOURCES);
        assertThat(TroubleDecider.decide(input(five(USUAL), 0.9), LIMITS)).isEmpty();
        assertThat(TroubleDecider.decide(input(five(USUAL), null), LIMITS)).isEmpty();
    }

    @Test
    void itIsNotKnownToBeWellWithoutCalls() {
        assertThat(TroubleDecider.well(input(five(Figures.NONE), null), LIMITS)).isFalse();
        assertThat(TroubleDecider.well(input(List.of(USUAL, USUAL), null), LIMITS))
                .isFalse();
    }

    @Test
    void itIsNotWellWhileAFewOfItsCallsFail() {
        assertThat(TroubleDecider.well(input(five(figures(9, 1, 0, 1_000)), null), LIMITS))
                .isFalse();
    }
}
