package io.sluice.ops.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.partition.Partition;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.NodeRole;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owner of a key follows from the key's partition by {@link OwnerDecider}. Answers from a table that {@link #refresh} makes anew; what is
 * not known yet is this node's own where it may own anything.
 */
final class HazelcastOwners implements Owners {
    private static final Logger LOG = LoggerFactory.getLogger(HazelcastOwners.class);

    private final HazelcastInstance hazelcast;
    private final String node;
    private volatile Table table;

    /** Owner's node id of each partition, and all nodes, also by what they do. */
    private record Table(List<Optional<String>> owners, Set<String> nodes, Map<NodeRole, Set<String>> byRole) {
        static Table of(List<Optional<String>> owners, Map<String, Set<NodeRole>> nodes) {
            Map<NodeRole, Set<String>> byRole = new HashMap<>();
            for (NodeRole role : NodeRole.values()) {
                byRole.put(role, having(role, nodes));
            }
            return new Table(List.copyOf(owners), Set.copyOf(nodes.keySet()), Map.copyOf(byRole));
        }
    }

    private static Set<String> having(NodeRole role, Map<String, Set<NodeRole>> nodes) {
        return nodes.entrySet().stream()
                .filter(node -> node.getValue().contains(role))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    HazelcastOwners(HazelcastInstance hazelcast, String node, Set<NodeRole> roles, int partitions) {
        this.hazelcast = hazelcast;
        this.node = node;
        Optional<String> own = roles.contains(NodeRole.CONTROL) ? Optional.of(node) : Optional.empty();
        table = Table.of(Collections.nCopies(partitions, own), Map.of(node, roles));
    }

    @Override
    public String node() {
        return node;
    }

    @Override
    public Optional<String> ownerOf(String key) {
        List<Optional<String>> owners = table.owners();
        // Spread as Java's own maps do: ids that differ in their last letters only differ in their partition too.
        int hash = key.hashCode() * 0x9E3779B9;
        return owners.get(Math.floorMod(hash ^ (hash >>> 16), owners.size()));
    }

    @Override
    public Set<String> nodes() {
        return table.nodes();
    }

    @Override
    public Set<String> nodes(NodeRole role) {
        return table.byRole().get(role);
    }

    /** Reads who is there and who has what; leaves all as it was where this member is between two parts of a cluster. May block for a short time. */
    void refresh() {
        try {
            Map<String, Set<NodeRole>> nodes = new HashMap<>();
            for (Member member : hazelcast.getCluster().getMembers()) {
                String id = member.getAttribute(MemberConfig.NODE);
                if (id != null) {
                    nodes.put(id, MemberConfig.roles(member));
                }
            }
            Set<String> controllers = having(NodeRole.CONTROL, nodes);
            List<Optional<String>> owners = new ArrayList<>(table.owners());
            for (Partition partition : hazelcast.getPartitionService().getPartitions()) {
                int number = partition.getPartitionId();
                Member holder = partition.getOwner();
                Optional<String> held = holder == null
                        ? owners.get(number)
                        : Optional.ofNullable(holder.getAttribute(MemberConfig.NODE));
                owners.set(number, OwnerDecider.decide(number, held, controllers));
            }
            table = Table.of(owners, nodes);
        } catch (RuntimeException betweenTwoLives) {
            LOG.debug("who owns what is not known just now, the next look comes within a second", betweenTwoLives);
        }
    }
}
