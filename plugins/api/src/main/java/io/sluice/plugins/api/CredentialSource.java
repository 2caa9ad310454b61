package io.sluice.plugins.api;

import io.sluice.tenants.config.ProviderConfig;
import java.util.Optional;

/** Finds the credential of a provider at the moment of a call. Called on event loops: never blocks for long. */
@FunctionalInterface
public interface CredentialSource {
    /**
     * The credential; empty where the provider has none.
     *
     * @throws IllegalStateException where it has one that can not be found or opened; the message names it, never shows it
     */
    Optional<Secret> reveal(ProviderConfig provider);
}
