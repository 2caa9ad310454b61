package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.failure.FailureClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LocalHealthTest {
    private static LocalHealth after(LocalHealth start, FailureClass failure, int calls) {
        LocalHealth health = start;
        for (int i = 0; i < calls; i++) {
            health = health.next(failure);
        }
        return health;
    }

    @Test
    void tenBadCallsBringATargetToItsFloor() {
        assertThat(after(LocalHealth.FULL, FailureClass.NETWORK, 10).factor()).isEqualTo(LocalHealth.FACTOR_MIN);
    }

    @Test
    void neverLeavesATargetOutForGood() {
        assertThat(after(LocalHealth.FULL, FailureClass.NETWORK, 10_000).factor())
                .isEqualTo(LocalHealth.FACTOR_MIN);
    }

    @Test
    void risesInSmallStepsAndReachesTheFullWeight() {
        LocalHealth health = LocalHealth.RECOVERING;
        for (int i = 0; i < 40; i++) {
            LocalHealth next = health.next(null);
            assertThat(next.factor()).isBetween(health.factor(), health.factor() + 0.2);
            health = next;
        }
        assertThat(health.factor()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(FailureClass.class)
    void onlyFailuresOfTheTargetReduceIt(FailureClass failure) {
        assertThat(LocalHealth.FULL.next(failure).factor() < 1).isEqualTo(failure.lowersHealth());
    }
}
