package io.sluice.graphql;

import io.sluice.control.api.Action;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.TenantTree;

/** The fields of limits on traffic, wherever they are set. */
final class LimitTypes {
    private static final Rule TENANT = new Rule(Action.READ_TENANT);
    private static final Rule ROUTING = new Rule(Action.READ_ROUTING);

    private LimitTypes() {}

    static void register(Fields fields) {
        fields.of("Tenant", TenantTree.class, TENANT)
                .field("limits", tree -> tree.tenant().limits())
                .field("endUserLimits", tree -> tree.tenant().endUserLimits());
        fields.of("App", AppConfig.class, TENANT)
                .field("limits", AppConfig::limits)
                .field("endUserLimits", AppConfig::endUserLimits);
        fields.of("ApiKey", ApiKeyConfig.class, TENANT).field("limits", ApiKeyConfig::limits);
        fields.of("Scenario", ScenarioView.class, ROUTING)
                .field("limits", view -> view.scenario().limits());
        fields.of("Provider", ProviderConfig.class, ROUTING)
                .field("requestsPerMinute", ProviderConfig::requestsPerMinute)
                .field("tokensPerMinute", ProviderConfig::tokensPerMinute)
                .field("maxConcurrency", ProviderConfig::maxConcurrency);
        fields.of("Limits", LimitsConfig.class, TENANT)
                .field("requestsPerMinute", LimitsConfig::requestsPerMinute)
                .field("tokensPerMinute", LimitsConfig::tokensPerMinute)
                .field("maxConcurrency", LimitsConfig::maxConcurrency);
    }
}
