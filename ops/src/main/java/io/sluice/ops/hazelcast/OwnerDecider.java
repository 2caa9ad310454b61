package io.sluice.ops.hazelcast;

import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * Which node owns a partition's keys: the node that has the partition, so that what an owner keeps is kept beside it, and where that one has
 * not the role control, one of those that do. Nodes that see the same decide the same without asking each other; where a node comes or
 * goes, only what it owns or comes to own moves. Pure.
 */
final class OwnerDecider {
    private OwnerDecider() {}

    /**
     * The owner's id; empty where {@code controllers} are none.
     *
     * @param holder has the partition; empty where nobody does just now
     * @param controllers ids of all nodes that are there and have the role control
     */
    static Optional<String> decide(int partition, Optional<String> holder, Set<String> controllers) {
        return holder.filter(controllers::contains)
                .or(() -> controllers.stream()
                        .max(Comparator.<String>comparingLong(node -> weight(partition, node))
                                .thenComparing(Comparator.naturalOrder())));
    }

    /** Rendezvous hashing: the node of the largest weight has the partition, so one that goes leaves all other choices as they were. */
    private static long weight(int partition, String node) {
        long hash = 0xcbf29ce484222325L; // FNV-1a, 64 bits
        for (int i = 0; i < node.length(); i++) {
            hash = (hash ^ node.charAt(i)) * 0x100000001b3L;
        }
        // The last steps of splitmix64: ids that differ in one letter get weights that have nothing in common.
        hash += partition * 0x9e3779b97f4a7c15L;
        hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
        hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
        return hash ^ (hash >>> 31);
    }
}
