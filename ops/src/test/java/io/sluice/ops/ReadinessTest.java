package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ops.Readiness.Step;
import io.sluice.tenants.NodeRole;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private Readiness readiness = new Readiness(Set.of(NodeRole.values()));

    @Test
    void namesTheFirstStepThatIsMissing() {
        readiness.done(Step.STORES);
        readiness.done(Step.WARM);

        assertThat(readiness.obstacle()).hasValue("the data plane does not listen yet");
    }

    @Test
    void isReadyWhenAllIsDone() {
        allDone();

        assertThat(readiness.obstacle()).isEmpty();
    }

    @Test
    void waitsForNoDataPlaneOnANodeThatHasNone() {
        readiness = new Readiness(Set.of(NodeRole.CONTROL));
        readiness.done(Step.STORES);
        assertThat(readiness.obstacle()).hasValue("the configuration is not served yet");

        readiness.done(Step.CONFIGURATION);

        assertThat(readiness.obstacle()).isEmpty();
    }

    @Test
    void isNotReadyForAppsBeforeItIsWarm() {
        readiness = new Readiness(Set.of(NodeRole.DATA));
        readiness.done(Step.STORES);
        readiness.serving(() -> null);
        readiness.done(Step.CONFIGURATION);

        assertThat(readiness.obstacle()).hasValue("the request path is warming up");
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
