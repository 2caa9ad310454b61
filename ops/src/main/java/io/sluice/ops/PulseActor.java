package io.sluice.ops;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Owns nothing but the moment at which its event loop last ran a timer; one is deployed per loop, so that a loop that is
 * blocked shows. Nobody sends it messages.
 */
final class PulseActor extends VerticleBase {
    private static final long PERIOD_MS = 1_000;

    private final Pulses pulses;
    private final int loop;

    PulseActor(Pulses pulses, int loop) {
        this.pulses = pulses;
        this.loop = loop;
    }

    @Override
    public Future<?> start() {
        tick();
        vertx.setPeriodic(PERIOD_MS, id -> tick());
        return Future.succeededFuture();
    }

    private void tick() {
        pulses.beat(loop, System.nanoTime());
    }

    /** The last beat of every loop. Thread-safe. */
    static final class Pulses {
        /** Blocked this long a loop is not slow, it is stuck: the longest pause a full collection of this heap takes is below 1 s. */
        static final long SILENCE_NS_MAX = 10_000_000_000L;

        private final AtomicLongArray beats;

        Pulses(int loops, long nowNs) {
            beats = new AtomicLongArray(loops);
            for (int loop = 0; loop < loops; loop++) {
                beats.set(loop, nowNs);
            }
        }

        void beat(int loop, long nowNs) {
            beats.set(loop, nowNs);
        }

        /** Whether every loop has run lately. */
        boolean alive(long nowNs) {
            for (int loop = 0; loop < beats.length(); loop++) {
                if (nowNs - beats.get(loop) > SILENCE_NS_MAX) {
                    return false;
                }
            }
            return true;
        }
    }
}
