package io.sluice.tenants.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Requirement A1, row by row. */
class FailureClassTest {
    @ParameterizedTest
    @CsvSource({
        // class, repeats of the same target, another may help, lowers health, breaker, alerts, told when last
        "NETWORK,             2, true,  true,  COUNT, false, UPSTREAM_FAILED",
        "UPSTREAM_INTERNAL,   1, true,  true,  COUNT, false, UPSTREAM_FAILED",
        "OUT_OF_MEMORY,       0, true,  true,  OPEN,  true,  UPSTREAM_FAILED",
        "RATE_LIMITED,        0, true,  true,  COUNT, false, NO_HEALTHY_TARGET",
        "QUOTA_EXHAUSTED,     0, true,  true,  OPEN,  true,  UPSTREAM_FAILED",
        "CONTEXT_LENGTH,      0, true,  false, NONE,  false, CONTEXT_LENGTH_EXCEEDED",
        "CONTENT_FILTER,      0, false, false, NONE,  false, CONTENT_FILTER",
        "BAD_REQUEST,         0, false, false, NONE,  false, INVALID_REQUEST",
        "AUTH,                0, true,  true,  COUNT, true,  UPSTREAM_FAILED",
        "OVERLOADED,          0, true,  true,  COUNT, false, NO_HEALTHY_TARGET",
        "TIMEOUT_FIRST_TOKEN, 0, true,  true,  COUNT, false, DEADLINE_EXCEEDED",
        "TIMEOUT_TOTAL,       0, true,  true,  COUNT, false, DEADLINE_EXCEEDED",
        "SEMANTIC,            0, true,  true,  NONE,  false, UPSTREAM_FAILED",
        "CANCELLED,           0, false, false, NONE,  false, UPSTREAM_FAILED"
    })
    void theClassAloneDecides(
            FailureClass failure,
            int repeats,
            boolean otherMayHelp,
            boolean lowersHealth,
            BreakerEffect breaker,
            boolean alerts,
            Refusal whenLast) {
        assertThat(failure.sameTargetRetriesMax()).isEqualTo(repeats);
        assertThat(failure.otherTargetMayHelp()).isEqualTo(otherMayHelp);
        assertThat(failure.lowersHealth()).isEqualTo(lowersHealth);
        assertThat(failure.breaker()).isEqualTo(breaker);
        assertThat(failure.alerts()).isEqualTo(alerts);
        assertThat(failure.whenLast()).isEqualTo(whenLast);
    }

    @Test
    void theTableHasTheFourteenClassesOfTheRequirement() {
        assertThat(FailureClass.values()).hasSize(14);
    }

    @ParameterizedTest
    @EnumSource(FailureClass.class)
    void theCallersOwnMistakesNeverHurtATarget(FailureClass failure) {
        EnumSet<FailureClass> callers = EnumSet.of(
                FailureClass.CONTEXT_LENGTH,
                FailureClass.CONTENT_FILTER,
                FailureClass.BAD_REQUEST,
                FailureClass.CANCELLED);
        assertThat(failure.lowersHealth()).isEqualTo(!callers.contains(failure));
        assertThat(failure.breaker() == BreakerEffect.NONE)
                .isEqualTo(callers.contains(failure) || failure == FailureClass.SEMANTIC);
    }

    @ParameterizedTest
    @EnumSource(FailureClass.class)
    void noUpstreamFailureIsShownAsTheCallersWrongKey(FailureClass failure) {
        assertThat(failure.whenLast().status()).isNotIn(401, 402, 403);
    }
}
