package io.sluice.tenants.ledger;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.sluice.tenants.Ids;

/**
 * Who holds slices: one life of a node. A node that starts again is another holder, so what its life before held can be told
 * apart and burned.
 *
 * @param incarnation grows with every start of the node
 */
public record Holder(String node, long incarnation) implements Comparable<Holder> {
    public Holder {
        Ids.require("node", node);
        if (incarnation < 1) {
            throw new IllegalArgumentException("incarnation must be at least 1");
        }
    }

    /** The holder whose {@link #key} is {@code key}; throws {@link IllegalArgumentException} where it is none. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Holder ofKey(String key) {
        int hash = key.lastIndexOf('#');
        if (hash < 0) {
            throw new IllegalArgumentException("a holder has the form node#incarnation");
        }
        return new Holder(key.substring(0, hash), Long.parseLong(key.substring(hash + 1)));
    }

    /** {@code node#incarnation}. */
    @JsonValue
    public String key() {
        return node + "#" + incarnation;
    }

    @Override
    public int compareTo(Holder other) {
        int byNode = node.compareTo(other.node);
        return byNode != 0 ? byNode : Long.compare(incarnation, other.incarnation);
    }

    @Override
    public String toString() {
        return key();
    }
}
