package io.sluice.tenants.drill;

import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.money.Money;
import java.util.EnumMap;
import java.util.Map;

/**
 * What one rung did in one run of a drill. Two of the same rung add up.
 *
 * @param requests that tried it
 * @param answered requests that it answered
 * @param failures attempts on it that failed, by class
 * @param latency milliseconds from a request's arrival to the end of its answer, of requests that it answered
 * @param cost of all attempts on it whose price is known
 */
public record RungTally(
        String step,
        long requests,
        long answered,
        Map<FailureClass, Long> failures,
        LatencyHistogram latency,
        Money cost) {
    public RungTally {
        failures = Map.copyOf(failures);
    }

    RungTally plus(RungTally other) {
        Map<FailureClass, Long> sum = new EnumMap<>(FailureClass.class);
        sum.putAll(failures);
        other.failures.forEach((failure, count) -> sum.merge(failure, count, Long::sum));
        return new RungTally(
                step,
                requests + other.requests,
                answered + other.answered,
                sum,
                latency.plus(other.latency),
                cost.plus(other.cost));
    }
}
