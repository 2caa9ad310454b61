package io.sluice.ops;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who of the cluster's nodes was heard last when. Every node says once a second that it is there; a member that is silent although it
 * is a member means that registrations of handlers were lost, or that one of both does not know of them: this node cannot tell which.
 * A node that stalled itself has heard nobody, and knows no better than before its pause who is a member: it waits for all anew. What it
 * registered at once would go to members that have dropped it, and hold up what is registered when they are one cluster again.
 *
 * @param heardMs by node id, when it was heard last, or when it was first looked for
 * @param unheardMs by node id, when it last said that it does not hear this node
 * @param mendedMs when registrations were last made anew, or this node last woke up: what it hears first was said while it stalled
 * @param lookedMs when this node last looked who is a member
 */
record BusWatch(Map<String, Long> heardMs, Map<String, Long> unheardMs, long mendedMs, long lookedMs) {
    /** Three of what a node says may be lost in a pause. */
    static final long SILENT_MS_MAX = 4_000;

    /** It looks once a second: whoever comes so late was stalled. */
    static final long LATE_MS_MAX = SILENT_MS_MAX / 2;

    /** What was made anew gets that long to show. */
    static final long MEND_MS_MIN = 5_000;

    static final BusWatch NEW = new BusWatch(Map.of(), Map.of(), Long.MIN_VALUE, Long.MIN_VALUE);

    BusWatch {
        heardMs = Map.copyOf(heardMs);
        unheardMs = Map.copyOf(unheardMs);
    }

    BusWatch heard(String node, long nowMs) {
        Map<String, Long> next = new HashMap<>(heardMs);
        next.put(node, nowMs);
        return new BusWatch(next, unheardMs, mendedMs, lookedMs);
    }

    /** {@code node} said that it does not hear this one. */
    BusWatch unheardBy(String node, long nowMs) {
        Map<String, Long> next = new HashMap<>(unheardMs);
        next.put(node, nowMs);
        return new BusWatch(heardMs, next, mendedMs, lookedMs);
    }

    /** Forgets who is not among {@code members} and begins to wait for who is new; for all where this look comes too late. */
    BusWatch of(Set<String> members, long nowMs) {
        boolean stalled = lookedMs != Long.MIN_VALUE && nowMs - lookedMs > LATE_MS_MAX;
        Map<String, Long> next = stalled ? new HashMap<>() : new HashMap<>(heardMs);
        next.keySet().retainAll(members);
        members.forEach(member -> next.putIfAbsent(member, nowMs));
        Map<String, Long> said = new HashMap<>(unheardMs);
        said.keySet().retainAll(members);
        return new BusWatch(next, said, stalled ? nowMs : mendedMs, nowMs);
    }

    BusWatch mended(long nowMs) {
        return new BusWatch(heardMs, unheardMs, nowMs, lookedMs);
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
