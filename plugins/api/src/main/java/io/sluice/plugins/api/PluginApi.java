package io.sluice.plugins.api;

/** The version of this interface. A plugin built for another major version is named and skipped at start. */
public final class PluginApi {
    /** Grows when a plugin built before would no longer work. */
    public static final int VERSION = 1;

    private PluginApi() {}
}
