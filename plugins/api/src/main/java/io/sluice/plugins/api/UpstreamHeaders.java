package io.sluice.plugins.api;

/** The headers of an upstream's answer. */
@FunctionalInterface
public interface UpstreamHeaders {
    /** The first value of the header {@code name} (any case), or null. */
    String get(String name);

    /**
     * False only where no header's name contains {@code part} (lower case): asked before a dozen names that are hardly ever
     * there.
     */
    default boolean mayHave(String part) {
        return true;
    }
}
