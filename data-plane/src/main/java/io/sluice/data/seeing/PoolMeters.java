package io.sluice.data.seeing;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.tenants.failure.FailureClass;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The metrics of pools and their targets. Labels hold only configured names, bounded by {@link Labels}. Thread-safe. */
public final class PoolMeters {
    private static final Logger LOG = LoggerFactory.getLogger("io.sluice.pool");

    /** Pools and targets over all tenants. */
    private static final int NAMES_MAX = 500;

    private final MeterRegistry registry;
    private final Counter alerts;
    private final Labels pools = new Labels(NAMES_MAX);
    private final Labels targets = new Labels(NAMES_MAX);
    private final Labels limits = new Labels(NAMES_MAX);
    private final Map<Opening, Counter> openings = new ConcurrentHashMap<>();

    private final Map<Pinged, Counter> pings = new ConcurrentHashMap<>();

    private record Pinged(String target, boolean well) {}

    private record Opening(String pool, String target, FailureClass failure) {}

    public PoolMeters(MeterRegistry registry) {
        this.registry = registry;
        alerts = Counter.builder("sluice.alerts")
                .description("Failures that an operator has to look at")
                .register(registry);
    }

    /**
     * A target's breaker opened. A row of 429 is no burst but a quota that does not fit: an operator has to give the traffic
     * another pool (requirement A3).
     */
    public void breakerOpened(String pool, String target, FailureClass failure) {
        openings.computeIfAbsent(new Opening(pools.of(pool), targets.of(target), failure), this::opened)
                .increment();
        boolean quota = failure == FailureClass.RATE_LIMITED;
        if (quota) {
            alerts.increment();
        }
        LOG.atWarn()
                .addKeyValue("pool", pool)
                .addKeyValue("target", target)
                .addKeyValue("failure", failure.name())
                .log(
                        quota
                                ? "A target refused too many calls in a row: its quota does not fit its traffic, switch the"
                                        + " pool or raise the quota"
                                : "A target's circuit breaker opened");
    }

    /**
     * A target was met for the first time.
     *
     * @param figures what {@code limit} is read from, for as long as they are kept elsewhere
     */
    public <T> void target(String pool, String target, T figures, ToDoubleFunction<T> limit) {
        if (!limits.of(pool + "/" + target).equals(Labels.OTHER)) {
            Gauge.builder("sluice.target.limit", figures, limit)
                    .description("Calls that a target may have in flight on this node")
                    .tag("pool", pool)
                    .tag("target", target)
                    .register(registry);
        }
    }

    /** An idle target was pinged. */
    public void pinged(String target, boolean well) {
        pings.computeIfAbsent(
                        new Pinged(targets.of(target), well),
                        made -> Counter.builder("sluice.warm.pings")
                                .description("Pings of idle targets of ladders in use")
                                .tag("target", made.target())
                                .tag("result", made.well() ? "ok" : "failed")
                                .register(registry))
                .increment();
    }

    private Counter opened(Opening opening) {
        return Counter.builder("sluice.breaker.opened")
                .description("Openings of targets' circuit breakers, by the class of the failure that opened them")
                .tag("pool", opening.pool())
                .tag("target", opening.target())
                .tag("class", opening.failure().name())
                .register(registry);
    }
}
