package io.sluice.tenants.routing;

import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.LimitsConfig;
import java.util.Map;

/**
 * The limits of a tenant and its apps.
 *
 * @param tenant of all traffic; null where there are none
 * @param endUsers of each end user; null where there are none
 * @param apps by id; only those with limits of their own or of their end users
 */
public record CompiledLimits(LimitsConfig tenant, LimitsConfig endUsers, Map<String, AppConfig> apps) {
    public CompiledLimits {
        apps = Map.copyOf(apps);
    }
}
