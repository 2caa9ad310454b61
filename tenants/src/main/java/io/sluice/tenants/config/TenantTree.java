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
        Change change = new Change(this);
        change.tenant = changed;
        return change.made();
    }

    public TenantTree with(Catalog changed) {
        Change change = new Change(this);
        change.catalog = changed;
        return change.made();
    }

    public TenantTree with(AppConfig app) {
        Change change = new Change(this);
        change.apps = Catalog.plus(apps, app.id(), app);
        return change.made();
    }

    public TenantTree with(ApiKeyConfig key) {
        Change change = new Change(this);
        change.keys = Catalog.plus(keys, key.id(), key);
        return change.made();
    }

    public TenantTree with(ScenarioConfig scenario) {
        Change change = new Change(this);
        change.scenarios = Catalog.plus(scenarios, scenario.name(), scenario);
        return change.made();
    }

    public TenantTree with(FaultRuleConfig rule) {
        Change change = new Change(this);
        change.faultRules = Catalog.plus(faultRules, rule.id(), rule);
        return change.made();
    }

    public TenantTree with(SwitchConfig degradation) {
        Change change = new Change(this);
        change.switches = Catalog.plus(switches, degradation.id(), degradation);
        return change.made();
    }

    public TenantTree with(DrillConfig drill) {
        Change change = new Change(this);
        change.drills = Catalog.plus(drills, drill.id(), drill);
        return change.made();
    }

    public TenantTree with(SpendCapConfig cap) {
        Change change = new Change(this);
        change.spendCaps = Catalog.plus(spendCaps, cap.id(), cap);
        return change.made();
    }

    public TenantTree with(WebhookConfig webhook) {
        Change change = new Change(this);
        change.webhooks = Catalog.plus(webhooks, webhook.id(), webhook);
        return change.made();
    }

    /** A tree while one member of it is replaced. */
    private static final class Change {
        private TenantConfig tenant;
        private Map<String, AppConfig> apps;
        private Map<String, ApiKeyConfig> keys;
        private Catalog catalog;
        private Map<String, ScenarioConfig> scenarios;
        private Map<String, FaultRuleConfig> faultRules;
        private Map<String, SwitchConfig> switches;
        private Map<String, DrillConfig> drills;
        private Map<String, SpendCapConfig> spendCaps;
        private Map<String, WebhookConfig> webhooks;

        Change(TenantTree from) {
            tenant = from.tenant;
            apps = from.apps;
            keys = from.keys;
            catalog = from.catalog;
            scenarios = from.scenarios;
            faultRules = from.faultRules;
            switches = from.switches;
            drills = from.drills;
            spendCaps = from.spendCaps;
            webhooks = from.webhooks;
        }

        TenantTree made() {
            return new TenantTree(
                    tenant, apps, keys, catalog, scenarios, faultRules, switches, drills, spendCaps, webhooks);
        }
    }
}
