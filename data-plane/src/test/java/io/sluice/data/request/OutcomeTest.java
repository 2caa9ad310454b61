package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.failure.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomeTest {
    private static final Stop STOP = Stop.of(Refusal.INVALID_REQUEST, "no", "model");

    @Test
    void stepsFollowEachOther() {
        List<Object> seen = new ArrayList<>();

        Outcome.go(2).then(n -> Outcome.go("x".repeat(n))).fold(seen::add, seen::add);

        assertThat(seen).containsExactly("xx");
    }

    @Test
    void nothingFollowsAHalt() {
        List<Object> seen = new ArrayList<>();

        Outcome.<Integer>halt(STOP)
                .then(n -> {
                    seen.add("went on");
                    return Outcome.go(n);
                })
                .fold(seen::add, seen::add);

        assertThat(seen).containsExactly(STOP);
    }

    @Test
    void anEchoShowsOnlyPrintableCharactersAndNotTooMany() {
        assertThat(ScenarioStep.echo("chat")).isEqualTo("chat");
        assertThat(ScenarioStep.echo("a\"b\\c\r\nd\u001b[31m\u00e4\u202e\ud83d\ude00"))
                .isEqualTo("a?b?c??d?[31m???");
        assertThat(ScenarioStep.echo("x".repeat(500))).isEqualTo("x".repeat(64));
        assertThat(ScenarioStep.echo("")).isEmpty();
    }

    @Test
    void aStopSaysWhetherARepeatHelps() {
        assertThat(STOP.retryable()).isFalse();
        assertThat(Stop.of(Refusal.INTERNAL, "", null).retryable()).isFalse();
        assertThat(Stop.of(Refusal.UPSTREAM_FAILED, "", null).retryable()).isTrue();
        assertThat(Stop.later(Refusal.NO_HEALTHY_TARGET, "", 1_500).retryAfterMs())
                .isEqualTo(1_500);
    }
}
