package io.sluice.ops;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who of the cluster's nodes was heard last when. Every node says once a second that it is there; a member that is silent although it
 * is a member means that registrations of handlers were lost, its own or this node's.
 *
 * @param heardMs by node id, when it was heard last, or when it was first looked for
 * @param mendedMs when registrations were last made anew
 */
record BusWatch(Map<String, Long> heardMs, long mendedMs) {
    /** Three of what a node says may be lost in a pause. */
    static final long SILENT_MS_MAX = 4_000;

    /** What was made anew gets that long to show. */
    static final long MEND_MS_MIN = 5_000;

    static final BusWatch NEW = new BusWatch(Map.of(), Long.MIN_VALUE);

    BusWatch {
        heardMs = Map.copyOf(heardMs);
    }

    BusWatch heard(String node, long nowMs) {
        Map<String, Long> next = new HashMap<>(heardMs);
        next.put(node, nowMs);
        return new BusWatch(next, mendedMs);
    }

    /** Forgets who is not among {@code members} and begins to wait for who is new. */
    BusWatch of(Set<String> members, long nowMs) {
        Map<String, Long> next = new HashMap<>(heardMs);
        next.keySet().retainAll(members);
        members.forEach(member -> next.putIfAbsent(member, nowMs));
        return new BusWatch(next, mendedMs);
    }

    BusWatch mended(long nowMs) {
        return new BusWatch(heardMs, nowMs);
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

    /** Whether registrations should be made anew now. */
    boolean mends(long nowMs) {
        boolean rested = mendedMs == Long.MIN_VALUE || nowMs - mendedMs >= MEND_MS_MIN;
        return rested && !silent(nowMs).isEmpty();
    }
}
