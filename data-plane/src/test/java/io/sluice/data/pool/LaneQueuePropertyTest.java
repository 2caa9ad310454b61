package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.pool.LaneQueue.Try;
import io.sluice.tenants.config.Lane;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random arrivals, departures, permits and pauses; the seed names a failure. */
class LaneQueuePropertyTest {
    private static final int LENGTH_MAX = 20;

    private record Who(int n) {}

    private final LaneQueue<Who> queue = new LaneQueue<>(LENGTH_MAX);
    private final Map<Who, Lane> here = new HashMap<>();
    private final Set<Who> ended = new HashSet<>();
    private long nowMs;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 300);
    }

    private void gone(Who who) {
        assertThat(here.remove(who)).as("%s was there", who).isNotNull();
        assertThat(ended.add(who)).as("%s ended once", who).isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nobodyIsLostOrServedTwiceAndAllBoundsHold(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int step = 0; step < 500; step++) {
            nowMs += random.nextInt(60);
            switch (random.nextInt(5)) {
                case 0, 1 -> enter(new Who(step), random);
                case 2 -> leaveOne(random);
                case 3 -> serve(random);
                default -> queue.at(nowMs).forEach(left -> gone(left.who()));
            }
            assertThat(queue.length()).isEqualTo(here.size()).isLessThanOrEqualTo(LENGTH_MAX);
        }
        queue.at(Long.MAX_VALUE / 2).forEach(left -> gone(left.who()));
        assertThat(here).isEmpty();
    }

    private void enter(Who who, SplittableRandom random) {
        Lane lane = random.nextBoolean() ? Lane.REALTIME : Lane.BATCH;
        here.put(who, lane);
        LaneQueue.Left<Who> out = queue.enter(who, lane, nowMs, nowMs + random.nextInt(2_000));
        if (out != null) {
            if (!out.who().equals(who)) {
                assertThat(lane).isEqualTo(Lane.REALTIME);
                assertThat(here.get(out.who())).isEqualTo(Lane.BATCH);
            }
            gone(out.who());
        }
    }

    private void leaveOne(SplittableRandom random) {
        here.keySet().stream().skip(random.nextInt(here.size() + 1)).findFirst().ifPresent(who -> {
            assertThat(queue.leave(who, here.get(who))).isTrue();
            gone(who);
        });
    }

    /** Of {@code permits}, batch may have but some; a few requests can use none of them. */
    private void serve(SplittableRandom random) {
        int[] permits = {random.nextInt(4)};
        int[] ofBatch = {Math.min(permits[0], random.nextInt(3))};
        int[] askedInVain = {0};
        queue.serve(nowMs, who -> {
                    if (who.n() % 7 == 0) {
                        return Try.NONE;
                    }
                    boolean batch = here.get(who) == Lane.BATCH;
                    if (batch) {
                        assertThat(permits[0] > 0 && askedInVain[0] > 0)
                                .as("batch is asked before real-time is served")
                                .isFalse();
                    }
                    if (permits[0] == 0 || (batch && ofBatch[0] == 0)) {
                        askedInVain[0] += batch ? 0 : 1;
                        return Try.NONE_FOR_LANE;
                    }
                    permits[0]--;
                    ofBatch[0] -= batch ? 1 : 0;
                    return Try.TAKEN;
                })
                .forEach(served -> gone(served.who()));
    }

    /** Real-time asks for twice of what there is; every tenth permit is kept for batch. */
    @ParameterizedTest
    @MethodSource("seeds")
    void batchGoesOnWhileRealtimeIsOverloaded(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] served = {0, 0};
        for (int who = 0; who < 2_000; who++) {
            nowMs += 10;
            queue.enter(new Who(who), Lane.REALTIME, nowMs, nowMs + 250);
            if (who % 50 == 0) {
                queue.enter(new Who(10_000 + who), Lane.BATCH, nowMs, nowMs + 60_000);
            }
            boolean forBatch = random.nextInt(10) == 0;
            int[] permit = {random.nextInt(2)};
            queue.serve(nowMs, each -> {
                        boolean batch = each.n() >= 10_000;
                        return permit[0] > 0 && batch == forBatch && permit[0]-- > 0 ? Try.TAKEN : Try.NONE_FOR_LANE;
                    })
                    .forEach(each -> served[each.who().n() >= 10_000 ? 1 : 0]++);
            queue.at(nowMs);
        }

        assertThat(served[0]).isGreaterThan(700);
        assertThat(served[1]).isPositive();
    }

    /** Places of any number whose calls take any time up to ten seconds, give or take a half; urgent work takes its part. */
    @ParameterizedTest
    @MethodSource("seeds")
    void batchThatCanBeServedInItsTimeIsServed(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int places = 1 + random.nextInt(8);
        int callMs = 100 + random.nextInt(9_900);
        long[] freeAtMs = new long[places];
        LaneQueue<Who> room = new LaneQueue<>(10_000);
        int ofBatch = (int) Math.max(1, 60_000L * places / callMs / 3);
        for (int who = 0; who < ofBatch; who++) {
            room.enter(new Who(who), Lane.BATCH, 0, 60_000);
        }
        int[] served = {0};
        for (nowMs = 0; nowMs < 60_000; nowMs += 25) {
            if (random.nextInt(callMs * 4) < 25 * places) {
                room.enter(new Who((int) (100_000 + nowMs)), Lane.REALTIME, nowMs, nowMs + 250);
            }
            room.serve(nowMs, who -> takes(freeAtMs, random, callMs) ? Try.TAKEN : Try.NONE_FOR_LANE)
                    .forEach(each -> served[0] += each.who().n() < 100_000 ? 1 : 0);
            assertThat(room.at(nowMs)).allMatch(left -> left.who().n() >= 100_000);
        }

        assertThat(served[0]).isEqualTo(ofBatch);
    }

    private boolean takes(long[] freeAtMs, SplittableRandom random, int callMs) {
        for (int place = 0; place < freeAtMs.length; place++) {
            if (freeAtMs[place] <= nowMs) {
                freeAtMs[place] = nowMs + callMs / 2 + random.nextInt(callMs);
                return true;
            }
        }
        return false;
    }
}
