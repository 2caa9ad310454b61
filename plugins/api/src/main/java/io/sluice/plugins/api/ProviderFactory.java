package io.sluice.plugins.api;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/**
 * Makes providers of one kind. Found by {@link java.util.ServiceLoader}, on the class path or in a jar dropped into the plugin
 * directory. One instance serves the whole process and is called from any thread.
 */
public interface ProviderFactory {
    /** The word in {@code putProvider.plugin}: lower-case letters, digits and hyphens. */
    String plugin();

    /** The {@link PluginApi#VERSION} it was built for. */
    int apiVersion();

    /**
     * Every mistake in the settings at once, found without any I/O; empty where there is none. Called before a provider is
     * stored, so that a wrong one never serves.
     */
    List<SettingProblem> check(ProviderSettings settings);

    /**
     * Makes a provider for settings that {@link #check} found right. Called on an event loop; must not block.
     *
     * @return a failed future where it can not start; the error is logged and the provider's targets count as failing
     */
    Future<Provider> create(ProviderSettings settings, Vertx vertx);
}
