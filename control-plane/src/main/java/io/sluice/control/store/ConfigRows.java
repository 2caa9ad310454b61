package io.sluice.control.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.control.config.ObjectKind;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AccessTokenConfig;
import io.sluice.tenants.config.ApiKeyConfig;
import io.sluice.tenants.config.AppConfig;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.FaultRuleConfig;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.ProviderBalanceConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.WebhookConfig;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.money.PriceBook;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** Puts the rows of a store together to a configuration. Pure; linear in the number of rows. */
final class ConfigRows {
    /** The key under which the platform's objects are collected: no tenant id is empty. */
    private static final String PLATFORM = "";

    private final Map<String, Map<ObjectKind, Map<String, Object>>> byOwner = new HashMap<>();

    /** The row's JSON for an object. */
    static String json(Object value) {
        try {
            return StrictJson.MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException brokenRecord) {
            throw new IllegalStateException(brokenRecord);
        }
    }

    /** Takes one row; throws {@link StoreException} naming it where it can not be read. */
    void add(ConfigRow row) {
        Object value = row.value();
        byOwner.computeIfAbsent(row.owner(), any -> new EnumMap<>(ObjectKind.class))
                .computeIfAbsent(ObjectKind.of(row.kind()), any -> new HashMap<>())
                .put(row.id(), value);
    }

    Configuration at(long epoch) {
        Map<TenantId, TenantTree> tenants = new HashMap<>();
        Map<String, AccessTokenConfig> tokens = new HashMap<>();
        byOwner.forEach((owner, objects) -> {
            tokens.putAll(of(objects, ObjectKind.ACCESS_TOKEN, AccessTokenConfig.class));
            if (!owner.equals(PLATFORM)) {
                TenantTree tree = tree(owner, objects);
                tenants.put(tree.tenant().id(), tree);
            }
        });
        return new Configuration(epoch, catalog(byOwner.getOrDefault(PLATFORM, Map.of())), tenants, tokens);
    }

    private static TenantTree tree(String owner, Map<ObjectKind, Map<String, Object>> objects) {
        TenantConfig tenant = of(objects, ObjectKind.TENANT, TenantConfig.class).get(owner);
        if (tenant == null) {
            throw new StoreException("objects of the tenant " + owner + " are stored without it; restore a backup");
        }
        return new TenantTree(
                tenant,
                of(objects, ObjectKind.APP, AppConfig.class),
                of(objects, ObjectKind.KEY, ApiKeyConfig.class),
                catalog(objects),
                of(objects, ObjectKind.SCENARIO, ScenarioConfig.class),
                of(objects, ObjectKind.FAULT_RULE, FaultRuleConfig.class),
                of(objects, ObjectKind.SWITCH, SwitchConfig.class),
                of(objects, ObjectKind.DRILL, DrillConfig.class),
                of(objects, ObjectKind.SPEND_CAP, SpendCapConfig.class),
                of(objects, ObjectKind.WEBHOOK, WebhookConfig.class));
    }

    private static Catalog catalog(Map<ObjectKind, Map<String, Object>> objects) {
        return new Catalog(
                of(objects, ObjectKind.PROVIDER, ProviderConfig.class),
                of(objects, ObjectKind.MODEL, ModelConfig.class),
                of(objects, ObjectKind.PRICE, PriceBook.class),
                of(objects, ObjectKind.POOL, PoolConfig.class),
                of(objects, ObjectKind.BALANCE, ProviderBalanceConfig.class));
    }

    private static <V> Map<String, V> of(Map<ObjectKind, Map<String, Object>> objects, ObjectKind kind, Class<V> type) {
        Map<String, V> typed = new HashMap<>();
        objects.getOrDefault(kind, Map.of()).forEach((id, value) -> typed.put(id, type.cast(value)));
        return typed;
    }
}
