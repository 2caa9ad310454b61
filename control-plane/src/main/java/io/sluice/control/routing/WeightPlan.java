package io.sluice.control.routing;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.Stamp;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.MergedTarget;
import io.sluice.tenants.routing.PoolWeights;
import io.sluice.tenants.routing.PublishedWeights;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Turns health into published weights: down at once, up by a bounded step per second, and no new state for changes that nobody would
 * notice. It goes on from whatever weights are known, whoever published them. Immutable; times are milliseconds of one clock.
 *
 * @param published all that this node knows, of its own pools and of others'
 * @param wanted health as last merged, by pool and target
 * @param rising pools that still climb towards it, and up to when each has climbed
 * @param atMs of the last step
 */
public record WeightPlan(
        PublishedWeights published, Map<ScopedId, Map<String, Double>> wanted, Map<ScopedId, Long> rising, long atMs) {
    /** From nothing to all in ten seconds: caches of a server that came back fill, and a relapse hurts few calls. */
    static final double RISE_PER_SECOND = 0.1;

    /** A hundredth of a share is below what one node's draws would show. */
    static final double CHANGE_MIN = 0.01;

    public WeightPlan {
        wanted = Map.copyOf(wanted);
        rising = Map.copyOf(rising);
    }

    /** Before anything was merged: all targets count as configured. */
    public static WeightPlan fresh(long nowMs) {
        return new WeightPlan(PublishedWeights.NONE, Map.of(), Map.of(), nowMs);
    }

    /**
     * After others' weights were heard. A pool that this node raises, too, climbs from there and from now on: two who believe to own it
     * raise it no faster than one.
     */
    public WeightPlan heard(Collection<PoolWeights> told, long nowMs) {
        PublishedWeights next = published.plus(told);
        Map<ScopedId, Long> moving = new HashMap<>(rising);
        for (PoolWeights each : told) {
            ScopedId pool = each.pool();
            if (wanted.containsKey(pool)
                    && next.pools().get(pool).newerThan(published.pools().get(pool))) {
                moving.put(pool, nowMs);
            }
        }
        return new WeightPlan(next, wanted, moving, atMs);
    }

    /** Without the goals of pools that are another node's by now. */
    public WeightPlan only(Predicate<ScopedId> mine) {
        if (wanted.keySet().stream().allMatch(mine)) {
            return this;
        }
        Map<ScopedId, Map<String, Double>> goals = new HashMap<>(wanted);
        Map<ScopedId, Long> moving = new HashMap<>(rising);
        goals.keySet().removeIf(mine.negate());
        moving.keySet().removeIf(mine.negate());
        return new WeightPlan(published, goals, moving, atMs);
    }

    /** One step: takes in what was merged since the last, and lets climbing pools climb. What changes is stamped by {@code node}. */
    public WeightPlan next(String node, Collection<PoolHealthMerged> merged, long nowMs) {
        if (merged.isEmpty() && rising.isEmpty()) {
            return new WeightPlan(published, wanted, rising, nowMs);
        }
        Map<ScopedId, Map<String, Double>> goals = new HashMap<>(wanted);
        Map<ScopedId, Long> moving = new HashMap<>(rising);
        for (PoolHealthMerged pool : merged) {
            Map<String, Double> goal = new HashMap<>();
            for (MergedTarget target : pool.targets()) {
                goal.put(target.key(), target.health());
            }
            goals.put(pool.pool(), Map.copyOf(goal));
            moving.putIfAbsent(pool.pool(), atMs);
        }
        List<PoolWeights> changed = new ArrayList<>();
        for (Map.Entry<ScopedId, Long> climbing : Map.copyOf(moving).entrySet()) {
            ScopedId pool = climbing.getKey();
            Map<String, Double> goal = goals.get(pool);
            double rise = RISE_PER_SECOND * Math.max(0, nowMs - climbing.getValue()) / 1_000;
            Map<String, Double> before = published.of(pool);
            Map<String, Double> after = step(before, goal, rise);
            if (!after.equals(before)) {
                PoolWeights known = published.pools().get(pool);
                changed.add(new PoolWeights(pool, Stamp.after(known == null ? null : known.stamp(), node), after));
            }
            if (!climbs(after, goal)) {
                moving.remove(pool);
            } else if (rise >= CHANGE_MIN) {
                moving.put(pool, nowMs);
            }
        }
        return new WeightPlan(published.plus(changed), goals, moving, nowMs);
    }

    /** What is published here and not in {@code before}. */
    public List<PoolWeights> since(WeightPlan before) {
        return published.pools().values().stream()
                .filter(each -> each.newerThan(before.published().pools().get(each.pool())))
                .toList();
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
