package io.sluice.tenants.config;

import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.util.Objects;

/**
 * What a prepaid account of a provider held at some instant, as somebody read it there (requirement B7).
 *
 * @param provider id of the provider of the same owner
 * @param amount in the tenant's currency; of a platform's provider US dollars
 * @param at when it was read; what is spent later comes off it
 */
public record ProviderBalanceConfig(String provider, int version, Money amount, Instant at) {
    public ProviderBalanceConfig {
        Objects.requireNonNull(provider);
        Objects.requireNonNull(amount);
        Objects.requireNonNull(at);
    }
}
