package io.sluice.tenants.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DrillTallyTest {
    @Test
    void talliesOfOneRunAddUpRungByRung() {
        DrillTally failed =
                tally(0, rung("light", 0, Map.of(FailureClass.RATE_LIMITED, 2L)), rung("text", 1, Map.of()));
        DrillTally sum = tally(0, rung("light", 1, Map.of())).plus(failed).plus(tally(1));
        assertThat(sum.requests()).isEqualTo(3);
        assertThat(sum.passedOver()).isEqualTo(1);
        assertThat(sum.rungs())
                .containsExactly(
                        new RungTally(
                                "light",
                                2,
                                1,
                                Map.of(FailureClass.RATE_LIMITED, 2L),
                                LatencyHistogram.of(new long[] {2}),
                                new Money(10)),
                        rung("text", 1, Map.of()));
    }

    private static RungTally rung(String step, long answered, Map<FailureClass, Long> failures) {
        return new RungTally(step, 1, answered, failures, LatencyHistogram.of(new long[] {1}), new Money(5));
    }

    private static DrillTally tally(long passedOver, RungTally... rungs) {
        return new DrillTally(
                new TenantId("acme"),
                "monthly",
                "chat",
                "light",
                Instant.EPOCH,
                Instant.EPOCH.plusSeconds(60),
                1,
                1,
                1,
                passedOver,
                List.of(rungs));
    }
}
