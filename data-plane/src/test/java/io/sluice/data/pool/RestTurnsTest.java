package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RestTurnsTest {
    private final RestTurns turns = new RestTurns();

    private int dueOf(int intervals, boolean atRest) {
        int due = 0;
        for (int i = 0; i < intervals; i++) {
            due += turns.due(atRest) ? 1 : 0;
        }
        return due;
    }

    @Test
    void whatHappensIsSaidAtOnceAndRestHardlyEver() {
        assertThat(dueOf(10, false)).isEqualTo(10);
        assertThat(turns.due(true)).as("the rest begins").isTrue();
        assertThat(dueOf(RestTurns.EVERY - 1, true)).isZero();
        assertThat(dueOf(100, true)).isEqualTo(100 / RestTurns.EVERY);
        assertThat(turns.due(false)).as("the rest ends").isTrue();
        assertThat(turns.due(true)).as("another begins").isTrue();
    }
}
