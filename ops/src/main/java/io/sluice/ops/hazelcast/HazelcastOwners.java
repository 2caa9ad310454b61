package io.sluice.ops.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.partition.Partition;
import com.hazelcast.partition.PartitionService;
import io.sluice.plugins.bus.Owners;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The owner of a key is the node that has the key's partition, so that what an owner keeps of it is kept beside it. Answers from a
 * table that {@link #refresh} makes anew; what is not known yet is this node's own.
 */
final class HazelcastOwners implements Owners {
    private static final Logger LOG = LoggerFactory.getLogger(HazelcastOwners.class);

    private final HazelcastInstance hazelcast;
    private final String node;
    private volatile Table table;

    /** Owner's node id of each partition, and all nodes. */
    private record Table(List<String> owners, Set<String> nodes) {}

    HazelcastOwners(HazelcastInstance hazelcast, String node, int partitions) {
        this.hazelcast = hazelcast;
        this.node = node;
        String[] own = new String[partitions];
        Arrays.fill(own, node);
        table = new Table(List.of(own), Set.of(node));
    }

    @Override
    public String node() {
        return node;
    }

    @Override
    public String ownerOf(String key) {
        List<String> owners = table.owners();
        // Spread as Java's own maps do: ids that differ in their last letters only differ in their partition too.
        int hash = key.hashCode() * 0x9E3779B9;
        return owners.get(Math.floorMod(hash ^ (hash >>> 16), owners.size()));
    }

    @Override
    public Set<String> nodes() {
        return table.nodes();
    }

    /** Reads who is there and who has what; leaves all as it was where this member is between two parts of a cluster. May block for a short time. */
    void refresh() {
        try {
            PartitionService partitions = hazelcast.getPartitionService();
            List<String> before = table.owners();
            List<String> owners = new ArrayList<>(before);
            for (Partition partition : partitions.getPartitions()) {
                Member owner = partition.getOwner();
                String id = owner == null ? null : owner.getAttribute(MemberConfig.NODE);
                if (id != null) {
                    owners.set(partition.getPartitionId(), id);
                }
            }
            Set<String> nodes = new TreeSet<>();
            hazelcast.getCluster().getMembers().stream()
                    .map(member -> member.getAttribute(MemberConfig.NODE))
                    .filter(Objects::nonNull)
                    .forEach(nodes::add);
            // Who is gone owns nothing, though the partition may have no new owner yet.
            owners.replaceAll(owner -> nodes.contains(owner) ? owner : node);
            table = new Table(List.copyOf(owners), Set.copyOf(nodes));
        } catch (RuntimeException betweenTwoLives) {
            LOG.debug("who owns what is not known just now, the next look comes within a second", betweenTwoLives);
        }
    }
}
