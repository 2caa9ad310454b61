package io.sluice.plugins.bus;

import java.util.Set;

/**
 * Who owns what in the cluster: each key has one owner among the nodes, and it moves when nodes come and go. Two nodes may both
 * believe to own a key for some seconds, and for as long as they can't see each other: whoever acts as an owner acts so that this
 * does no harm. Answers come from memory; thread-safe.
 */
public interface Owners {
    /** This node's id. */
    String node();

    /** Id of the node that owns {@code key} now. */
    String ownerOf(String key);

    /** Whether this node owns {@code key} now. */
    default boolean mine(String key) {
        return ownerOf(key).equals(node());
    }

    /** Ids of all nodes that are there now, this one included. */
    default Set<String> nodes() {
        return Set.of(node());
    }

    /** The only node, which owns everything. */
    record Alone(String node) implements Owners {
        @Override
        public String ownerOf(String key) {
            return node;
        }
    }
}
