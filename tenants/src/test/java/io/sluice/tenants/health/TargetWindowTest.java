package io.sluice.tenants.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.failure.FailureClass;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TargetWindowTest {
    @Test
    void onlyFailuresOfTheTargetItselfAreUnusable() {
        TargetWindow window = new TargetWindow(
                "p/m",
                7,
                Map.of(
                        FailureClass.NETWORK, 2L,
                        FailureClass.SEMANTIC, 3L,
                        FailureClass.BAD_REQUEST, 100L,
                        FailureClass.CANCELLED, 100L,
                        FailureClass.CONTEXT_LENGTH, 100L,
                        FailureClass.CONTENT_FILTER, 100L),
                LatencyHistogram.EMPTY,
                LatencyHistogram.EMPTY,
                0,
                TargetState.SERVING,
                1);
        assertThat(window.unusable()).isEqualTo(5);
    }
}
