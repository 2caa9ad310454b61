package io.sluice.tenants.ledger;

/**
 * What some requests of one {@link SpendKey} come to.
 *
 * @param requests that were answered last by this; a request that called several models counts once
 * @param calls of the model
 * @param input token classes as in {@link io.sluice.tenants.money.TokenUsage}
 * @param costMicros of the calls that had a price
 * @param unpriced calls without one
 */
public record SpendSum(
        SpendKey key,
        long requests,
        long calls,
        long input,
        long cachedInput,
        long cacheWrite,
        long output,
        long reasoning,
        long costMicros,
        long unpriced) {}
