package io.sluice.data.upstream;

/**
 * Timers of which nearly all are cancelled: those of calls. Setting and cancelling one costs a few nanoseconds, where an
 * event loop's own timers cost a microsecond together (a map and a heap). A hashed wheel (Varghese and Lauck 1987): each slot holds the
 * timers that fall due at the same tick of this or a later turn. Timers are at most one tick late, never early.
 *
 * <p>Pure: whoever owns it brings the time. For one thread.
 */
final class TimerWheel {
    /** A hundredth of a second is nothing beside a model's answer. */
    static final long TICK_MS = 10;

    /** Five seconds a turn: most calls end within one. */
    private static final int SLOTS = 512;

    private final Timer[] slots = new Timer[SLOTS];
    private long tick;
    private int size;

    /** An empty wheel of a clock that begins at 0 and never goes back. */
    TimerWheel() {}

    /** A timer that runs once unless it is cancelled before. */
    final class Timer {
        private final Runnable due;
        private final long dueTick;
        private Timer next;
        private Timer before;
        private boolean set = true;

        private Timer(long dueTick, Runnable due) {
            this.dueTick = dueTick;
            this.due = due;
        }

        /** It does not run any more. May be called again, and after it ran. */
        void cancel() {
            if (!set) {
                return;
            }
            set = false;
            size--;
            if (next != null) {
                next.before = before;
            }
            if (before != null) {
                before.next = next;
            } else {
                slots[slot(dueTick)] = next;
            }
        }
    }

    /** Sets a timer that falls due {@code inMs} after {@code nowMs}. */
    Timer set(long nowMs, long inMs, Runnable due) {
        long at = (nowMs + inMs + TICK_MS - 1) / TICK_MS;
        Timer timer = new Timer(Math.max(at, tick + 1), due);
        int slot = slot(timer.dueTick);
        timer.next = slots[slot];
        if (timer.next != null) {
            timer.next.before = timer;
        }
        slots[slot] = timer;
        size++;
        return timer;
    }

    /** Timers that wait. */
    int size() {
        return size;
    }

    /** Runs all that is due by {@code nowMs}; what they set anew waits for the next call of this method. One that throws keeps no other from its time. */
    void advance(long nowMs) {
        long now = nowMs / TICK_MS;
        long from = Math.max(tick + 1, now - SLOTS + 1);
        tick = Math.max(tick, now);
        RuntimeException bug = null;
        for (long at = from; at <= now; at++) {
            bug = run(slot(at), now, bug);
        }
        if (bug != null) {
            throw bug;
        }
    }

    private RuntimeException run(int slot, long now, RuntimeException earlier) {
        RuntimeException bug = earlier;
        Timer timer = slots[slot];
        while (timer != null) {
            if (timer.dueTick > now) {
                timer = timer.next;
                continue;
            }
            timer.cancel();
            try {
                timer.due.run();
            } catch (RuntimeException thrown) {
                bug = bug == null ? thrown : bug;
            }
            timer = slots[slot]; // what ran may have changed any place of it
        }
        return bug;
    }

    private static int slot(long tick) {
        return (int) (tick % SLOTS);
    }
}
