package io.sluice.data.pool;

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
        if (call.firstAttempt() || breaker.state() == BreakerState.HALF_OPEN) {
            apply(breaker.next(call.failure(), nowMs, call.retryAfterMs()), health.next(call.failure()));
        } else {
            apply(breaker, health.next(call.failure()));
        }
    }

    /** Lets time pass. */
    void tick(long nowMs) {
        apply(breaker.at(nowMs), health);
    }

    private void apply(Breaker next, LocalHealth nextHealth) {
        boolean justClosed = next.state() == BreakerState.CLOSED && breaker.state() != BreakerState.CLOSED;
        breaker = next;
        health = justClosed ? LocalHealth.RECOVERING : nextHealth;
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
