package io.sluice.ops.hazelcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who owns a partition, over random clusters: some nodes control, some only take requests, and any of them may have the partition. */
class OwnerDeciderTest {
    private static final int PARTITIONS = 271;
    private static final int CLUSTERS = 60;

    /** One view of a cluster. */
    private record View(List<Optional<String>> holders, Set<String> controllers) {
        static View of(long seed) {
            Random random = new Random(seed);
            int size = 1 + random.nextInt(12);
            List<String> nodes = new ArrayList<>(
                    IntStream.range(0, size).mapToObj(i -> "sluice-" + i).toList());
            Set<String> controllers = new TreeSet<>(nodes.subList(0, random.nextInt(size + 1)));
            List<Optional<String>> holders = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                int holder = random.nextInt(size + 1);
                holders.add(holder == size ? Optional.empty() : Optional.of(nodes.get(holder)));
            }
            return new View(holders, controllers);
        }

        List<Optional<String>> owners() {
            List<Optional<String>> owners = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                owners.add(OwnerDecider.decide(partition, holders.get(partition), controllers));
            }
            return owners;
        }

        View with(Set<String> others) {
            return new View(holders, others);
        }
    }

    static IntStream seeds() {
        return IntStream.range(0, CLUSTERS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void isTheSameOnAllNodesInWhicheverOrderTheySeeTheOthers(int seed) {
        View view = View.of(seed);
        List<String> shuffled = new ArrayList<>(view.controllers());
        Collections.shuffle(shuffled, new Random(seed));

        assertThat(view.with(new HashSet<>(shuffled)).owners()).isEqualTo(view.owners());
        assertThat(view.with(new LinkedHashSet<>(shuffled)).owners()).isEqualTo(view.owners());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void isAlwaysANodeThatControlsAndTheHolderWhereItDoes(int seed) {
        View view = View.of(seed);
        List<Optional<String>> owners = view.owners();

        for (int partition = 0; partition < PARTITIONS; partition++) {
            Optional<String> owner = owners.get(partition);
            Optional<String> holder = view.holders().get(partition);
            assertThat(owner.isPresent()).isEqualTo(!view.controllers().isEmpty());
            assertThat(view.controllers()).containsAll(owner.stream().toList());
            if (holder.isPresent() && view.controllers().contains(holder.get())) {
                assertThat(owner).isEqualTo(holder);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void movesOnlyWhatANodeThatGoesOwned(int seed) {
        View before = View.of(seed);
        if (before.controllers().isEmpty()) {
            return;
        }
        String gone = before.controllers().iterator().next();
        Set<String> left = new TreeSet<>(before.controllers());
        left.remove(gone);
        List<Optional<String>> owners = before.owners();
        List<Optional<String>> after = before.with(left).owners();

        for (int partition = 0; partition < PARTITIONS; partition++) {
            if (!owners.get(partition).equals(Optional.of(gone))) {
                assertThat(after.get(partition)).isEqualTo(owners.get(partition));
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void movesOnlyToANodeThatComes(int seed) {
        View before = View.of(seed);
        Set<String> more = new TreeSet<>(before.controllers());
        more.add("sluice-new");
        List<Optional<String>> owners = before.owners();
        List<Optional<String>> after = before.with(more).owners();

        for (int partition = 0; partition < PARTITIONS; partition++) {
            if (!after.get(partition).equals(owners.get(partition))) {
                assertThat(after.get(partition)).hasValue("sluice-new");
            }
        }
    }

    @Test
    void spreadsWhatNodesWithoutTheRoleHold() {
        Set<String> controllers = Set.of("sluice-0", "sluice-1", "sluice-2");
        Map<String, Integer> owned = new HashMap<>();

        for (int partition = 0; partition < PARTITIONS; partition++) {
            OwnerDecider.decide(partition, Optional.of("data-0"), controllers)
                    .ifPresent(owner -> owned.merge(owner, 1, Integer::sum));
        }

        assertThat(owned).containsOnlyKeys("sluice-0", "sluice-1", "sluice-2");
        assertThat(owned.values()).allMatch(count -> count > PARTITIONS / 6);
    }
}
