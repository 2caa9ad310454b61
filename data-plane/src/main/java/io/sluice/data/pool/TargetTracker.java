package io.sluice.data.pool;

import io.sluice.tenants.failure.BreakerEffect;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.health.TargetWindow;
import io.sluice.tenants.message.BusMessage.CallObserved;
import io.sluice.tenants.routing.BreakerState;
import java.util.EnumMap;
import java.util.Map;

/** What a pool's actor keeps of one target: breaker, fast health and the window since the last report. Owned by the actor. */
final class TargetTracker {
    private final String key;
    private final TargetGauge gauge;
    private final Map<FailureClass, Long> failures = new EnumMap<>(FailureClass.class);
    private final LatencyHistogram.Recorder latency = new LatencyHistogram.Recorder();
    private final LatencyHistogram.Recorder firstToken = new LatencyHistogram.Recorder();
    private Breaker breaker;
    private LocalHealth health = LocalHealth.FULL;
    private SlowStart slowStart;
    private final long warmPingMs;
    private long touchedMs = Long.MIN_VALUE / 2;
    private double ping = 1;
    private long usable;
    private final AdaptiveLimit limit = new AdaptiveLimit();

    TargetTracker(String key, TargetGauge gauge, PoolSettings settings) {
        this.key = key;
        this.gauge = gauge;
        breaker = Breaker.closed(settings.breaker());
        slowStart = new SlowStart(gauge.newSinceMs(), settings.slowStartMs());
        warmPingMs = settings.warmPingMs();
    }

    /**
     * Counts a call and lets the gauge say what follows from it.
     *
     * @return whether it opened the breaker, not only for a time that the provider named
     */
    boolean observe(CallObserved call, long nowMs) {
        touchedMs = nowMs;
        if (call.failure() == null) {
            ping = 1;
            usable++;
            latency.record(call.totalMs());
        } else {
            failures.merge(call.failure(), 1L, Long::sum);
        }
        if (call.firstTokenMs() >= 0) {
            firstToken.record(call.firstTokenMs());
        }
        adapt(call, nowMs);
        boolean probing = breaker.state() == BreakerState.HALF_OPEN;
        if (probing && call.failure() != null && call.failure().breaker() == BreakerEffect.NONE) {
            gauge.probeBack();
        }
        boolean wasOpen = breaker.state() == BreakerState.OPEN && !breaker.held();
        Breaker counted =
                call.firstAttempt() || probing ? breaker.next(call.failure(), nowMs, call.retryAfterMs()) : breaker;
        Breaker next = call.whileOpen() && call.failure() == null ? counted.answeredEarly(nowMs) : counted;
        apply(
                leftAlone(call.failure()) ? next.hold(nowMs, call.retryAfterMs()) : next,
                health.next(call.failure()),
                nowMs);
        return !wasOpen && breaker.state() == BreakerState.OPEN && !breaker.held();
    }

    /** What the call says about how many the target takes at once. */
    private void adapt(CallObserved call, long nowMs) {
        long startedMs = nowMs - (long) call.totalMs();
        if (dropped(call)) {
            limit.dropped(startedMs, call.load(), nowMs);
        } else if (call.firstAttempt() && call.failure() == null && call.firstTokenMs() >= 0) {
            double targetMs = call.firstTokenMs() - call.ownDelayMs();
            limit.answered(call.sizeClass(), targetMs, startedMs, call.load(), nowMs);
        }
        gauge.limited(limit.limit());
    }

    /** Whether the target took no such call; a repeat has less time, so that its timeout says less. */
    private static boolean dropped(CallObserved call) {
        return call.failure() == FailureClass.RATE_LIMITED
                || call.failure() == FailureClass.OVERLOADED
                || (call.failure() == FailureClass.TIMEOUT_FIRST_TOKEN && call.firstAttempt());
    }

    /** Whether nobody may call before the time that the provider named; other classes are repeated within their request. */
    private static boolean leftAlone(FailureClass failure) {
        return failure != null && failure.breaker() != BreakerEffect.NONE && failure.sameTargetRetriesMax() == 0;
    }

    /** Whether it has been idle for so long that it should be pinged; then it counts as touched. */
    boolean pingDue(long nowMs) {
        if (warmPingMs == 0 || breaker.state() != BreakerState.CLOSED || nowMs - touchedMs < warmPingMs) {
            return false;
        }
        touchedMs = nowMs;
        return true;
    }

    /** A ping ended. It never moves the breaker, and what it lowers, a good one or a usable answer gives back. */
    void pinged(boolean well, long nowMs) {
        ping = well ? 1 : Math.max(LocalHealth.FACTOR_MIN, ping / 2);
        apply(breaker, health, nowMs);
    }

    /** Lets time pass. */
    void tick(long nowMs) {
        apply(breaker.at(nowMs), health, nowMs);
    }

    /** When {@link #tick} has something to do; 0 where nothing is due. */
    long dueMs() {
        return breaker.state() == BreakerState.OPEN ? breaker.untilMs() : 0;
    }

    private void apply(Breaker next, LocalHealth nextHealth, long nowMs) {
        boolean recovered = next.state() == BreakerState.CLOSED && breaker.state() == BreakerState.HALF_OPEN;
        if (recovered) {
            limit.recovered();
            gauge.limited(limit.limit());
        }
        breaker = next;
        health = recovered ? LocalHealth.RECOVERING : nextHealth;
        slowStart = recovered ? slowStart.from(nowMs) : slowStart;
        gauge.update(breaker, Math.min(ping, Math.min(health.factor(), slowStart.factor(nowMs))));
    }

    /** The window since the last call of this method. */
    TargetWindow drain(long nowMs) {
        TargetWindow window = new TargetWindow(
                key,
                usable,
                Map.copyOf(failures),
                latency.drain(),
                firstToken.drain(),
                gauge.inFlight(),
                state(nowMs),
                gauge.local());
        usable = 0;
        failures.clear();
        return window;
    }

    /** Whether the window says nothing: no call since the last one, and nothing that keeps the target from serving in full. */
    boolean atRest(long nowMs) {
        return usable == 0
                && failures.isEmpty()
                && gauge.inFlight() == 0
                && gauge.local() == 1
                && state(nowMs) == TargetState.SERVING;
    }

    private TargetState state(long nowMs) {
        return switch (breaker.state()) {
            case OPEN, RETURNING -> TargetState.EJECTED;
            case HALF_OPEN -> TargetState.PROBING;
            case CLOSED ->
                health.usable() < 0.9 || slowStart.running(nowMs) ? TargetState.WARMING : TargetState.SERVING;
        };
    }
}
