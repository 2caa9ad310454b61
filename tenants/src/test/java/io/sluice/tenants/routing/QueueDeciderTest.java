package io.sluice.tenants.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.config.Lane;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueDeciderTest {
    @ParameterizedTest
    @CsvSource({
        // lane, left, least, max, waited, allowed
        "REALTIME, 10000, 200, 250,   0, 250",
        "REALTIME,  1000, 200, 250,   0, 100",
        "REALTIME,   210, 200, 250,   0,  10",
        "REALTIME,   200, 200, 250,   0,   0",
        "REALTIME, 10000, 200, 250, 150, 100",
        "REALTIME, 10000, 200, 250, 300,   0",
        "REALTIME, 10000, 200,   0,   0,   0",
        "REALTIME,   -10, 200, 250,   0,   0",
        "BATCH,    60000, 200, 250,   0, 59800",
        "BATCH,    60000, 200, 250, 900, 59800",
        "BATCH,      100, 200, 250,   0,   0",
    })
    void realtimeWaitsAMomentAndBatchAsLongAsItCan(
            Lane lane, long leftMs, long leastMs, long maxMs, long waitedMs, long allowedMs) {
        assertThat(QueueDecider.decide(new QueueDecider.Input(lane, leftMs, leastMs, maxMs, waitedMs)))
                .isEqualTo(allowedMs);
    }
}
