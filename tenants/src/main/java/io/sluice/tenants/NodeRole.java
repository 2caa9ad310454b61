package io.sluice.tenants;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a node of a cluster is there for; most nodes have both roles, and one process by itself always has. */
public enum NodeRole {
    /** It takes requests of apps. */
    DATA,
    /** It owns pools and tenants, and answers operators. */
    CONTROL;

    /** As settings and people write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role that is written so; empty where none is. */
    public static Optional<NodeRole> of(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }
}
