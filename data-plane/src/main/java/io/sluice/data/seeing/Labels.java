package io.sluice.data.seeing;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the number of values of one metric label bounded: the first {@code max} different values are kept, every later one
 * becomes {@code other}. Values come from the configuration only, never from a request. Thread-safe.
 */
final class Labels {
    static final String OTHER = "other";

    private final int max;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    Labels(int max) {
        this.max = max;
    }

    String of(String value) {
        if (value == null) {
            return "none";
        }
        if (known.contains(value)) {
            return value;
        }
        if (known.size() >= max) {
            return OTHER;
        }
        known.add(value);
        return value;
    }
}
