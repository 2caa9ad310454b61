package io.sluice.tenants.config;

import io.sluice.tenants.money.PriceBook;
import java.util.HashMap;
import java.util.Map;

/**
 * The providers, models, prices and pools of one owner, by id.
 *
 * @param prices by model id
 * @param balances of prepaid accounts, by provider id
 */
public record Catalog(
        Map<String, ProviderConfig> providers,
        Map<String, ModelConfig> models,
        Map<String, PriceBook> prices,
        Map<String, PoolConfig> pools,
        Map<String, ProviderBalanceConfig> balances) {
    public static final Catalog EMPTY = new Catalog(Map.of(), Map.of(), Map.of(), Map.of(), Map.of());

    public Catalog {
        providers = Map.copyOf(providers);
        models = Map.copyOf(models);
        prices = Map.copyOf(prices);
        pools = Map.copyOf(pools);
        balances = Map.copyOf(balances);
    }

    public Catalog with(ProviderConfig provider) {
        return new Catalog(plus(providers, provider.id().id(), provider), models, prices, pools, balances);
    }

    public Catalog with(ModelConfig model) {
        return new Catalog(providers, plus(models, model.id().id(), model), prices, pools, balances);
    }

    public Catalog with(PoolConfig pool) {
        return new Catalog(providers, models, prices, plus(pools, pool.id().id(), pool), balances);
    }

    public Catalog withPrices(String modelId, PriceBook book) {
        return new Catalog(providers, models, plus(prices, modelId, book), pools, balances);
    }

    public Catalog with(ProviderBalanceConfig balance) {
        return new Catalog(providers, models, prices, pools, plus(balances, balance.provider(), balance));
    }

    static <V> Map<String, V> plus(Map<String, V> map, String key, V value) {
        Map<String, V> copy = new HashMap<>(map);
        copy.put(key, value);
        return copy;
    }
}
