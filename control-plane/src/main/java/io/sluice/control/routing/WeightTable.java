package io.sluice.control.routing;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.routing.PoolWeights;
import io.sluice.tenants.routing.PublishedWeights;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The weights as one node knows them, and what it has to tell other nodes so that all come to know the same, although messages get lost,
 * come late or twice, and two nodes may believe to own a pool:
 * <ol>
 *   <li>The owner tells each change at once, and all its pools again and again.
 *   <li>Whoever hears of weights and knows newer ones, which nobody told for {@link #BACK_MS}, tells those.
 *   <li>What nobody has told for {@link #UNTOLD_MS} is told by whoever knows it: its owner may be the one who does not.
 * </ol>
 * For one thread; times are milliseconds of one clock.
 */
final class WeightTable {
    /** Three times the owner's interval: it was lost twice, or the owner does not know. */
    static final long UNTOLD_MS = 15_000;

    /** Whoever tells older ones has, or will soon have, heard what was told since: answers to answers would never end. */
    static final long BACK_MS = 1_000;

    private final String node;
    /** When the newest that is known of a pool was told last, by anyone. */
    private final Map<ScopedId, Long> toldMs = new HashMap<>();

    private WeightPlan plan;

    WeightTable(String node, long nowMs) {
        this.node = node;
        plan = WeightPlan.fresh(nowMs);
    }

    PublishedWeights known() {
        return plan.published();
    }

    /** Takes in what another node told, or what was stored; gives what has to be told back. */
    List<PoolWeights> heard(Collection<PoolWeights> told, long nowMs) {
        plan = plan.heard(told, nowMs);
        List<PoolWeights> back = new ArrayList<>();
        for (PoolWeights each : told) {
            PoolWeights known = plan.published().pools().get(each.pool());
            long before = toldMs.getOrDefault(each.pool(), Long.MIN_VALUE / 2);
            if (!known.newerThan(each)) {
                toldMs.put(each.pool(), nowMs);
            } else if (nowMs - before >= BACK_MS) {
                toldMs.put(each.pool(), nowMs);
                back.add(known);
            }
        }
        return back;
    }

    /**
     * One step of the pools that this node owns; gives what changed.
     *
     * @param merged their health, where it is new
     * @param mine which they are
     */
    List<PoolWeights> step(Collection<PoolHealthMerged> merged, Predicate<ScopedId> mine, long nowMs) {
        WeightPlan before = plan.only(mine);
        plan = before.next(node, merged, nowMs);
        List<PoolWeights> changed = plan.since(before);
        changed.forEach(each -> toldMs.put(each.pool(), nowMs));
        return changed;
    }

    /** What is told from time to time. */
    List<PoolWeights> repeated(Predicate<ScopedId> mine, long nowMs) {
        List<PoolWeights> due = plan.published().pools().values().stream()
                .filter(each -> mine.test(each.pool()) || nowMs - toldMs.get(each.pool()) >= UNTOLD_MS)
                .toList();
        due.forEach(each -> toldMs.put(each.pool(), nowMs));
        return due;
    }
}
