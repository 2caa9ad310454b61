package io.sluice.data.upstream;

import io.vertx.core.Vertx;

/** The timers of all calls of one event loop: one timer of Vert.x turns a {@link TimerWheel} while there are calls. */
final class CallTimers {
    /** A second without calls, and nothing turns any more. */
    private static final int IDLE_TICKS_MAX = (int) (1_000 / TimerWheel.TICK_MS);

    private final Vertx vertx;
    private final long startNs = System.nanoTime();
    private final TimerWheel wheel = new TimerWheel();
    private final LoopDelay delay = new LoopDelay();
    private boolean turning;
    private int idleTicks;

    /** For the event loop that calls {@link #set}. */
    CallTimers(Vertx vertx) {
        this.vertx = vertx;
    }

    /** Runs {@code due} once, in {@code inMs} or one tick later, unless it is cancelled. */
    TimerWheel.Timer set(long inMs, Runnable due) {
        if (!turning) {
            turning = true;
            idleTicks = 0;
            delay.begin(nowMs());
            vertx.setPeriodic(TimerWheel.TICK_MS, this::tick);
        }
        return wheel.set(nowMs(), inMs, due);
    }

    private void tick(long timer) {
        idleTicks = wheel.size() == 0 ? idleTicks + 1 : 0;
        if (idleTicks > IDLE_TICKS_MAX) {
            vertx.cancelTimer(timer);
            turning = false;
        }
        long now = nowMs();
        delay.tick(now);
        wheel.advance(now);
    }

    /**
     * What this loop may have added to the time of a call that it hears something of now, at most: it writes at the end of a turn, and
     * reads what came during the one before.
     */
    long ownDelayMs() {
        return 2 * delay.atMost(nowMs());
    }

    private long nowMs() {
        return (System.nanoTime() - startNs) / 1_000_000;
    }
}
