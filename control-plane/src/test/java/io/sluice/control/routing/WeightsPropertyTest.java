package io.sluice.control.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.routing.PoolWeights;
import io.sluice.tenants.routing.PublishedWeights;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Nodes that tell each other weights over a bus which loses, repeats and delays messages, while pools move between owners, nodes see that at
 * different times and the network splits. Once all is quiet every node has the same weights, and never did one take older ones.
 */
class WeightsPropertyTest {
    private static final int SEEDS = 200;
    private static final int NODES = 4;
    private static final int STEP_MS = 250;

    private static final List<ScopedId> POOLS =
            List.of(ScopedId.platform("a"), ScopedId.platform("b"), ScopedId.platform("c"));

    private record Message(int to, List<PoolWeights> pools, long atMs) {}

    /** One cluster and one run. */
    private static final class Cluster {
        private final SplittableRandom random;
        private final List<WeightTable> tables = new ArrayList<>();
        private final List<Map<ScopedId, Integer>> views = new ArrayList<>();
        private final List<Set<ScopedId>> held = new ArrayList<>();
        private final PublishedWeights[] applied = new PublishedWeights[NODES];
        private final Map<ScopedId, Integer> owners = new HashMap<>();
        private final Map<ScopedId, PoolWeights> stored = new HashMap<>();
        private final List<Message> flying = new ArrayList<>();
        private boolean lossy = true;
        private boolean split;
        private long nowMs;

        Cluster(long seed) {
            random = new SplittableRandom(seed);
            POOLS.forEach(pool -> owners.put(pool, random.nextInt(NODES)));
            for (int node = 0; node < NODES; node++) {
                tables.add(new WeightTable("n" + node, 0));
                views.add(new HashMap<>(owners));
                held.add(new HashSet<>());
                applied[node] = PublishedWeights.NONE;
            }
        }

        boolean mine(int node, ScopedId pool) {
            return views.get(node).get(pool) == node;
        }

        void step() {
            nowMs += STEP_MS;
            if (lossy) {
                disturb();
            }
            deliver();
            for (int node = 0; node < NODES; node++) {
                own(node, lossy && nowMs % 1_000 == 0);
                if (nowMs % 5_000 == 0) {
                    int self = node;
                    tell(node, tables.get(node).repeated(pool -> mine(self, pool), nowMs));
                }
            }
        }

        private void disturb() {
            split = random.nextInt(100) < 2 ? !split : split;
            for (ScopedId pool : POOLS) {
                if (random.nextInt(100) < 2) {
                    owners.put(pool, random.nextInt(NODES));
                }
                for (Map<ScopedId, Integer> view : views) {
                    if (random.nextInt(8) == 0) {
                        view.put(pool, owners.get(pool));
                    }
                }
            }
        }

        private void own(int node, boolean traffic) {
            WeightTable table = tables.get(node);
            List<PoolHealthMerged> merged = new ArrayList<>();
            for (ScopedId pool : POOLS) {
                if (!mine(node, pool)) {
                    held.get(node).remove(pool);
                } else if (held.get(node).add(pool) && stored.containsKey(pool) && random.nextInt(5) > 0) {
                    tell(node, table.heard(List.of(stored.get(pool)), nowMs));
                }
                if (traffic && mine(node, pool) && random.nextBoolean()) {
                    merged.add(WeightTableTest.health(pool, random.nextInt(3) == 0 ? 1 : random.nextDouble()));
                }
            }
            List<PoolWeights> changed = table.step(merged, pool -> mine(node, pool), nowMs);
            tell(node, changed);
            for (PoolWeights each : changed) {
                boolean saved = random.nextInt(4) > 0;
                if (saved && each.newerThan(stored.get(each.pool()))) {
                    stored.put(each.pool(), each);
                }
            }
            apply(node, List.copyOf(table.known().pools().values()));
        }

        private void tell(int from, List<PoolWeights> pools) {
            for (int to = 0; to < NODES && !pools.isEmpty(); to++) {
                boolean cut = split && (from % 2 != to % 2);
                boolean lost = lossy && (cut || random.nextInt(5) == 0);
                for (int copy = lossy ? random.nextInt(8) / 7 : 0; !lost && to != from && copy >= 0; copy--) {
                    flying.add(new Message(to, pools, nowMs + (lossy ? random.nextInt(2_000) : 1)));
                }
            }
        }

        private void deliver() {
            Map<Boolean, List<Message>> byDue =
                    flying.stream().collect(Collectors.partitioningBy(message -> message.atMs() <= nowMs));
            flying.clear();
            flying.addAll(byDue.get(false));
            List<Message> due = byDue.get(true);
            assertThat(due).as("answers do not multiply").hasSizeLessThan(500);
            for (Message message : due) {
                tell(message.to(), tables.get(message.to()).heard(message.pools(), nowMs));
                apply(message.to(), message.pools());
            }
        }

        /** As a node's snapshot actor does. */
        private void apply(int node, List<PoolWeights> told) {
            PublishedWeights before = applied[node];
            applied[node] = before.plus(told);
            before.pools()
                    .forEach((pool, weights) -> assertThat(
                                    weights.newerThan(applied[node].pools().get(pool)))
                            .as("node %d never takes older weights of %s", node, pool)
                            .isFalse());
            assertThat(applied[node].revision()).isGreaterThanOrEqualTo(before.revision());
        }

        void calm() {
            lossy = false;
            split = false;
            views.forEach(view -> view.putAll(owners));
        }
    }

    @Test
    void allNodesEndWithTheSameWeightsWhateverHappenedBefore() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Cluster cluster = new Cluster(seed);
            for (int i = 0; i < 400; i++) {
                cluster.step();
            }
            cluster.calm();
            for (int i = 0; i < 160; i++) {
                cluster.step();
            }
            PublishedWeights all = cluster.applied[0];
            assertThat(all.pools()).as("seed %d", seed).isNotEmpty();
            for (int node = 0; node < NODES; node++) {
                assertThat(cluster.applied[node])
                        .as("seed %d, node %d", seed, node)
                        .isEqualTo(all);
                assertThat(cluster.tables.get(node).known())
                        .as("seed %d, node %d", seed, node)
                        .isEqualTo(all);
            }
        }
    }
}
