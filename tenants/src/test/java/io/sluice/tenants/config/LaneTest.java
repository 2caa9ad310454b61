package io.sluice.tenants.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LaneTest {
    @Test
    void aWordIsReadInAnyCase() {
        assertThat(Lane.of("Batch")).contains(Lane.BATCH);
    }

    @Test
    void anotherWordIsNoLane() {
        assertThat(Lane.of("high")).isEmpty();
    }

    @Test
    void givingWayIsPossible() {
        assertThat(Lane.REALTIME.leastUrgent(Lane.BATCH)).isEqualTo(Lane.BATCH);
    }

    @Test
    void jumpingAQueueIsNot() {
        assertThat(Lane.BATCH.leastUrgent(Lane.REALTIME)).isEqualTo(Lane.BATCH);
    }
}
