package io.sluice.tenants.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;

/**
 * What some requests of one {@link SpendKey} come to.
 *
 * @param requests that were answered last by this; a request that called several models counts once
 * @param calls of the model
 * @param input token classes as in {@link io.sluice.tenants.money.TokenUsage}
 * @param serverToolCalls likewise; left out of JSON where there are none, as releases write it that count none
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

        @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.AS_EMPTY)
        long serverToolCalls,

        long costMicros,
        long unpriced) {}
