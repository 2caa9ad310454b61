package io.sluice.data.pool;

import static io.sluice.tenants.config.Lane.BATCH;
import static io.sluice.tenants.config.Lane.REALTIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.pool.LaneQueue.Left;
import io.sluice.data.pool.LaneQueue.Served;
import io.sluice.data.pool.LaneQueue.Try;
import io.sluice.data.pool.LaneQueue.Why;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class LaneQueueTest {
    private final LaneQueue<String> queue = new LaneQueue<>(4);

    private List<String> serve(long nowMs, int permits) {
        int[] left = {permits};
        return serve(nowMs, who -> left[0]-- > 0 ? Try.TAKEN : Try.NONE_FOR_LANE);
    }

    private List<String> serve(long nowMs, Function<String, Try> take) {
        return queue.serve(nowMs, take).stream().map(Served::who).toList();
    }

    @Test
    void realtimeIsServedBeforeBatchThatCameEarlier() {
        queue.enter("b1", BATCH, 0, 1_000);
        queue.enter("r1", REALTIME, 1, 1_000);
        queue.enter("r2", REALTIME, 2, 1_000);

        assertThat(serve(10, 3)).containsExactly("r1", "r2", "b1");
    }

    @Test
    void aRequestThatNoFreeTargetCanServeHoldsUpNobody() {
        queue.enter("sees", REALTIME, 0, 1_000);
        queue.enter("reads", REALTIME, 1, 1_000);

        assertThat(serve(10, who -> who.equals("sees") ? Try.NONE : Try.TAKEN)).containsExactly("reads");
        assertThat(queue.length(REALTIME)).isEqualTo(1);
    }

    @Test
    void aLaneWithoutPermitsDoesNotHoldUpTheOther() {
        queue.enter("r", REALTIME, 0, 1_000);
        queue.enter("b", BATCH, 0, 1_000);

        assertThat(serve(10, who -> who.equals("r") ? Try.NONE_FOR_LANE : Try.TAKEN))
                .containsExactly("b");
    }

    @Test
    void whoIsServedIsToldHowLongItWaited() {
        queue.enter("r", REALTIME, 5, 1_000);

        assertThat(queue.serve(35, who -> Try.TAKEN)).containsExactly(new Served<>("r", 30));
    }

    @Test
    void aBatchRequestFindsNoPlaceInAFullQueue() {
        fill(BATCH);

        assertThat(queue.enter("late", BATCH, 10, 1_000)).isEqualTo(new Left<>("late", Why.FULL, 0));
        assertThat(queue.length()).isEqualTo(4);
    }

    @Test
    void aRealtimeRequestTakesThePlaceOfTheNewestBatchRequest() {
        fill(BATCH);

        assertThat(queue.enter("r", REALTIME, 10, 1_000)).isEqualTo(new Left<>("BATCH3", Why.SHED, 7));
        assertThat(queue.length()).isEqualTo(4);
    }

    @Test
    void aRealtimeRequestFindsNoPlaceAmongItsLikes() {
        for (int i = 0; i < 3; i++) {
            queue.enter("r" + i, REALTIME, i, 100_000);
        }

        assertThat(queue.enter("r", REALTIME, 10, 1_000)).isEqualTo(new Left<>("r", Why.FULL, 0));
    }

    @Test
    void realtimeLeavesBatchOnePlace() {
        for (int i = 0; i < 9; i++) {
            queue.enter("r" + i, REALTIME, i, 100_000);
        }

        assertThat(queue.enter("b", BATCH, 10, 1_000)).isNull();
    }

    @Test
    void theOnlyPlaceIsForRealtime() {
        LaneQueue<String> tiny = new LaneQueue<>(1);
        tiny.enter("b", BATCH, 0, 100_000);

        assertThat(tiny.enter("r", REALTIME, 10, 1_000)).isEqualTo(new Left<>("b", Why.SHED, 10));
    }

    private void fill(io.sluice.tenants.config.Lane lane) {
        for (int i = 0; i < 4; i++) {
            queue.enter(lane.name() + i, lane, i, 100_000);
        }
    }

    @Test
    void whoseTimeIsOverGoes() {
        queue.enter("short", REALTIME, 0, 50);
        queue.enter("long", BATCH, 0, 60_000);

        assertThat(queue.at(50)).containsExactly(new Left<>("short", Why.EXPIRED, 50));
        assertThat(queue.length()).isEqualTo(1);
    }

    @Test
    void whoLeftIsNotServed() {
        queue.enter("gone", BATCH, 0, 1_000);
        assertThat(queue.leave("gone", BATCH)).isTrue();

        assertThat(serve(10, 5)).isEmpty();
        assertThat(queue.leave("gone", BATCH)).isFalse();
    }

    @Test
    void aStandingQueueTurnsOutTheNewestRealtimeRequest() {
        queue.enter("r1", REALTIME, 0, 10_000);
        queue.enter("r2", REALTIME, 1, 10_000);
        queue.at(100);

        assertThat(queue.at(201)).containsExactly(new Left<>("r2", Why.SHED, 200));
    }

    @Test
    void batchWaitsOnWhileRealtimeStands() {
        queue.enter("r", REALTIME, 0, 10_000);
        queue.enter("b1", BATCH, 1, 60_000);
        queue.enter("b2", BATCH, 2, 60_000);
        queue.at(100);

        assertThat(queue.at(201)).isEmpty();
    }

    /** One is served every second for half a minute, in a queue that is never empty. */
    private LaneQueue<String> servedOncePerSecond() {
        LaneQueue<String> slow = new LaneQueue<>(100);
        for (int i = 0; i < 40; i++) {
            slow.enter("early" + i, BATCH, 0, 1_000_000);
        }
        for (int i = 1; i <= 30; i++) {
            int[] permits = {1};
            slow.serve(i * 1_000L, who -> permits[0]-- > 0 ? Try.TAKEN : Try.NONE_FOR_LANE);
        }
        return slow;
    }

    @Test
    void aBatchRequestThatCanNotBeServedInItsTimeGoesAtOnce() {
        LaneQueue<String> slow = servedOncePerSecond();
        slow.enter("hopeless", BATCH, 30_000, 34_000); // eleventh of ten more: half a second each at twice the pace
        slow.enter("patient", BATCH, 30_000, 90_000);

        assertThat(slow.at(30_000)).containsExactly(new Left<>("hopeless", Why.SHED, 0));
    }

    @Test
    void aBatchRequestThatMayBeServedInItsTimeStays() {
        LaneQueue<String> slow = servedOncePerSecond();
        slow.enter("hopeful", BATCH, 30_000, 36_000);

        assertThat(slow.at(30_000)).isEmpty();
    }

    @Test
    void aFewThatWereServedTellNothing() {
        queue.enter("b0", BATCH, 0, 60_000);
        queue.enter("b1", BATCH, 0, 60_000);
        serve(10_000, 1);
        queue.enter("b2", BATCH, 10_000, 10_500);

        assertThat(queue.at(10_400)).isEmpty();
    }

    @Test
    void aNewQueueKnowsNothingOfTheOneBefore() {
        LaneQueue<String> slow = servedOncePerSecond();
        slow.serve(30_000, who -> Try.TAKEN);
        slow.enter("new", BATCH, 30_000, 30_100);

        assertThat(slow.at(30_050)).isEmpty();
    }

    @Test
    void aQueueInWhichSomebodyGetsThroughQuicklyDoesNotStand() {
        queue.enter("old", REALTIME, 0, 10_000);
        queue.at(100);
        queue.enter("quick", REALTIME, 150, 10_000);
        serve(160, who -> who.equals("quick") ? Try.TAKEN : Try.NONE);

        assertThat(queue.at(201)).isEmpty();
    }

    @Test
    void batchAloneMayWaitLong() {
        queue.enter("b", BATCH, 0, 60_000);
        for (long nowMs = 25; nowMs < 60_000; nowMs += 25) {
            assertThat(queue.at(nowMs)).isEmpty();
        }

        assertThat(queue.at(60_000)).hasSize(1);
    }

    @Test
    void callersAreToldToComeBackWhenTheQueueIsServed() {
        for (int i = 0; i < 40; i++) {
            queue.enter("r" + i, REALTIME, i * 50L, 100_000);
            serve(i * 50L, 1);
        }
        fill(BATCH);

        assertThat(queue.retryAfterMs(2_000)).isEqualTo(1_000);
    }

    @Test
    void whereNothingDrainsTheyAreToldAFewSeconds() {
        fill(BATCH);

        assertThat(queue.retryAfterMs(100)).isEqualTo(5_000);
    }

    @Test
    void aSlowDrainMeansALongWait() {
        queue.enter("r", REALTIME, 0, 100_000);
        serve(0, 1);
        fill(BATCH);

        assertThat(queue.retryAfterMs(2_000)).isBetween(25_000L, 35_000L);
    }

    @Test
    void thePercentileIsOfRealtimeAlone() {
        for (int i = 0; i < 100; i++) {
            queue.enter("r", REALTIME, 1_000 - i, 100_000);
            serve(1_000, 1);
        }
        queue.enter("b", BATCH, 0, 100_000);
        serve(50_000, 1);

        assertThat(queue.drainWaitP95Ms()).isEqualTo(94);
        assertThat(queue.drainWaitP95Ms()).isEqualTo(-1);
    }

    @Test
    void aClosedQueueLetsEverybodyGo() {
        fill(BATCH);

        assertThat(queue.clear(10)).hasSize(4);
        assertThat(queue.length()).isZero();
    }
}
