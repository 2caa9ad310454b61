package io.sluice.data.pool;

import io.sluice.tenants.routing.BreakerState;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The live figures of one target on one node: what requests read and count on. Any event loop may call it; only the pool's
 * actor changes breaker and factor.
 */
public final class TargetGauge {
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger probes = new AtomicInteger();
    private volatile BreakerState breaker = BreakerState.CLOSED;
    private volatile double local;
    private volatile long closedUntilMs;
    private volatile boolean early;
    private int probesMax; // of the pool's actor alone

    /** No ramp: the target was there when its pool began to serve. */
    static final long NEVER_MS = Long.MIN_VALUE;

    private final long newSinceMs;

    TargetGauge() {
        this(NEVER_MS);
    }

    private TargetGauge(long newSinceMs) {
        this.newSinceMs = newSinceMs;
        local = newSinceMs == NEVER_MS ? 1 : SlowStart.FACTOR_MIN;
    }

    /** A target that is new to a pool that serves: little weight at first. */
    static TargetGauge warmingSince(long nowMs) {
        return new TargetGauge(nowMs);
    }

    /** When it was new to its pool; {@link #NEVER_MS} where it always was there. */
    long newSinceMs() {
        return newSinceMs;
    }

    /**
     * Takes a permit for one call.
     *
     * @param max calls that may run at once
     * @return false where all are taken, the breaker is open or its probes are out; then nothing was taken
     */
    public boolean tryAcquire(int max) {
        BreakerState state = breaker;
        if (state == BreakerState.OPEN) {
            return false;
        }
        if (!takeBelow(max)) {
            return false;
        }
        if (state == BreakerState.HALF_OPEN && !takeProbe()) {
            inFlight.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Takes a permit although the breaker is open; false where it is not, must be left alone, or all permits are taken. */
    boolean tryAcquireEarly(int max) {
        return mayBeAskedEarly() && takeBelow(max);
    }

    /** Whether it is open and may still be asked where its pool has nothing better. */
    public boolean mayBeAskedEarly() {
        return early;
    }

    private boolean takeBelow(int max) {
        for (int now = inFlight.get(); now < max; now = inFlight.get()) {
            if (inFlight.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    private boolean takeProbe() {
        for (int left = probes.get(); left > 0; left = probes.get()) {
            if (probes.compareAndSet(left, left - 1)) {
                return true;
            }
        }
        return false;
    }

    /** Gives a permit back, once per acquired one. */
    public void release() {
        inFlight.decrementAndGet();
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
