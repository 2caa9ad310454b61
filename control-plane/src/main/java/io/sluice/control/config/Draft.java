package io.sluice.control.config;

import io.sluice.control.config.ObjectChange.Change;
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
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.WebhookConfig;
import io.sluice.tenants.money.PriceBook;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A configuration while a command changes one owner's objects in it. The map of all tenants is copied once, at the end, so
 * that a document of many objects costs no more than one.
 */
final class Draft {
    private final Configuration before;
    private final TenantId owner;
    private boolean document;
    private final List<ObjectChange> changes = new ArrayList<>();
    private final Set<String> declared = new HashSet<>();
    private OwnerObjects objects;

    /**
     * Of {@code owner}'s objects.
     *
     * @param owner null means the platform; the tenant need not exist yet
     */
    Draft(Configuration before, TenantId owner) {
        this.before = before;
        this.owner = owner;
        objects = OwnerObjects.in(before, owner);
    }

    Configuration before() {
        return before;
    }

    TenantId owner() {
        return owner;
    }

    /** From now on objects come from one document, which is guarded as a whole by its expected epoch. */
    Draft forDocument() {
        document = true;
        return this;
    }

    boolean document() {
        return document;
    }

    /** The tenant's own objects; null for the platform, or where there is no such tenant. */
    TenantTree tree() {
        return objects.tree();
    }

    /** The owner's own catalog as changed so far. */
    Catalog own() {
        return objects.catalog();
    }

    List<ObjectChange> changes() {
        return changes;
    }

    /** Remembers that the document has this object, right or wrong, so that one mistake is not reported twice. */
    void declare(ObjectKind kind, String id) {
        declared.add(kind.word() + "|" + id);
    }

    /** Whether the owner may refer to the object: its own, one the document declares, or the platform's. */
    <V> boolean sees(ObjectKind kind, String id, Function<Catalog, Map<String, V>> objects) {
        return declared.contains(kind.word() + "|" + id) || visible(id, objects).isPresent();
    }

    boolean hasScenario(String name) {
        return tree() != null && tree().scenarios().containsKey(name);
    }

    /** The owner's own object, else the platform's. */
    <V> Optional<V> visible(String id, Function<Catalog, Map<String, V>> found) {
        V mine = found.apply(own()).get(id);
        return Optional.ofNullable(
                mine != null || owner == null
                        ? mine
                        : found.apply(before.platform()).get(id));
    }

    /** The provider of a pool's target: one of the pool's owner before one of the platform. */
    Optional<ProviderConfig> provider(PoolConfig pool, TargetConfig target) {
        return pool.id().ofPlatform() && owner != null
                ? Optional.ofNullable(before.platform().providers().get(target.provider()))
                : visible(target.provider(), Catalog::providers);
    }

    /** Whether the owner pays a known price for a target at {@code now}, after the changes so far and those that are wrong. */
    boolean priced(TargetConfig target, Instant now) {
        return declared.contains(ObjectKind.PRICE.word() + "|" + target.model())
                || before.prices(owner, own(), target.model(), target.nameUpstream())
                        .at(now)
                        .isPresent();
    }

    void put(TenantConfig tenant, Change change) {
        changed(ObjectKind.TENANT, tenant.id().value(), change, tenant);
    }

    void put(AppConfig app, Change change) {
        changed(ObjectKind.APP, app.id(), change, app);
    }

    void put(ApiKeyConfig key, Change change) {
        changed(ObjectKind.KEY, key.id(), change, key);
    }

    void put(AccessTokenConfig made) {
        changed(ObjectKind.ACCESS_TOKEN, made.id(), Change.CREATED, made);
    }

    void put(ProviderConfig provider, Change change) {
        changed(ObjectKind.PROVIDER, provider.id().id(), change, provider);
    }

    void put(ModelConfig model, Change change) {
        changed(ObjectKind.MODEL, model.id().id(), change, model);
    }

    void put(PoolConfig pool, Change change) {
        changed(ObjectKind.POOL, pool.id().id(), change, pool);
    }

    void put(String model, PriceBook book, Change change) {
        changed(ObjectKind.PRICE, model, change, book);
    }

    void put(ScenarioConfig scenario, Change change) {
        changed(ObjectKind.SCENARIO, scenario.name(), change, scenario);
    }

    void put(FaultRuleConfig rule, Change change) {
        changed(ObjectKind.FAULT_RULE, rule.id(), change, rule);
    }

    void put(SwitchConfig degradation, Change change) {
        changed(ObjectKind.SWITCH, degradation.id(), change, degradation);
    }

    void put(DrillConfig drill, Change change) {
        changed(ObjectKind.DRILL, drill.id(), change, drill);
    }

    void put(SpendCapConfig cap, Change change) {
        changed(ObjectKind.SPEND_CAP, cap.id(), change, cap);
    }

    void put(WebhookConfig webhook, Change change) {
        changed(ObjectKind.WEBHOOK, webhook.id(), change, webhook);
    }

    void put(ProviderBalanceConfig balance, Change change) {
        changed(ObjectKind.BALANCE, balance.provider(), change, balance);
    }

    private void changed(ObjectKind kind, String id, Change change, Object value) {
        objects = objects.with(kind, id, value);
        changes.add(new ObjectChange(kind, owner, id, change, value));
    }

    /** The configuration with all changes, at the next epoch. */
    Configuration after() {
        return objects.putInto(before).atEpoch(before.epoch() + 1);
    }
}
