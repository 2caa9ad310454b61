package io.sluice.data.pool;

/**
 * How many calls one target takes at once, learnt from how long it takes to the first content (requirement B3; "adaptive
 * in-flight limit", as TCP does for packets). There is no limit until there is evidence against the target:
 * <ul>
 *   <li>it drops a call (429, overloaded, no first token in time): a quarter less than what is in flight, once per round trip;
 *   <li>first content takes more than twice as long as usual: that may have many causes, so a smaller limit is <em>tried</em>.
 *       Where it makes the target faster, concurrency was the cause and the limit stays; where it does not, the target is
 *       slow by itself, the limit is taken back and its usual time is mended.
 * </ul>
 * A limit that is used up while the target is fast grows, quickly up to where it was bad before, slowly beyond.
 *
 * <p>Times are compared within a {@linkplain SizeClass class} of similar calls, as means of logarithms over a window: times to
 * first token have heavy tails, a long prompt is not an overload, and neither is one slow answer. Pure: no clock, no thread;
 * owned by the pool's actor.
 */
final class AdaptiveLimit {
    /** No evidence, no limit but the configured one. */
    static final double UNLIMITED = Double.POSITIVE_INFINITY;

    /** So many calls are let through in any case: fewer would not show whether the target is well again. */
    static final double MIN = 4;

    /**
     * Shorter times count as this one: no model's queue is felt in a few milliseconds, but this node's own work, its collector and
     * its timer steps are, and a limit can not make those faster.
     */
    static final double TIME_MIN_MS = 10;

    /** Calls in a window, at least: so many tell enough to let a limit grow, or to wonder. */
    static final int WINDOW = 16;

    /**
     * A window lasts at least so long. At a thousand calls a second 16 of them are over in the time of one collector's pause or one
     * lost packet, and what is slow for a moment will be fast in the next one with any limit.
     */
    static final long WINDOW_MS = 250;

    /**
     * Windows in a row that must be slow, and windows that a trial lasts. The mean of 48 logarithms of times whose logarithms
     * deviate by 1, which is a very heavy tail, deviates by 1/7; three windows in a row look twice as slow as usual by chance
     * in fewer than one of a million cases.
     */
    static final int PROOF = 3;

    /** Twice the usual time: half of it is spent in the target's own queue, and more calls only make that longer. */
    static final double SLOW = Math.log(2);

    /** Up to this the target still gets more calls. Between the two the limit is right. */
    private static final double FAST = Math.log(1.5);

    /**
     * A smaller limit is tried with 60 % of the calls, with half where the target is four times as slow as usual: enough for the
     * time to fall by more than it varies, and no more, because a target that is slow by itself loses those calls for nothing.
     */
    private static final double TRIAL_SHARE = 0.6;

    private static final double TRIAL_SHARE_MIN = 0.5;

    /** A trial that no calls of its class end is given up. */
    private static final long TRIAL_MAX_MS = 30_000;

    /** After so many windows at a limit that seems right it is tried whether the usual time is still the usual one. */
    private static final int HELD_MAX = 60;

    private static final double DROP_SHARE = 0.75;

    /** How fast the usual time follows: slowly, and a little faster down than up, because the fast times are the true ones. */
    private static final double DOWN = 0.1;

    private static final double UP = 0.05;

    /** The first windows count alike, so that the very first is not taken for more than it is. */
    private static final int FIRST = 8;

    /** The calls of one class. */
    private static final class Window {
        private final double[] means = new double[PROOF];
        private final double[] loads = new double[PROOF];
        private long sinceMs;
        private int calls;
        private double sum;
        private long load;
        private long count;
        private double usual;
        private int slowInRow;
        private int held;
        private int tried;

        void clear() {
            calls = 0;
            sum = 0;
            load = 0;
        }

        /** Closes it; the last ones are kept as proof. */
        void close() {
            int place = (int) (count++ % PROOF);
            means[place] = sum / calls;
            loads[place] = (double) load / calls;
            clear();
        }

        double last(double[] of) {
            return of[(int) ((count - 1) % PROOF)];
        }

        double average(double[] of) {
            double total = 0;
            int n = (int) Math.min(count, PROOF);
            for (int i = 0; i < n; i++) {
                total += of[i];
            }
            return total / n;
        }
    }

    private record Trial(Window window, double before, double limitBefore, double share, long untilMs) {}

    private final Window[] windows = new Window[SizeClass.COUNT];
    private double limit = UNLIMITED;
    private double badAt = UNLIMITED;
    private double atFirstDrop = UNLIMITED;
    private long changedMs = Long.MIN_VALUE;
    private Trial trial;

    /** Calls that may run at once; {@link #UNLIMITED} while nothing speaks for less. */
    double limit() {
        return limit;
    }

    /**
     * A call was dropped by the target.
     *
     * @param startedMs of the call
     * @param load calls in flight when it began, itself included; so few that the least limit would not change them are not
     *     too many at once, but perhaps too many a minute, which a limit in flight can not mend
     */
    void dropped(long startedMs, int load, long nowMs) {
        if (startedMs > changedMs && load > MIN) {
            trial = null;
            lower(Math.min(limit, load) * DROP_SHARE, nowMs);
            atFirstDrop = atFirstDrop == UNLIMITED ? limit : atFirstDrop;
        }
    }

    /**
     * A call brought its first content.
     *
     * @param sizeClass see {@link SizeClass}
     * @param firstTokenMs less what this node itself may have delayed it
     * @param startedMs of the call; one that began before the limit was last lowered says nothing about it
     * @param load calls in flight when it began, itself included: what its time is the effect of
     */
    void answered(int sizeClass, double firstTokenMs, long startedMs, int load, long nowMs) {
        if (trial != null && nowMs > trial.untilMs()) {
            takeBack(nowMs);
        }
        if (startedMs <= changedMs) {
            return;
        }
        Window window = windows[sizeClass];
        if (window == null) {
            window = new Window();
            windows[sizeClass] = window;
        }
        if (window.calls == 0) {
            window.sinceMs = nowMs;
        }
        window.sum += Math.log(Math.max(TIME_MIN_MS, firstTokenMs));
        window.load += load;
        if (++window.calls >= WINDOW && nowMs - window.sinceMs >= WINDOW_MS) {
            window.close();
            judge(window, nowMs);
        }
    }

    /**
     * The target is well again after its breaker was open. How far it was lowered while all calls failed says nothing; but the first
     * drop told what was too many at once, and that it gets no more at once: a load that broke it would break it again. From there a limit that is used
     * up grows quickly.
     */
    void recovered() {
        limit = atFirstDrop != UNLIMITED ? atFirstDrop : trial != null ? trial.limitBefore() : limit;
        badAt = UNLIMITED;
        atFirstDrop = UNLIMITED;
        trial = null;
    }

    private void judge(Window window, long nowMs) {
        double above = window.last(window.means) - window.usual;
        if (window.count == 1) {
            window.usual = window.last(window.means);
        } else if (trial != null) {
            if (trial.window() == window && ++window.tried == PROOF) {
                endTrial(nowMs);
            }
        } else if (above > SLOW) {
            window.slowInRow++;
            if (window.slowInRow >= PROOF && window.average(window.loads) > MIN) {
                tryLess(window, nowMs);
            }
        } else {
            window.slowInRow = 0;
            settle(window, above, nowMs);
        }
    }

    /** A window in which the target was not slow. */
    private void settle(Window window, double above, long nowMs) {
        double load = window.last(window.loads);
        if (load < limit / 2) {
            window.usual += (window.count <= FIRST ? 1.0 / window.count : above < 0 ? DOWN : UP) * above;
        } else if (window.average(window.means) - window.usual < -FAST) {
            // a target whose limit is used up may be slow because of that: only a time that is clearly better is news
            window.usual += DOWN * above;
        }
        boolean used = load >= 0.8 * limit;
        window.held = used && above > FAST ? window.held + 1 : 0;
        if (window.held >= HELD_MAX) {
            tryLess(window, nowMs);
        } else if (used && above <= FAST) {
            limit += limit < DROP_SHARE * badAt ? limit / 2 : Math.max(1, limit / 10);
            atFirstDrop = UNLIMITED;
        }
    }

    private void tryLess(Window window, long nowMs) {
        double before = window.average(window.means);
        double share = Math.max(TRIAL_SHARE_MIN, Math.min(TRIAL_SHARE, Math.exp(SLOW - (before - window.usual))));
        trial = new Trial(window, before, limit, share, nowMs + TRIAL_MAX_MS);
        window.held = 0;
        window.tried = 0;
        lower(Math.min(limit, window.average(window.loads)) * share, nowMs);
    }

    /** Whether a smaller limit made it faster: in a queue the time falls with the calls; half of that fall is proof enough. */
    private void endTrial(long nowMs) {
        Window window = trial.window();
        double after = window.average(window.means);
        if (trial.before() - after >= -Math.log(trial.share()) / 2) {
            window.slowInRow = PROOF - 1;
            trial = null;
        } else {
            // half of the way, because a trial may err: a target that is six times as slow as before is tried twice
            window.usual += (after - window.usual) / 2;
            takeBack(nowMs);
        }
    }

    private void takeBack(long nowMs) {
        trial.window().slowInRow = 0;
        limit = trial.limitBefore();
        changedMs = nowMs;
        trial = null;
        forgetRunning();
    }

    private void lower(double to, long nowMs) {
        badAt = Math.min(limit, to / DROP_SHARE);
        limit = Math.max(MIN, to);
        changedMs = nowMs;
        forgetRunning();
    }

    private void forgetRunning() {
        for (Window window : windows) {
            if (window != null) {
                window.clear();
            }
        }
    }
}
