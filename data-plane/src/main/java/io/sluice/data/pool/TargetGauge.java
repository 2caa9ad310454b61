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
    private volatile double local = 1;
    private volatile long closedUntilMs;

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
        if (inFlight.incrementAndGet() > max) {
            inFlight.decrementAndGet();
            return false;
        }
        if (state == BreakerState.HALF_OPEN && probes.decrementAndGet() < 0) {
            inFlight.decrementAndGet();
            return false;
        }
        return true;
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

    void update(Breaker now, double factor) {
        if (now.state() == BreakerState.HALF_OPEN && breaker != BreakerState.HALF_OPEN) {
            probes.set(now.settings().probesMax());
        }
        closedUntilMs = now.untilMs();
        local = now.state() == BreakerState.HALF_OPEN ? LocalHealth.FACTOR_MIN : factor;
        breaker = now.state();
    }
}
