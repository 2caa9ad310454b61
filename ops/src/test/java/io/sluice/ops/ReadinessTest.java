package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ops.Readiness.Step;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private final Readiness readiness = new Readiness();

    @Test
    void namesTheFirstStepThatIsMissing() {
        readiness.done(Step.CONTROL_PLANE);
        readiness.done(Step.WARM);

        assertThat(readiness.obstacle()).hasValue("the data plane does not listen yet");
    }

    @Test
    void isReadyWhenAllIsDone() {
        allDone();

        assertThat(readiness.obstacle()).isEmpty();
    }

    @Test
    void believesTheDataPlane() {
        allDone();
        readiness.serving(() -> "no configuration yet");

        assertThat(readiness.obstacle()).hasValue("no configuration yet");
    }

    @Test
    void isNotReadyWhileItDrains() {
        allDone();
        readiness.drain();

        assertThat(readiness.obstacle()).hasValue("draining");
    }

    private void allDone() {
        for (Step step : Step.values()) {
            readiness.done(step);
        }
    }
}
