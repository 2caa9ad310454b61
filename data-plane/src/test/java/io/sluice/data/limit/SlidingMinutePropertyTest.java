package io.sluice.data.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Against a list of all that was taken: the window never lets more through in 60 seconds, and forgets after 61. */
class SlidingMinutePropertyTest {
    private static final int LIMIT = 100;

    private record Taken(long atMs, long amount) {}

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noSixtySecondsHoldMoreThanTheLimit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SlidingMinute minute = new SlidingMinute();
        List<Taken> log = new ArrayList<>();
        long nowMs = random.nextLong(-200_000, 200_000);
        for (int step = 0; step < 300; step++) {
            nowMs += random.nextInt(5) == 0 ? random.nextLong(100_000) : random.nextLong(3_000);
            long amount = random.nextInt(40);
            long sure = used(log, nowMs, 60_000);
            long atMost = used(log, nowMs, 61_000);
            boolean took = minute.tryTake(amount, LIMIT, nowMs);
            if (sure + amount > LIMIT) {
                assertThat(took).as("at %d over the limit", nowMs).isFalse();
            }
            if (atMost + amount <= LIMIT) {
                assertThat(took).as("at %d within the limit", nowMs).isTrue();
            }
            if (took) {
                long back = random.nextBoolean() ? 0 : random.nextLong(amount + 1);
                minute.giveBack(back, nowMs, nowMs);
                log.add(new Taken(nowMs, amount - back));
            } else {
                long roomMs = nowMs + minute.untilRoomMs(amount, LIMIT, nowMs);
                assertThat(used(log, roomMs, 60_000) + amount)
                        .as("room at %d", roomMs)
                        .isLessThanOrEqualTo(LIMIT);
            }
            assertThat(minute.used(nowMs)).isBetween(used(log, nowMs, 60_000), used(log, nowMs, 61_000));
        }
    }

    private static long used(List<Taken> log, long nowMs, long backMs) {
        return log.stream()
                .filter(each -> each.atMs() > nowMs - backMs)
                .mapToLong(Taken::amount)
                .sum();
    }
}
