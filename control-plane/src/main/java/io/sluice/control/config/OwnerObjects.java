package io.sluice.control.config;

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
import io.sluice.tenants.money.PriceBook;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Everything that one owner has in a configuration, while objects are put into it.
 *
 * @param tree null for the platform, and for a tenant that is not there yet
 * @param catalog the owner's own
 * @param tokens access tokens that were put
 */
record OwnerObjects(TenantId owner, TenantTree tree, Catalog catalog, List<AccessTokenConfig> tokens) {
    OwnerObjects {
        tokens = List.copyOf(tokens);
    }

    /** As they are in {@code configuration}; {@code owner} null means the platform. */
    static OwnerObjects in(Configuration configuration, TenantId owner) {
        TenantTree tree = owner == null ? null : configuration.tenants().get(owner);
        Catalog catalog = owner == null ? configuration.platform() : tree == null ? Catalog.EMPTY : tree.catalog();
        return new OwnerObjects(owner, tree, catalog, List.of());
    }

    /** With one object more, or in the place of the one with its id. */
    OwnerObjects with(ObjectKind kind, String id, Object value) {
        return switch (kind) {
            case TENANT -> {
                TenantConfig tenant = (TenantConfig) value;
                yield with(tree == null ? TenantTree.of(tenant) : tree.with(tenant));
            }
            case APP -> with(tree.with((AppConfig) value));
            case KEY -> with(tree.with((ApiKeyConfig) value));
            case SCENARIO -> with(tree.with((ScenarioConfig) value));
            case FAULT_RULE -> with(tree.with((FaultRuleConfig) value));
            case SWITCH -> with(tree.with((SwitchConfig) value));
            case DRILL -> with(tree.with((DrillConfig) value));
            case SPEND_CAP -> with(tree.with((SpendCapConfig) value));
            case WEBHOOK -> with(tree.with((WebhookConfig) value));
            case PROVIDER -> with(catalog.with((ProviderConfig) value));
            case MODEL -> with(catalog.with((ModelConfig) value));
            case POOL -> with(catalog.with((PoolConfig) value));
            case PRICE -> with(catalog.withPrices(id, (PriceBook) value));
            case BALANCE -> with(catalog.with((ProviderBalanceConfig) value));
            case ACCESS_TOKEN -> {
                List<AccessTokenConfig> more = new ArrayList<>(tokens);
                more.add((AccessTokenConfig) value);
                yield new OwnerObjects(owner, tree, catalog, more);
            }
        };
    }

    private OwnerObjects with(TenantTree changed) {
        return new OwnerObjects(owner, changed, catalog, tokens);
    }

    private OwnerObjects with(Catalog changed) {
        return new OwnerObjects(owner, tree, changed, tokens);
    }

    /** {@code configuration} with these objects, at its own epoch. */
    Configuration putInto(Configuration configuration) {
        return putInto(configuration, List.of(this));
    }

    /** The map of all tenants is copied once, however many owners there are: keys of ten thousand tenants are used on a day. */
    private static Configuration putInto(Configuration configuration, Collection<OwnerObjects> owners) {
        Configuration after = configuration.with(owners.stream()
                .filter(objects -> objects.tree != null)
                .map(objects -> objects.tree.with(objects.catalog))
                .toList());
        for (OwnerObjects objects : owners) {
            after = objects.owner == null ? after.with(null, objects.catalog) : after;
            for (AccessTokenConfig token : objects.tokens) {
                after = after.with(token);
            }
        }
        return after;
    }

    /** {@code before} with {@code changes} in their order, at {@code epoch}: what another node's command made. */
    static Configuration replay(Configuration before, List<ObjectChange> changes, long epoch) {
        Map<String, OwnerObjects> owners = new LinkedHashMap<>();
        for (ObjectChange change : changes) {
            String key = change.owner() == null ? "" : change.owner().value();
            OwnerObjects objects = owners.get(key);
            owners.put(
                    key,
                    (objects == null ? in(before, change.owner()) : objects)
                            .with(change.kind(), change.id(), change.value()));
        }
        return putInto(before, owners.values()).atEpoch(epoch);
    }
}
