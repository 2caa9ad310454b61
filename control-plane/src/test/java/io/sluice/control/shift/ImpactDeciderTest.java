package io.sluice.control.shift;

import static io.sluice.control.shift.FiguresGiven.figures;
import static io.sluice.control.shift.FiguresGiven.usable;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.shift.ImpactDecider.Verdict;
import io.sluice.tenants.config.ShiftSetting.Impact;
import org.junit.jupiter.api.Test;

class ImpactDeciderTest {
    private static final Impact TABLE = new Impact("second", 2, 0.05, 0.15);

    private static Verdict verdict(Figures recent) {
        return ImpactDecider.decide(recent, 1_000, TABLE).verdict();
    }

    @Test
    void ofFewCallsNothingIsKnown() {
        assertThat(verdict(Figures.NONE)).isEqualTo(Verdict.UNKNOWN);
        assertThat(verdict(usable(4, 9_000))).isEqualTo(Verdict.UNKNOWN);
        assertThat(verdict(figures(0, 2, 0, 0))).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void threeFailedCallsAreEnoughToBeWorse() {
        assertThat(verdict(figures(1, 3, 0, 10))).isEqualTo(Verdict.WORSE);
        assertThat(verdict(figures(57, 3, 0, 10))).isEqualTo(Verdict.GOOD);
        assertThat(verdict(figures(56, 3, 0, 10))).isEqualTo(Verdict.WORSE);
    }

    @Test
    void uselessAnswersCountByTheirOwnLimit() {
        assertThat(verdict(figures(17, 0, 3, 10))).isEqualTo(Verdict.GOOD);
        assertThat(verdict(figures(16, 0, 3, 10))).isEqualTo(Verdict.WORSE);
    }

    @Test
    void fewCallsAreWorseWhereHalfOfThemAreTooSlow() {
        assertThat(verdict(usable(3, 500).plus(usable(2, 9_000)))).isEqualTo(Verdict.GOOD);
        assertThat(verdict(usable(2, 500).plus(usable(3, 9_000)))).isEqualTo(Verdict.WORSE);
    }

    @Test
    void manyCallsAreWorseWhereTheirP95IsTooSlow() {
        assertThat(verdict(usable(95, 500).plus(usable(5, 9_000)))).isEqualTo(Verdict.GOOD);
        assertThat(verdict(usable(94, 500).plus(usable(6, 9_000)))).isEqualTo(Verdict.WORSE);
        assertThat(verdict(usable(100, 1_900))).isEqualTo(Verdict.GOOD);
    }

    @Test
    void latencyDoesNotCountBeforeItIsKnownWhatIsUsual() {
        assertThat(ImpactDecider.decide(usable(100, 60_000), 0, TABLE).verdict())
                .isEqualTo(Verdict.GOOD);
    }

    @Test
    void theVerdictIsExplainedWithItsFigures() {
        assertThat(ImpactDecider.decide(figures(15, 5, 0, 10), 1_000, TABLE).why())
                .isEqualTo("25.0 % of its calls fail, and 5.0 % may");
    }
}
