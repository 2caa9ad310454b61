package io.sluice.tenants.config;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.money.ListPrices;
import io.sluice.tenants.money.PriceBook;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Everything that is configured, at one epoch. A change makes a new one; nothing is ever changed in place.
 *
 * @param epoch grows by one with each applied command; 0 is the empty configuration before the first
 * @param platform objects that every tenant may use
 * @param accessTokens by token id
 */
public record Configuration(
        long epoch, Catalog platform, Map<TenantId, TenantTree> tenants, Map<String, AccessTokenConfig> accessTokens) {
    public static final Configuration EMPTY = new Configuration(0, Catalog.EMPTY, Map.of(), Map.of());

    public Configuration {
        tenants = Map.copyOf(tenants);
        accessTokens = Map.copyOf(accessTokens);
    }

    /** The objects of {@code owner}; null means the platform. Empty where there is no such tenant. */
    public Optional<Catalog> catalogOf(TenantId owner) {
        return owner == null
                ? Optional.of(platform)
                : Optional.ofNullable(tenants.get(owner)).map(TenantTree::catalog);
    }

    /** The provider {@code id} as {@code owner} sees it: its own, else the platform's. */
    public Optional<ProviderConfig> provider(TenantId owner, String id) {
        return visible(owner, id, Catalog::providers);
    }

    /** The model {@code id} as {@code owner} sees it: its own, else the platform's. */
    public Optional<ModelConfig> model(TenantId owner, String id) {
        return visible(owner, id, Catalog::models);
    }

    /** The pool {@code id} as {@code owner} sees it: its own, else the platform's. */
    public Optional<PoolConfig> pool(TenantId owner, String id) {
        return visible(owner, id, Catalog::pools);
    }

    /**
     * The prices {@code owner} pays for a model: its own price book, else, where its currency is that of the
     * platform's prices, the platform's, else the starting table's by the name that the provider has for the model, else by the
     * model's id, else none.
     */
    public PriceBook prices(TenantId owner, String model, String nameUpstream) {
        return prices(owner, catalogOf(owner).orElse(Catalog.EMPTY), model, nameUpstream);
    }

    /** Likewise, as if {@code changed} were the owner's catalog. */
    public PriceBook prices(TenantId owner, Catalog changed, String model, String nameUpstream) {
        PriceBook own = changed.prices().get(model);
        if (own != null) {
            return own;
        }
        if (owner != null && !inListCurrency(owner)) {
            return PriceBook.EMPTY;
        }
        PriceBook shared = owner == null ? null : platform.prices().get(model);
        return shared != null
                ? shared
                : ListPrices.of(nameUpstream).or(() -> ListPrices.of(model)).orElse(PriceBook.EMPTY);
    }

    private boolean inListCurrency(TenantId owner) {
        TenantTree tree = tenants.get(owner);
        return tree == null || tree.tenant().currency().equals(ListPrices.CURRENCY);
    }

    private <V> Optional<V> visible(TenantId owner, String id, Function<Catalog, Map<String, V>> kind) {
        V own = owner == null
                ? null
                : catalogOf(owner).map(catalog -> kind.apply(catalog).get(id)).orElse(null);
        return Optional.ofNullable(own != null ? own : kind.apply(platform).get(id));
    }

    /** The same configuration with {@code tree} in it, at the same epoch. */
    public Configuration with(TenantTree tree) {
        return with(List.of(tree));
    }

    /** The same configuration with all of {@code trees} in it, at the same epoch; copies the map of tenants once. */
    public Configuration with(Collection<TenantTree> trees) {
        if (trees.isEmpty()) {
            return this;
        }
        Map<TenantId, TenantTree> copy = new HashMap<>(tenants);
        trees.forEach(tree -> copy.put(tree.tenant().id(), tree));
        return new Configuration(epoch, platform, copy, accessTokens);
    }

    /** The same configuration with {@code changed} as the catalog of {@code owner}, at the same epoch. */
    public Configuration with(TenantId owner, Catalog changed) {
        return owner == null
                ? new Configuration(epoch, changed, tenants, accessTokens)
                : with(tenants.get(owner).with(changed));
    }

    public Configuration with(AccessTokenConfig token) {
        return new Configuration(epoch, platform, tenants, Catalog.plus(accessTokens, token.id(), token));
    }

    /** The same configuration as the next epoch. */
    public Configuration atEpoch(long next) {
        return new Configuration(next, platform, tenants, accessTokens);
    }
}
