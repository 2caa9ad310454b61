package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class BatchShareTest {
    private static final Offset<Double> NEARLY = Offset.offset(1e-9);

    private final BatchShare free = BatchShare.of(QueueSettings.DEFAULT);

    private static BatchShare afterSlow(BatchShare share, int steps, long fromMs) {
        for (int i = 0; i < steps; i++) {
            share = share.next(150, true, fromMs + i * 500L);
        }
        return share;
    }

    @Test
    void batchMayHaveAllWhileRealtimeWantsNothing() {
        assertThat(free.next(-1, false, 10_000).share()).isEqualTo(1);
    }

    @Test
    void itKeepsHalfAsSoonAsRealtimeWaits() {
        assertThat(free.next(-1, true, 10_000).share()).isEqualTo(0.5);
    }

    @Test
    void theRealtimeLaneWidensWhileItWaitsTooLong() {
        assertThat(afterSlow(free, 2, 10_000).share()).isCloseTo(0.3, NEARLY);
    }

    @Test
    void batchKeepsAMinimum() {
        assertThat(afterSlow(free, 50, 10_000).share()).isEqualTo(0.1);
    }

    @Test
    void shortWaitsGiveTheShareBackUpToHalf() {
        BatchShare share = afterSlow(free, 4, 10_000);
        for (int i = 0; i < 20; i++) {
            share = share.next(20, true, 20_000 + i * 500L);
        }

        assertThat(share.share()).isEqualTo(0.5);
    }

    @Test
    void aWaitThatIsJustRightChangesNothing() {
        BatchShare share = afterSlow(free, 2, 10_000);

        assertThat(share.next(80, true, 20_000).share()).isCloseTo(share.share(), NEARLY);
    }

    @Test
    void aPauseOfRealtimeIsNotItsEnd() {
        BatchShare share = afterSlow(free, 4, 10_000);

        assertThat(share.next(-1, false, 14_000).share()).isEqualTo(share.share());
    }

    @Test
    void whenRealtimeStaysAwayBatchMayHaveAllAgain() {
        assertThat(afterSlow(free, 4, 10_000).next(-1, false, 30_000).share()).isEqualTo(1);
    }
}
