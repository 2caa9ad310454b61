package io.sluice.plugins.api;

/** The headers of an upstream's answer. */
@FunctionalInterface
public interface UpstreamHeaders {
    /** The first value of the header {@code name} (any case), or null. */
    String get(String name);
}
