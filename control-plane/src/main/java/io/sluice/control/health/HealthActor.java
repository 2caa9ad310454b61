package io.sluice.control.health;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.BusMessage.PoolReported;
import io.sluice.tenants.message.MergedTarget;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Owns the merged health of every pool, on one loop since reports of all nodes change the same figures. In:
 * {@link PoolReported}. Out: {@link PoolHealthMerged}, once a second for each pool with traffic or change.
 */
public final class HealthActor extends VerticleBase {
    /** F2 wants figures once a second. */
    static final long INTERVAL_MS = 1_000;

    /** Smaller moves of a health figure, as it recovers by itself, are not told. */
    private static final double TOLD_MIN = 0.001;

    private final Bus bus;
    private final InstantSource clock;
    private final Map<ScopedId, PoolMerger> pools = new HashMap<>();
    private final Map<ScopedId, List<MergedTarget>> told = new HashMap<>();
    private final Set<ScopedId> active = new HashSet<>();

    public HealthActor(Bus bus, InstantSource clock) {
        this.bus = bus;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(INTERVAL_MS, timer -> tick());
        return bus.on(Address.POOL_REPORTS, this::onReported);
    }

    private void onReported(PoolReported report) {
        pools.compute(
                report.pool(),
                (id, merger) -> (merger == null ? PoolMerger.of(id) : merger).next(report, clock.millis()));
        if (report.targets().stream().anyMatch(target -> target.usable() + target.unusable() + target.inFlight() > 0)) {
            active.add(report.pool());
        }
    }

    private void tick() {
        long now = clock.millis();
        pools.values().removeIf(merger -> merger.silent(now));
        told.keySet().retainAll(pools.keySet());
        pools.forEach((id, merger) -> {
            PoolHealthMerged merged = merger.merged(now);
            if (active.contains(id) || differs(told.get(id), merged.targets())) {
                told.put(id, merged.targets());
                bus.publish(Address.POOL_HEALTH, merged);
            }
        });
        active.clear();
    }

    static boolean differs(List<MergedTarget> before, List<MergedTarget> now) {
        if (before == null || before.size() != now.size()) {
            return true;
        }
        for (int i = 0; i < now.size(); i++) {
            MergedTarget old = before.get(i);
            MergedTarget fresh = now.get(i);
            if (!old.key().equals(fresh.key())
                    || old.state() != fresh.state()
                    || Math.abs(old.health() - fresh.health()) > TOLD_MIN
                    || Math.abs(old.local() - fresh.local()) > TOLD_MIN) {
                return true;
            }
        }
        return false;
    }
}
