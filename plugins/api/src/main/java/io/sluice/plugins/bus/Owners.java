package io.sluice.plugins.bus;

import io.sluice.tenants.NodeRole;
import java.util.Optional;
import java.util.Set;

/**
 * Who owns what in the cluster: each key has one owner among the nodes with the role {@link NodeRole#CONTROL}, and it moves when such nodes come
 * and go. Two nodes may both believe to own a key for some seconds, and for as long as they can't see each other: whoever acts as an owner
 * acts so that this does no harm. Answers come from memory; thread-safe.
 */
public interface Owners {
    /** This node's id. */
    String node();

    /** Id of the node that owns {@code key} now; empty where no node is there that could. A node that could knows of one. */
    Optional<String> ownerOf(String key);

    /** Whether this node owns {@code key} now. */
    default boolean mine(String key) {
        return ownerOf(key).filter(node()::equals).isPresent();
    }

    /** Ids of all nodes that are there now, this one included. */
    default Set<String> nodes() {
        return Set.of(node());
    }

    /** Ids of those of them that have {@code role}. */
    default Set<String> nodes(NodeRole role) {
        return nodes();
    }

    /** The only node, which owns everything and does everything. */
    record Alone(String node) implements Owners {
        @Override
        public Optional<String> ownerOf(String key) {
            return Optional.of(node);
        }
    }
}
