package io.sluice.control.routing;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.MergedTarget;
import io.sluice.tenants.routing.PublishedWeights;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Turns health into published weights: down at once, up by a bounded step per second, and no new revision for changes that
 * nobody would notice. Immutable; times are milliseconds of one clock.
 *
 * @param wanted health as last merged, by pool and target
 * @param rising pools that still climb towards it
 * @param atMs up to when climbing pools have climbed
 */
public record WeightPlan(
        PublishedWeights published, Map<ScopedId, Map<String, Double>> wanted, Set<ScopedId> rising, long atMs) {
    /** From nothing to all in ten seconds: caches of a server that came back fill, and a relapse hurts few calls. */
    static final double RISE_PER_SECOND = 0.1;

    /** A hundredth of a share is below what one node's draws would show. */
    static final double CHANGE_MIN = 0.01;

    public WeightPlan {
        wanted = Map.copyOf(wanted);
        rising = Set.copyOf(rising);
    }

    /** Before anything was merged: all targets count as configured. */
    public static WeightPlan fresh(long nowMs) {
        return new WeightPlan(PublishedWeights.NONE, Map.of(), Set.of(), nowMs);
    }

    /** One step: takes in what was merged since the last, and lets climbing pools climb. */
    public WeightPlan next(Collection<PoolHealthMerged> merged, long nowMs) {
        if (merged.isEmpty() && rising.isEmpty()) {
            return new WeightPlan(published, wanted, rising, nowMs);
        }
        Map<ScopedId, Map<String, Double>> goals = new HashMap<>(wanted);
        Set<ScopedId> moving = new HashSet<>(rising);
        for (PoolHealthMerged pool : merged) {
            Map<String, Double> goal = new HashMap<>();
            for (MergedTarget target : pool.targets()) {
                goal.put(target.key(), target.health());
            }
            goals.put(pool.pool(), Map.copyOf(goal));
            moving.add(pool.pool());
        }
        double rise = RISE_PER_SECOND * Math.max(0, nowMs - atMs) / 1_000;
        long at = rise < CHANGE_MIN ? atMs : nowMs;
        Map<ScopedId, Map<String, Double>> weights = new HashMap<>(published.health());
        boolean changed = false;
        for (ScopedId pool : Set.copyOf(moving)) {
            Map<String, Double> before = published.of(pool);
            Map<String, Double> after = step(before, goals.get(pool), rise);
            if (!after.equals(before)) {
                weights.put(pool, after);
                changed = true;
            }
            if (!climbs(after, goals.get(pool))) {
                moving.remove(pool);
            }
        }
        PublishedWeights next = changed ? new PublishedWeights(published.revision() + 1, weights) : published;
        return new WeightPlan(next, goals, moving, at);
    }

    /** A target that was never published counts as 1, so that is where it starts from. */
    private static Map<String, Double> step(Map<String, Double> before, Map<String, Double> goal, double rise) {
        Map<String, Double> after = new HashMap<>();
        goal.forEach((target, health) -> {
            double now = before.getOrDefault(target, 1.0);
            double next = health < now ? health : Math.min(health, now + rise);
            boolean arrives = next == 1 && now < 1;
            boolean told = Math.abs(next - now) > CHANGE_MIN || arrives;
            if (told || before.containsKey(target)) {
                after.put(target, told ? next : now);
            }
        });
        return Map.copyOf(after);
    }

    private static boolean climbs(Map<String, Double> now, Map<String, Double> goal) {
        return goal.entrySet().stream().anyMatch(entry -> {
            double left = entry.getValue() - now.getOrDefault(entry.getKey(), 1.0);
            return left > CHANGE_MIN || (left > 0 && entry.getValue() == 1);
        });
    }
}
