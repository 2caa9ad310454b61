package io.sluice.tenants.config;

import java.util.Map;

/** All that one tenant has declared. */
public record TenantTree(
        TenantConfig tenant,
        Map<String, AppConfig> apps,
        Map<String, ApiKeyConfig> keys,
        Catalog catalog,
        Map<String, ScenarioConfig> scenarios,
        Map<String, FaultRuleConfig> faultRules,
        Map<String, SwitchConfig> switches,
        Map<String, DrillConfig> drills,
        Map<String, SpendCapConfig> spendCaps,
        Map<String, WebhookConfig> webhooks) {
    public TenantTree {
        apps = Map.copyOf(apps);
        keys = Map.copyOf(keys);
        scenarios = Map.copyOf(scenarios);
        faultRules = Map.copyOf(faultRules);
        switches = Map.copyOf(switches);
        drills = Map.copyOf(drills);
        spendCaps = Map.copyOf(spendCaps);
        webhooks = Map.copyOf(webhooks);
    }

    /** A tenant with nothing in it. */
    public static TenantTree of(TenantConfig tenant) {
        return new TenantTree(
                tenant, Map.of(), Map.of(), Catalog.EMPTY, Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Map.of());
    }

    public TenantTree with(TenantConfig changed) {
        return new TenantTree(
                changed, apps, keys, catalog, scenarios, faultRules, switches, drills, spendCaps, webhooks);
    }

    public TenantTree with(AppConfig app) {
        return new TenantTree(
                tenant,
                Catalog.plus(apps, app.id(), app),
                keys,
                catalog,
                scenarios,
                faultRules,
                switches,
                drills,
                spendCaps,
                webhooks);
    }

    public TenantTree with(ApiKeyConfig key) {
        return new TenantTree(
                tenant,
                apps,
                Catalog.plus(keys, key.id(), key),
                catalog,
                scenarios,
                faultRules,
                switches,
                drills,
                spendCaps,
                webhooks);
    }

    public TenantTree with(Catalog changed) {
        return new TenantTree(
                tenant, apps, keys, changed, scenarios, faultRules, switches, drills, spendCaps, webhooks);
    }

    public TenantTree with(ScenarioConfig scenario) {
        return new TenantTree(
                tenant,
                apps,
                keys,
                catalog,
                Catalog.plus(scenarios, scenario.name(), scenario),
                faultRules,
                switches,
                drills,
                spendCaps,
                webhooks);
    }

    public TenantTree with(FaultRuleConfig rule) {
        return new TenantTree(
                tenant,
                apps,
                keys,
                catalog,
                scenarios,
                Catalog.plus(faultRules, rule.id(), rule),
                switches,
                drills,
                spendCaps,
                webhooks);
    }

    public TenantTree with(SwitchConfig degradation) {
        return new TenantTree(
                tenant,
                apps,
                keys,
                catalog,
                scenarios,
                faultRules,
                Catalog.plus(switches, degradation.id(), degradation),
                drills,
                spendCaps,
                webhooks);
    }

    public TenantTree with(DrillConfig drill) {
        return new TenantTree(
                tenant,
                apps,
                keys,
                catalog,
                scenarios,
                faultRules,
                switches,
                Catalog.plus(drills, drill.id(), drill),
                spendCaps,
                webhooks);
    }

    public TenantTree with(SpendCapConfig cap) {
        return new TenantTree(
                tenant,
                apps,
                keys,
                catalog,
                scenarios,
                faultRules,
                switches,
                drills,
                Catalog.plus(spendCaps, cap.id(), cap),
                webhooks);
    }

    public TenantTree with(WebhookConfig webhook) {
        return new TenantTree(
                tenant,
                apps,
                keys,
                catalog,
                scenarios,
                faultRules,
                switches,
                drills,
                spendCaps,
                Catalog.plus(webhooks, webhook.id(), webhook));
    }
}
