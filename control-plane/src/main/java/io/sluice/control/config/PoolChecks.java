package io.sluice.control.config;

import io.sluice.control.api.ConfigCommand.PutPool;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.routing.SnapshotCompiler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Pools. */
final class PoolChecks {
    /** Each target costs an actor's state and a line in every decision; real pools stay below ten. */
    static final int TARGETS_MAX = 64;

    static final int WEIGHT_MAX = 1_000;

    private PoolChecks() {}

    static void put(Draft draft, PutPool command, Instant now, Problems problems) {
        int mistakes = problems.count();
        boolean named = problems.id(command.id(), "id");
        if (named && command.id().equals("auto")) {
            problems.add(UserErrorCode.INVALID, "must not be auto, which means that the scenario decides", "id");
        }
        PoolConfig was = named ? draft.own().pools().get(command.id()) : null;
        int version =
                named ? problems.nextVersion(command.version(), was == null ? 0 : was.version(), draft.document()) : 0;
        Tier tier = problems.oneOf(Tier.class, command.tier(), "tier");
        List<TargetConfig> targets = targets(draft, command.targets(), now, problems);
        if (was == null) {
            ProviderChecks.room(draft.own().pools(), problems);
        }
        if (problems.count() > mistakes) {
            return;
        }
        ScopedId id = new ScopedId(draft.owner(), command.id());
        if (was != null && was.equals(new PoolConfig(id, was.version(), tier, targets))) {
            draft.put(was, Change.UNCHANGED);
        } else {
            draft.put(new PoolConfig(id, version, tier, targets), was == null ? Change.CREATED : Change.UPDATED);
        }
    }

    private static List<TargetConfig> targets(Draft draft, List<PutPool.Target> typed, Instant now, Problems problems) {
        List<TargetConfig> targets = new ArrayList<>();
        if (!problems.present(typed, "targets")) {
            return targets;
        }
        if (typed.isEmpty() || typed.size() > TARGETS_MAX) {
            problems.add(UserErrorCode.INVALID, "must have 1 to " + TARGETS_MAX + " targets", "targets");
            return targets;
        }
        int mistakes = problems.count();
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < typed.size(); i++) {
            target(draft, typed.get(i), keys, now, problems.at("targets", Integer.toString(i)))
                    .ifPresent(targets::add);
        }
        if (problems.count() == mistakes && targets.stream().allMatch(target -> target.weight() == 0)) {
            problems.add(UserErrorCode.INVALID, "must have a target whose weight is more than 0", "targets");
        }
        return targets;
    }

    private static Optional<TargetConfig> target(
            Draft draft, PutPool.Target typed, Set<String> keys, Instant now, Problems problems) {
        int mistakes = problems.count();
        if (problems.present(typed.provider(), "provider")
                && !draft.sees(ObjectKind.PROVIDER, typed.provider(), Catalog::providers)) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such provider; put it first", "provider");
        }
        if (problems.present(typed.model(), "model") && !draft.sees(ObjectKind.MODEL, typed.model(), Catalog::models)) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such model; put it first", "model");
        }
        if (typed.upstreamName() != null) {
            problems.name(typed.upstreamName(), "upstreamName");
        }
        if (problems.notNull(typed.weight(), "weight")) {
            problems.range(typed.weight(), 0, WEIGHT_MAX, "weight");
        }
        if (problems.count() > mistakes) {
            return Optional.empty();
        }
        TargetConfig target = new TargetConfig(typed.provider(), typed.model(), typed.upstreamName(), typed.weight());
        if (!keys.add(SnapshotCompiler.targetKey(target))) {
            problems.add(
                    UserErrorCode.DUPLICATE, "is the same provider and model as a target before; add up the weights");
        }
        if (!draft.priced(target, now)) {
            problems.add(
                    UserErrorCode.REQUIRED,
                    "has no price now, in your currency or in the starting table, so no budget could hold; give it one with"
                            + " putPrice, 0 where it is free",
                    "model");
        }
        return Optional.of(target);
    }
}
