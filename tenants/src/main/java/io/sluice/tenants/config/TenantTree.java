package io.sluice.tenants.config;

import java.util.Map;

/** All that one tenant has declared. */
public record TenantTree(
        TenantConfig tenant,
        Map<String, AppConfig> apps,
        Map<String, ApiKeyConfig> keys,
        Catalog catalog,
        Map<String, ScenarioConfig> scenarios) {
    public TenantTree {
        apps = Map.copyOf(apps);
        keys = Map.copyOf(keys);
        scenarios = Map.copyOf(scenarios);
    }

    /** A tenant with nothing in it. */
    public static TenantTree of(TenantConfig tenant) {
        return new TenantTree(tenant, Map.of(), Map.of(), Catalog.EMPTY, Map.of());
    }

    public TenantTree with(TenantConfig changed) {
        return new TenantTree(changed, apps, keys, catalog, scenarios);
    }

    public TenantTree with(AppConfig app) {
        return new TenantTree(tenant, Catalog.plus(apps, app.id(), app), keys, catalog, scenarios);
    }

    public TenantTree with(ApiKeyConfig key) {
        return new TenantTree(tenant, apps, Catalog.plus(keys, key.id(), key), catalog, scenarios);
    }

    public TenantTree with(Catalog changed) {
        return new TenantTree(tenant, apps, keys, changed, scenarios);
    }

    public TenantTree with(ScenarioConfig scenario) {
        return new TenantTree(tenant, apps, keys, catalog, Catalog.plus(scenarios, scenario.name(), scenario));
    }
}
