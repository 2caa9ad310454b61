package io.sluice.ops.settings;

import java.util.List;
import java.util.Optional;

/**
 * How this process finds and meets the other nodes of its cluster.
 *
 * @param node id of this node, unlike any other's and the same at every start; empty where it is made at the first one
 * @param name only nodes of the same name meet
 * @param host address of the interface that other nodes reach; what nodes say to each other is bound to it and to nothing else
 * @param port where members meet
 * @param busPort where messages arrive; 0 lets the system choose
 * @param members where others may be found, as {@code host:port}; empty where they are found otherwise
 * @param kubernetesService DNS name of a headless service whose addresses are the members'
 * @param multicast whether members are found by multicast
 * @param majority so many nodes have to see each other before shared state may be changed
 */
public record ClusterSettings(
        Optional<String> node,
        String name,
        String host,
        int port,
        int busPort,
        List<String> members,
        Optional<String> kubernetesService,
        boolean multicast,
        int majority) {
    public ClusterSettings {
        members = List.copyOf(members);
    }
}
