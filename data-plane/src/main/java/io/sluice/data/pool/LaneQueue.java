package io.sluice.data.pool;

import io.sluice.tenants.config.Lane;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/**
 * The requests that wait for a permit of one pool on one node, in two lanes (requirement B3). Real-time is served first, each
 * lane in the order in which its requests came. It is bounded in length, and in time by each request's own bound; what can not
 * be kept is told so, the least important first: the newest batch request, then the newest real-time one.
 *
 * <p>Where even the luckiest real-time request of a whole window waited too long the queue is a standing one, which only makes
 * everybody late (the idea of CoDel, Nichols and Jacobson 2012): then a tenth of the newest real-time requests is turned out per
 * window. Batch may wait for as long as it is allowed to: a request of it is turned out only where it would be late even if its
 * queue were served at {@value #PACE_MARGIN} times the pace that was measured.
 *
 * <p>Pure: no clock, no thread. A request that left early is found in linear time; the length is bounded. Owned by
 * {@link WaitingRoom}.
 */
final class LaneQueue<T> {
    /** CoDel's interval: a worst round trip, so that a short burst is not taken for a standing queue. */
    static final long WINDOW_MS = 100;

    /** Requirement B3 wants 95 % of the waits below this; where the shortest of a window is above, the queue stands. */
    static final long STANDING_MS = 100;

    /** Waits that the 95th percentile is taken of; later ones of the same step take the place of the first. */
    private static final int WAITS_MAX = 512;

    /** Half-life of the drain rate: a few seconds of past tell what comes next. */
    private static final double RATE_HALF_LIFE_MS = 2_000;

    /** The pace is an estimate, and batch is promised all of its time. */
    private static final int PACE_MARGIN = 2;

    /** What callers are told when nothing drains: SDKs' own first pauses are shorter. */
    private static final long RETRY_STILL_MS = 5_000;

    /** SDKs give up on longer waits. */
    private static final long RETRY_MAX_MS = 60_000;

    private static final long RETRY_MIN_MS = 1_000;

    /** What a waiting request was answered. */
    enum Try {
        /** It has a permit now. */
        TAKEN,
        /** None of its targets has one. */
        NONE,
        /** No target of the pool has one for its lane: nobody behind it need ask. */
        NONE_FOR_LANE
    }

    /** How a wait ended without a permit. */
    enum Why {
        EXPIRED,
        SHED,
        FULL
    }

    /** A request that waits no more. */
    record Left<T>(T who, Why why, long waitedMs) {}

    /** A request that has a permit. */
    record Served<T>(T who, long waitedMs) {}

    private record Place<T>(T who, long enteredMs, long untilMs) {}

    private final int lengthMax;
    private final int ofBatch; // one place that real-time does not take, where there is more than one
    private final Deque<Place<T>> realtime = new ArrayDeque<>();
    private final Deque<Place<T>> batch = new ArrayDeque<>();
    private final long[] waits = new long[WAITS_MAX];
    private int waited;
    private long windowEndMs = Long.MIN_VALUE;
    private long shortestMs = Long.MAX_VALUE;
    private final DrainPace pace = new DrainPace();
    private double drained;
    private long drainedMs;

    LaneQueue(int lengthMax) {
        this.lengthMax = lengthMax;
        ofBatch = lengthMax > 1 ? 1 : 0;
    }

    int length(Lane lane) {
        return lane(lane).size();
    }

    int length() {
        return realtime.size() + batch.size();
    }

    private Deque<Place<T>> lane(Lane lane) {
        return lane == Lane.REALTIME ? realtime : batch;
    }

    /**
     * A request comes.
     *
     * @param untilMs when it wants to wait no longer
     * @return who had to go for it, perhaps the request itself; null where there was a place
     */
    Left<T> enter(T who, Lane lane, long nowMs, long untilMs) {
        Left<T> turnedOut = null;
        if (lane == Lane.REALTIME && realtime.size() >= lengthMax - ofBatch) {
            return new Left<>(who, Why.FULL, 0);
        }
        if (length() >= lengthMax) {
            if (lane == Lane.BATCH || batch.isEmpty()) {
                return new Left<>(who, Why.FULL, 0);
            }
            turnedOut = left(batch.pollLast(), Why.SHED, nowMs);
        }
        if (length() == 0) {
            pace.begin(nowMs);
        }
        if (realtime.isEmpty()) {
            windowEndMs = nowMs + WINDOW_MS;
            shortestMs = Long.MAX_VALUE;
        }
        lane(lane).addLast(new Place<>(who, nowMs, untilMs));
        return turnedOut;
    }

    /** A request leaves by itself; false where it is not here any more. */
    boolean leave(T who, Lane lane) {
        return lane(lane).removeIf(place -> place.who() == who);
    }

    /** Nobody can wait here any more. */
    List<Left<T>> clear(long nowMs) {
        List<Left<T>> gone = new ArrayList<>(length());
        realtime.forEach(place -> gone.add(left(place, Why.EXPIRED, nowMs)));
        batch.forEach(place -> gone.add(left(place, Why.EXPIRED, nowMs)));
        realtime.clear();
        batch.clear();
        return gone;
    }

    /** Asks {@code take} for a permit for each request, in their order, as long as there may be one. */
    List<Served<T>> serve(long nowMs, Function<T, Try> take) {
        List<Served<T>> served = new ArrayList<>(2);
        serve(Lane.REALTIME, nowMs, take, served);
        serve(Lane.BATCH, nowMs, take, served);
        drained = rate(nowMs) + served.size();
        drainedMs = nowMs;
        pace.served(served.size(), nowMs);
        return served;
    }

    private void serve(Lane lane, long nowMs, Function<T, Try> take, List<Served<T>> served) {
        for (Iterator<Place<T>> places = lane(lane).iterator(); places.hasNext(); ) {
            Place<T> place = places.next();
            Try taken = take.apply(place.who());
            if (taken == Try.NONE_FOR_LANE) {
                return;
            }
            if (taken == Try.TAKEN) {
                places.remove();
                long waitedMs = nowMs - place.enteredMs();
                served.add(new Served<>(place.who(), waitedMs));
                count(lane, waitedMs);
            }
        }
    }

    /** Time passes: those whose time is over go, and those for whom there will be none. */
    List<Left<T>> at(long nowMs) {
        List<Left<T>> gone = new ArrayList<>(2);
        expire(Lane.REALTIME, nowMs, gone);
        expire(Lane.BATCH, nowMs, gone);
        shedHopeless(nowMs, gone);
        if (nowMs >= windowEndMs) {
            if (standing(nowMs)) {
                shed(nowMs, gone);
            }
            windowEndMs = nowMs + WINDOW_MS;
            shortestMs = Long.MAX_VALUE;
        }
        return gone;
    }

    private void expire(Lane lane, long nowMs, List<Left<T>> gone) {
        for (Iterator<Place<T>> places = lane(lane).iterator(); places.hasNext(); ) {
            Place<T> place = places.next();
            if (place.untilMs() <= nowMs) {
                places.remove();
                gone.add(left(place, Why.EXPIRED, nowMs));
                count(lane, nowMs - place.enteredMs());
            }
        }
    }

    /** Whether nobody in real-time got through quickly: who still waits and is oldest is the luckiest who has not. */
    private boolean standing(long nowMs) {
        return !realtime.isEmpty()
                && nowMs - realtime.peekFirst().enteredMs() > STANDING_MS
                && shortestMs > STANDING_MS;
    }

    private void shed(long nowMs, List<Left<T>> gone) {
        for (int out = Math.max(1, realtime.size() / 10); out > 0 && realtime.size() > 1; out--) {
            gone.add(left(realtime.pollLast(), Why.SHED, nowMs));
        }
    }

    /** Who would be late even if no urgent request came any more. */
    private void shedHopeless(long nowMs, List<Left<T>> gone) {
        double eachMs = batch.isEmpty() ? 0 : pace.msFor(1, nowMs) / PACE_MARGIN;
        if (eachMs == 0) {
            return;
        }
        int turn = realtime.size() + 1;
        for (Iterator<Place<T>> places = batch.iterator(); places.hasNext(); ) {
            Place<T> place = places.next();
            if (nowMs + turn * eachMs > place.untilMs()) {
                places.remove();
                gone.add(left(place, Why.SHED, nowMs));
            } else {
                turn++;
            }
        }
    }

    private static <T> Left<T> left(Place<T> place, Why why, long nowMs) {
        return new Left<>(place.who(), why, nowMs - place.enteredMs());
    }

    private void count(Lane lane, long waitedMs) {
        if (lane == Lane.REALTIME) {
            waits[waited++ % WAITS_MAX] = waitedMs;
            shortestMs = Math.min(shortestMs, waitedMs);
        }
    }

    /** 95th percentile of the real-time waits that ended since the last call of this method; -1 where none did. */
    double drainWaitP95Ms() {
        int n = Math.min(waited, WAITS_MAX);
        waited = 0;
        if (n == 0) {
            return -1;
        }
        long[] sorted = Arrays.copyOf(waits, n);
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(n * 0.95) - 1];
    }

    private double rate(long nowMs) {
        return drained * Math.pow(0.5, (nowMs - drainedMs) / RATE_HALF_LIFE_MS);
    }

    /** When those who wait now will have been served at the present pace. */
    long retryAfterMs(long nowMs) {
        double perMs = rate(nowMs) * Math.log(2) / RATE_HALF_LIFE_MS;
        if (perMs * RETRY_MAX_MS < 1) {
            return RETRY_STILL_MS;
        }
        return (long) Math.max(RETRY_MIN_MS, Math.min(RETRY_MAX_MS, (length() + 1) / perMs));
    }
}
