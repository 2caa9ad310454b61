package io.sluice.data.pool;

import io.sluice.tenants.config.Lane;
import io.sluice.tenants.routing.BreakerState;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The live figures of one target on one node: what requests read and count on. Any event loop may call it; only the pool's
 * actor changes breaker and factor.
 */
public final class TargetGauge {
    /** One permit in ten is real-time's alone, and at least one where there is more than one. */
    private static final int KEPT_SHARE = 10;

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger batchInFlight = new AtomicInteger();
    private final LaneRules lanes;
    private final AtomicInteger probes = new AtomicInteger();
    private volatile BreakerState breaker = BreakerState.CLOSED;
    private volatile double local;
    private volatile long closedUntilMs;
    private volatile boolean early;
    private volatile int adaptive = Integer.MAX_VALUE;
    private volatile int configured;
    private int probesMax; // of the pool's actor alone

    /** No ramp: the target was there when its pool began to serve. */
    static final long NEVER_MS = Long.MIN_VALUE;

    private final long newSinceMs;

    /** A target without calls. */
    TargetGauge(LaneRules lanes) {
        this(lanes, NEVER_MS);
    }

    private TargetGauge(LaneRules lanes, long newSinceMs) {
        this.lanes = lanes;
        this.newSinceMs = newSinceMs;
        local = newSinceMs == NEVER_MS ? 1 : SlowStart.FACTOR_MIN;
    }

    /** A target that is new to a pool that serves: little weight at first. */
    static TargetGauge warmingSince(LaneRules lanes, long nowMs) {
        return new TargetGauge(lanes, nowMs);
    }

    /** When it was new to its pool; {@link #NEVER_MS} where it always was there. */
    long newSinceMs() {
        return newSinceMs;
    }

    /**
     * Takes a permit for one call. Batch gets none of the last ones, and at most its share; real-time gets all but those that
     * are kept for batch requests which wait.
     *
     * @param max calls that may run at once, as configured
     * @return false where all are taken, the breaker is open or its probes are out; then nothing was taken
     */
    public boolean tryAcquire(int max, Lane lane) {
        BreakerState state = breaker;
        if (state == BreakerState.OPEN || !takeOf(lane, max)) {
            return false;
        }
        if (state == BreakerState.HALF_OPEN && !takeOne(probes)) {
            giveBack(lane);
            return false;
        }
        return true;
    }

    private boolean takeOf(Lane lane, int max) {
        int limit = limit(max);
        if (lane == Lane.REALTIME) {
            return takeBelow(inFlight, limit - stillKept(limit));
        }
        if (!takeBelow(batchInFlight, Math.max(1, (int) (lanes.batchShare() * limit)))) {
            return false;
        }
        if (takeBelow(inFlight, limit(max, Lane.BATCH))) {
            return true;
        }
        batchInFlight.decrementAndGet();
        return false;
    }

    /** Permits that wait for batch requests: what is kept for them, less what they have; the only one there is, is not kept. */
    private int stillKept(int limit) {
        double share = lanes.keptForBatch();
        return share == 0 || limit == 1 ? 0 : Math.max(0, Math.max(1, (int) (share * limit)) - batchInFlight.get());
    }

    /** Takes a permit although the breaker is open; false where it is not, must be left alone, or all permits are taken. */
    boolean tryAcquireEarly(int max, Lane lane) {
        return mayBeAskedEarly() && takeOf(lane, max);
    }

    /** Whether it is open and may still be asked where its pool has nothing better. */
    public boolean mayBeAskedEarly() {
        return early;
    }

    private static boolean takeBelow(AtomicInteger count, int max) {
        for (int now = count.get(); now < max; now = count.get()) {
            if (count.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    private static boolean takeOne(AtomicInteger count) {
        for (int left = count.get(); left > 0; left = count.get()) {
            if (count.compareAndSet(left, left - 1)) {
                return true;
            }
        }
        return false;
    }

    /** Gives a permit back, once per acquired one, to the lane it was taken for. */
    public void release(Lane lane) {
        giveBack(lane);
        lanes.released();
    }

    private void giveBack(Lane lane) {
        inFlight.decrementAndGet();
        if (lane == Lane.BATCH) {
            batchInFlight.decrementAndGet();
        }
    }

    /** Calls that may run at once: what is configured, or less where the target was seen to take less. */
    int limit(int max) {
        return Math.min(max, adaptive);
    }

    /** Calls in flight from which on {@code lane} gets no permit. */
    public int limit(int max, Lane lane) {
        if (configured != max) { // most reads need no write
            configured = max;
        }
        int limit = limit(max);
        return lane == Lane.REALTIME || limit <= 1 ? limit : limit - Math.max(1, limit / KEPT_SHARE);
    }

    /** As {@link #limit(int)} for what was configured when it was last planned with. */
    int limit() {
        return limit(configured);
    }

    /** Of the calls in flight, those of batch requests. */
    int batchInFlight() {
        return batchInFlight.get();
    }

    /** @param limit whole calls at most; not a number of them where nothing limits */
    void limited(double limit) {
        adaptive = (int) Math.min(Integer.MAX_VALUE, limit);
    }

    public int inFlight() {
        return inFlight.get();
    }

    public BreakerState breaker() {
        return breaker;
    }

    /** This node's reduction, 0 to 1. */
    public double local() {
        return local;
    }

    /** When an open breaker lets its first probe through; same clock as {@link #update}. */
    public long closedUntilMs() {
        return closedUntilMs;
    }

    /** A call ended without saying anything about the target, so somebody else may probe. */
    void probeBack() {
        probes.updateAndGet(left -> Math.min(left + 1, probesMax));
    }

    void update(Breaker now, double factor) {
        boolean newRound = breaker != BreakerState.HALF_OPEN || closedUntilMs != now.untilMs();
        if (now.state() == BreakerState.HALF_OPEN && newRound) {
            probesMax = now.settings().probesMax();
            probes.set(probesMax);
        }
        closedUntilMs = now.untilMs();
        local = now.state() == BreakerState.HALF_OPEN ? LocalHealth.FACTOR_PROBING : factor;
        early = now.mayBeAskedEarly();
        breaker = now.state();
    }
}
