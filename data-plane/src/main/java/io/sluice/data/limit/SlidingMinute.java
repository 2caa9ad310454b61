package io.sluice.data.limit;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What was used in the last minute: 60 whole seconds and the running one, so that in no 60 seconds more is used than a limit
 * allows, wherever they begin. A unit comes free 60 to 61 seconds after it was taken. Lock-free; about 600 bytes.
 *
 * <p>The amounts of seconds stand in a ring, their sum in {@link #used}. Whoever moves the edge of the window past a second takes
 * exactly what it read there off the sum, so that an amount that another thread writes at that moment is not lost; at worst it
 * stays for one more round.
 */
final class SlidingMinute {
    private static final int WINDOW_S = 61;

    /** The next power of two: three seconds lie between the oldest amount and the newest one's place. */
    private static final int RING = 64;

    private static final int MS_PER_S = 1_000;

    /** What is about to leave the window is not given back: the edge may pass at the same moment, and it would leave twice. */
    private static final int LEAVING_S = 2;

    private final AtomicLongArray seconds = new AtomicLongArray(RING);
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong edge = new AtomicLong(Long.MIN_VALUE / 2);

    /** In the last minute, after everything older has left. */
    long used(long nowMs) {
        advance(nowMs);
        return used.get();
    }

    /** Takes {@code amount} unless more than {@code limit} were used then. */
    boolean tryTake(long amount, long limit, long nowMs) {
        advance(nowMs);
        long now = used.get();
        while (now + amount <= limit) {
            if (used.compareAndSet(now, now + amount)) {
                seconds.addAndGet(place(second(nowMs)), amount);
                return true;
            }
            now = used.get();
        }
        return false;
    }

    /** Takes {@code amount} whatever the limit: it has been used. */
    void take(long amount, long nowMs) {
        advance(nowMs);
        used.addAndGet(amount);
        seconds.addAndGet(place(second(nowMs)), amount);
    }

    /** Gives back a part of what was taken at {@code takenMs}, unless it has left the window by itself. */
    void giveBack(long amount, long takenMs, long nowMs) {
        advance(nowMs);
        long second = second(takenMs);
        if (second > edge.get() + LEAVING_S) {
            seconds.addAndGet(place(second), -amount);
            used.addAndGet(-amount);
        }
    }

    /** Milliseconds until {@code amount} would fit; 0 where it fits now, {@link Long#MAX_VALUE} where it never does. */
    long untilRoomMs(long amount, long limit, long nowMs) {
        long now = used(nowMs);
        if (now + amount <= limit) {
            return 0;
        }
        long last = second(nowMs);
        for (long second = last - WINDOW_S + 1; second <= last; second++) {
            now -= seconds.get(place(second));
            if (now + amount <= limit) {
                return (second + WINDOW_S) * MS_PER_S - nowMs;
            }
        }
        return Long.MAX_VALUE;
    }

    /** Milliseconds until nothing of what is used now is left in the window; 0 where nothing is. */
    long untilEmptyMs(long nowMs) {
        advance(nowMs);
        long last = second(nowMs);
        for (long second = last; second > last - WINDOW_S; second--) {
            if (seconds.get(place(second)) != 0) {
                return (second + WINDOW_S) * MS_PER_S - nowMs;
            }
        }
        return 0;
    }

    private void advance(long nowMs) {
        long to = second(nowMs) - WINDOW_S;
        for (long at = edge.get(); at < to; at = edge.get()) {
            if (to - at > RING) {
                edge.compareAndSet(at, to - RING); // each place of the ring is passed below
            } else {
                int place = place(at + 1);
                long leaves = seconds.get(place);
                if (edge.compareAndSet(at, at + 1) && leaves != 0) {
                    seconds.addAndGet(place, -leaves);
                    used.addAndGet(-leaves);
                }
            }
        }
    }

    private static long second(long ms) {
        return Math.floorDiv(ms, MS_PER_S);
    }

    private static int place(long second) {
        return (int) (second & (RING - 1));
    }
}
