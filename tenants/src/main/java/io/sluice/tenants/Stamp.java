package io.sluice.tenants;

import java.util.Objects;

/**
 * Orders the states of one thing that several nodes may write: the higher number is newer, and of two equal ones that of the node whose
 * name comes later. So all nodes that know the same states agree on the newest, whichever order they came in.
 *
 * @param number grows with each state; 1 is the first
 * @param node that wrote the state
 */
public record Stamp(long number, String node) {
    public Stamp {
        Objects.requireNonNull(node);
        if (number < 1) {
            throw new IllegalArgumentException("stamps count from 1");
        }
    }

    /** The stamp of {@code node}'s next state after that with {@code before}; null means that there was none. */
    public static Stamp after(Stamp before, String node) {
        return new Stamp(before == null ? 1 : Math.addExact(before.number, 1), node);
    }

    /** Whether this is newer; anything is newer than nothing, which is null. */
    public boolean newerThan(Stamp other) {
        return other == null || number > other.number || (number == other.number && node.compareTo(other.node) > 0);
    }
}
