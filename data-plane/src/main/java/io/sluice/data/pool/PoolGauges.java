package io.sluice.data.pool;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The gauges of one pool on one node. Thread-safe. */
public final class PoolGauges {
    private final Map<String, TargetGauge> targets = new ConcurrentHashMap<>();
    private final RetryBudget retries;

    PoolGauges(RetrySettings retries) {
        this.retries = new RetryBudget(retries);
    }

    /** What requests that have called this pool may still call of it. */
    public RetryBudget retries() {
        return retries;
    }

    /** The gauge of a target; made at its first use. */
    public TargetGauge of(String targetKey) {
        TargetGauge gauge = targets.get(targetKey);
        return gauge != null ? gauge : targets.computeIfAbsent(targetKey, key -> new TargetGauge());
    }

    /** All calls in flight. */
    public int inFlight() {
        return targets.values().stream().mapToInt(TargetGauge::inFlight).sum();
    }
}
