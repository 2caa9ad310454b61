package io.sluice.ops;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who of the cluster's nodes was heard last when. Every node says once a second that it is there; a member that is silent although it
 * is a member means that registrations of handlers were lost, or that one of both does not know of them: this node cannot tell which.
 *
 * @param heardMs by node id, when it was heard last, or when it was first looked for
 * @param unheardMs by node id, when it last said that it does not hear this node
 * @param mendedMs when registrations were last made anew
 */
record BusWatch(Map<String, Long> heardMs, Map<String, Long> unheardMs, long mendedMs) {
    /** Three of what a node says may be lost in a pause. */
    static final long SILENT_MS_MAX = 4_000;

    /** What was made anew gets that long to show. */
    static final long MEND_MS_MIN = 5_000;

    static final BusWatch NEW = new BusWatch(Map.of(), Map.of(), Long.MIN_VALUE);

    BusWatch {
        heardMs = Map.copyOf(heardMs);
        unheardMs = Map.copyOf(unheardMs);
    }

    BusWatch heard(String node, long nowMs) {
        Map<String, Long> next = new HashMap<>(heardMs);
        next.put(node, nowMs);
        return new BusWatch(next, unheardMs, mendedMs);
    }

    /** {@code node} said that it does not hear this one. */
    BusWatch unheardBy(String node, long nowMs) {
        Map<String, Long> next = new HashMap<>(unheardMs);
        next.put(node, nowMs);
        return new BusWatch(heardMs, next, mendedMs);
    }

    /** Forgets who is not among {@code members} and begins to wait for who is new. */
    BusWatch of(Set<String> members, long nowMs) {
        Map<String, Long> next = new HashMap<>(heardMs);
        next.keySet().retainAll(members);
        members.forEach(member -> next.putIfAbsent(member, nowMs));
        Map<String, Long> said = new HashMap<>(unheardMs);
        said.keySet().retainAll(members);
        return new BusWatch(next, said, mendedMs);
    }

    BusWatch mended(long nowMs) {
        return new BusWatch(heardMs, unheardMs, nowMs);
    }

    /** Members that have been silent for too long. */
    Set<String> silent(long nowMs) {
        Set<String> silent = new TreeSet<>();
        heardMs.forEach((node, lastMs) -> {
            if (nowMs - lastMs > SILENT_MS_MAX) {
                silent.add(node);
            }
        });
        return silent;
    }

    /** Members that said lately that they do not hear this node. */
    Set<String> deaf(long nowMs) {
        Set<String> deaf = new TreeSet<>();
        unheardMs.forEach((node, saidMs) -> {
            if (nowMs - saidMs <= SILENT_MS_MAX) {
                deaf.add(node);
            }
        });
        return deaf;
    }

    /** Whether registrations should be made anew now. */
    boolean mends(long nowMs) {
        boolean rested = mendedMs == Long.MIN_VALUE || nowMs - mendedMs >= MEND_MS_MIN;
        return rested && !(silent(nowMs).isEmpty() && deaf(nowMs).isEmpty());
    }
}
