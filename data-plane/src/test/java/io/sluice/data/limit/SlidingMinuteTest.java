package io.sluice.data.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SlidingMinuteTest {
    private final SlidingMinute minute = new SlidingMinute();

    @Test
    void takesUpToTheLimit() {
        assertThat(minute.tryTake(60, 100, 0)).isTrue();
        assertThat(minute.tryTake(40, 100, 500)).isTrue();
        assertThat(minute.tryTake(1, 100, 1_000)).isFalse();
        assertThat(minute.used(1_000)).isEqualTo(100);
    }

    @Test
    void forgetsAfterAMinuteAndNotBefore() {
        minute.tryTake(100, 100, 900);
        assertThat(minute.tryTake(1, 100, 60_899)).isFalse();
        assertThat(minute.tryTake(100, 100, 61_000)).isTrue();
    }

    @Test
    void saysWhenThereIsRoom() {
        minute.tryTake(60, 100, 0);
        minute.tryTake(40, 100, 10_000);
        assertThat(minute.untilRoomMs(60, 100, 20_000)).isEqualTo(41_000);
        assertThat(minute.untilRoomMs(61, 100, 20_000)).isEqualTo(51_000);
        assertThat(minute.untilRoomMs(1, 101, 20_000)).isZero();
        assertThat(minute.untilRoomMs(101, 100, 20_000)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void saysWhenAllIsThereAgain() {
        assertThat(minute.untilEmptyMs(0)).isZero();
        minute.tryTake(1, 100, 0);
        minute.tryTake(1, 100, 10_000);
        assertThat(minute.untilEmptyMs(20_000)).isEqualTo(51_000);
    }

    @Test
    void givesBackWhatWasTakenAndLetsItLeaveOnce() {
        minute.tryTake(100, 100, 0);
        minute.giveBack(90, 0, 5_000);
        assertThat(minute.used(5_000)).isEqualTo(10);
        assertThat(minute.used(61_000)).isZero();
    }

    @Test
    void givesNothingBackThatHasLeft() {
        minute.tryTake(100, 100, 0);
        minute.tryTake(50, 100, 62_000);
        minute.giveBack(90, 0, 62_000);
        assertThat(minute.used(62_000)).isEqualTo(50);
    }

    @Test
    void countsWhatWasUsedBeyondTheLimit() {
        minute.take(133, 0);
        assertThat(minute.tryTake(1, 100, 1_000)).isFalse();
        assertThat(minute.used(1_000)).isEqualTo(133);
    }

    @Test
    void isEmptyAfterALongRest() {
        minute.tryTake(100, 100, 0);
        assertThat(minute.tryTake(100, 100, 3_600_000L * 24 * 400)).isTrue();
    }

    @Test
    void aClockMayBeginBelowZero() {
        assertThat(minute.tryTake(1, 1, -5_000_000)).isTrue();
        assertThat(minute.tryTake(1, 1, -4_960_000)).isFalse();
        assertThat(minute.tryTake(1, 1, -4_939_000)).isTrue();
    }

    @Test
    void threadsTogetherTakeNoMoreThanTheLimit() throws Exception {
        AtomicInteger taken = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException stopped) {
                    return;
                }
                for (int n = 0; n < 1_000; n++) {
                    if (minute.tryTake(1, 500, 100_000)) {
                        taken.incrementAndGet();
                    }
                }
            });
            threads[i].start();
        }
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(taken).hasValue(500);
        assertThat(minute.used(100_000)).isEqualTo(500);
        assertThat(minute.used(161_000)).isZero();
    }
}
