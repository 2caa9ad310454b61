package io.sluice.tenants.shift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.tenants.ScopedId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShiftStateTest {
    private static final ScopedId POOL = ScopedId.platform("pool");

    private static ShiftState at(ShiftPhase phase, int step) {
        return new ShiftState(7, phase, step, 1_000, "second", List.of(), "why", 100, 0, Map.of());
    }

    @Test
    void theSubstituteClimbsByTheStepsWhileShifting() {
        List<Double> shares = List.of(0.01, 0.05, 0.10, 0.25, 0.50);
        for (int step = 0; step < shares.size(); step++) {
            assertThat(at(ShiftPhase.SHIFTING, step).share()).isEqualTo(shares.get(step));
        }
        assertThat(at(ShiftPhase.HOLDING, 5).share()).isEqualTo(1);
    }

    @Test
    void theFirstRungClimbsByTheSameStepsWhileReturning() {
        List<Double> shares = List.of(0.99, 0.95, 0.90, 0.75, 0.50);
        for (int step = 0; step < shares.size(); step++) {
            assertThat(at(ShiftPhase.RETURNING, step).share()).isCloseTo(shares.get(step), within(1e-12));
        }
    }

    @Test
    void nothingIsShiftedInTheOtherPhases() {
        assertThat(at(ShiftPhase.OFF, 0).share()).isZero();
        assertThat(at(ShiftPhase.EVALUATING, 0).share()).isZero();
        assertThat(at(ShiftPhase.RESTING, 0).share()).isZero();
    }

    @Test
    void whoGoesOnFromAStateBeginsItsTimesAnewAndIsNewerThanWhatNodesHave() {
        ShiftState resumed = at(ShiftPhase.SHIFTING, 3).resumed(9, 5_000);
        assertThat(resumed.version()).isEqualTo(10);
        assertThat(resumed.sinceMs()).isEqualTo(5_000);
        assertThat(resumed.share()).isEqualTo(0.25);
    }

    @Test
    void aTargetThatIsNotSlowedHasAllItsWeight() {
        ShiftState slowed = at(ShiftPhase.OFF, 0).slowing(Map.of(POOL, Map.of("p/m", new Slowdown(0.3, 9))));
        assertThat(slowed.version()).isEqualTo(8);
        assertThat(slowed.weight(POOL, "p/m")).isEqualTo(0.3);
        assertThat(slowed.weight(POOL, "p/other")).isEqualTo(1);
        assertThat(slowed.weight(ScopedId.platform("other"), "p/m")).isEqualTo(1);
        assertThat(slowed.slowing(slowed.slowed())).isSameAs(slowed);
    }

    @Test
    void noShiftHasNoSubstitute() {
        assertThatThrownBy(() -> new ShiftState(1, ShiftPhase.HOLDING, 5, 0, null, List.of(), "why", 0, 0, Map.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
