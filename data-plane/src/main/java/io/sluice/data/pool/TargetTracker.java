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
    private long usable;

    TargetTracker(String key, TargetGauge gauge, BreakerSettings settings) {
        this.key = key;
        this.gauge = gauge;
        breaker = Breaker.closed(settings);
    }

    /** Counts a call and lets the gauge say what follows from it. */
    void observe(CallObserved call, long nowMs) {
        if (call.failure() == null) {
            usable++;
            latency.record(call.totalMs());
        } else {
            failures.merge(call.failure(), 1L, Long::sum);
        }
        if (call.firstTokenMs() >= 0) {
            firstToken.record(call.firstTokenMs());
        }
        boolean probing = breaker.state() == BreakerState.HALF_OPEN;
        if (probing && call.failure() != null && call.failure().breaker() == BreakerEffect.NONE) {
            gauge.probeBack();
        }
        Breaker next =
                call.firstAttempt() || probing ? breaker.next(call.failure(), nowMs, call.retryAfterMs()) : breaker;
        apply(leftAlone(call.failure()) ? next.hold(nowMs, call.retryAfterMs()) : next, health.next(call.failure()));
    }

    /** Whether nobody may call before the time that the provider named; other classes are repeated within their request. */
    private static boolean leftAlone(FailureClass failure) {
        return failure != null && failure.breaker() != BreakerEffect.NONE && failure.sameTargetRetriesMax() == 0;
    }

    /** Lets time pass. */
    void tick(long nowMs) {
        apply(breaker.at(nowMs), health);
    }

    /** When {@link #tick} has something to do; 0 where nothing is due. */
    long dueMs() {
        return breaker.state() == BreakerState.OPEN ? breaker.untilMs() : 0;
    }

    private void apply(Breaker next, LocalHealth nextHealth) {
        boolean recovered = next.state() == BreakerState.CLOSED && breaker.state() == BreakerState.HALF_OPEN;
        breaker = next;
        health = recovered ? LocalHealth.RECOVERING : nextHealth;
        gauge.update(breaker, health.factor());
    }

    /** The window since the last call of this method. */
    TargetWindow drain() {
        TargetWindow window = new TargetWindow(
                key,
                usable,
                Map.copyOf(failures),
                latency.drain(),
                firstToken.drain(),
                gauge.inFlight(),
                state(),
                gauge.local());
        usable = 0;
        failures.clear();
        return window;
    }

    private TargetState state() {
        return switch (breaker.state()) {
            case OPEN -> TargetState.EJECTED;
            case HALF_OPEN -> TargetState.PROBING;
            case CLOSED -> health.usable() < 0.9 ? TargetState.WARMING : TargetState.SERVING;
        };
    }
}
