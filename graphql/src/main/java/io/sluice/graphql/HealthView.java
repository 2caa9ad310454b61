package io.sluice.graphql;

import graphql.schema.DataFetchingEnvironment;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.MergedTarget;
import io.sluice.tenants.routing.SnapshotCompiler;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Configured pools joined with their live figures, as of one request. */
record HealthView(Map<ScopedId, PoolHealthMerged> figures) {
    /** One target of a pool. */
    record TargetView(String provider, String model, int weight, double health, TargetState state) {}

    /** One pool's figures. */
    record PoolView(ScopedId pool, long epoch, PoolHealthMerged figures, List<TargetView> targets) {}

    /** The figures that the whole request sees. */
    static HealthView of(ControlPlaneApi api, DataFetchingEnvironment environment) {
        return environment
                .getGraphQlContext()
                .computeIfAbsent(
                        HealthView.class,
                        first -> new HealthView(api.poolHealth().stream()
                                .collect(Collectors.toMap(PoolHealthMerged::pool, Function.identity(), (a, b) -> b))));
    }

    PoolView view(PoolConfig pool, long epoch, Instant now) {
        PoolHealthMerged found = figures.get(pool.id());
        return view(pool, epoch, found == null ? untouched(pool.id(), now) : found);
    }

    static PoolView view(PoolConfig pool, long epoch, PoolHealthMerged figures) {
        return new PoolView(pool.id(), epoch, figures, targets(pool, figures.targets()));
    }

    List<TargetView> targets(PoolConfig pool) {
        PoolHealthMerged found = figures.get(pool.id());
        return targets(pool, found == null ? List.of() : found.targets());
    }

    /** Nothing was seen of the pool yet, and nothing bad either. */
    private static PoolHealthMerged untouched(ScopedId pool, Instant now) {
        return new PoolHealthMerged(pool, now, List.of(), 1, 0, 0, 0, 0);
    }

    private static List<TargetView> targets(PoolConfig pool, List<MergedTarget> seen) {
        return pool.targets().stream()
                .map(target -> {
                    Optional<MergedTarget> live = seen.stream()
                            .filter(each -> each.key().equals(SnapshotCompiler.targetKey(target)))
                            .findFirst();
                    return new TargetView(
                            target.provider(),
                            target.model(),
                            target.weight(),
                            live.map(MergedTarget::health).orElse(1.0),
                            live.map(MergedTarget::state)
                                    .orElse(target.weight() == 0 ? TargetState.DRAINED : TargetState.SERVING));
                })
                .toList();
    }
}
