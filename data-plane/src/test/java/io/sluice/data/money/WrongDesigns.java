package io.sluice.data.money;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Two ways to keep a cap that look right and are not, under the same kind of traffic. They are here to see that the check by which
 * the ledger is judged, what providers charge against the cap, is able to fail.
 */
final class WrongDesigns {
    private static final long CAP = 50_000;
    private static final long TTL_MS = 5_000;

    private WrongDesigns() {}

    /** Who is let in, and what is counted when. */
    interface Design {
        /** Whether a request may go; {@code estimate} is an upper bound of its cost. */
        boolean admit(long nowMs, long estimate);

        void ended(long nowMs, long cost, long estimate);
    }

    /** A request counts when its cost is known. */
    static final class CountAfter implements Design {
        private long spent;

        @Override
        public boolean admit(long nowMs, long estimate) {
            return spent + estimate <= CAP;
        }

        @Override
        public void ended(long nowMs, long cost, long estimate) {
            spent += cost;
        }
    }

    /** A hold that is older than its time to live is given back, whatever became of its request. */
    static final class TtlReleases implements Design {
        private final PriorityQueue<long[]> holds = new PriorityQueue<>((one, other) -> Long.compare(one[0], other[0]));
        private long held;
        private long spent;

        @Override
        public boolean admit(long nowMs, long estimate) {
            while (!holds.isEmpty() && holds.peek()[0] <= nowMs) {
                held -= holds.poll()[1];
            }
            if (spent + held + estimate > CAP) {
                return false;
            }
            held += estimate;
            holds.add(new long[] {nowMs + TTL_MS, estimate});
            return true;
        }

        @Override
        public void ended(long nowMs, long cost, long estimate) {
            spent += cost;
        }
    }

    /** What providers charged beyond the cap; 0 where it held. */
    static long overspentMicros(SplittableRandom random, Design design) {
        PriorityQueue<long[]> running = new PriorityQueue<>((one, other) -> Long.compare(one[0], other[0]));
        long charged = 0;
        long nowMs = 0;
        for (int i = 0; i < 2_000; i++) {
            nowMs += random.nextInt(40);
            while (!running.isEmpty() && running.peek()[0] <= nowMs) {
                long[] end = running.poll();
                design.ended(end[0], end[1], end[2]);
            }
            long estimate = 1L + random.nextInt(2_000);
            if (design.admit(nowMs, estimate)) {
                long cost = random.nextLong(estimate + 1);
                charged += cost;
                running.add(new long[] {nowMs + random.nextInt(1, 20_000), cost, estimate});
            }
        }
        return Math.max(0, charged - CAP);
    }
}
