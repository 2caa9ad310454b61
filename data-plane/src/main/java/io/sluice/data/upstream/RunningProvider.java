package io.sluice.data.upstream;

import io.sluice.plugins.api.Provider;
import io.sluice.tenants.config.ProviderConfig;

/**
 * A configured provider with its plugin's codec.
 *
 * @param provider null where the plugin could not start; every call of it fails
 * @param origin null likewise
 * @param problem why it could not start; null otherwise
 */
record RunningProvider(ProviderConfig config, Provider provider, Origin origin, String problem) {}
