package io.sluice.tenants.money;

import java.time.Instant;
import java.util.Collection;

/**
 * The most that an attempt can cost, to be set aside before it is made: never below what {@link Price#costOf} says afterwards for
 * usage within the same bounds. Where a price changes within the attempt's life the charge is made at the instant of the request,
 * as this is. Pure.
 */
public final class CostEstimate {
    private CostEstimate() {}

    /**
     * The most that one attempt of a request that came at {@code at} costs. Every prompt token is taken for the dearest class of
     * the dearest tier that it can reach (a longer tier may be cheaper, and the true length is anything up to the bound), every
     * answer token likewise.
     *
     * @param promptTokensMax upper bound of prompt tokens, all classes
     * @param outputTokensMax upper bound of answer tokens, thinking included, over all choices
     * @param images in the prompt
     * @param serverToolCalls upper bound of calls of the provider's own tools
     * @param asked how it is to be served: the provider may serve it in the tier that it asks for or as the price stands, and in any
     *     where it asks for none
     */
    public static Money worst(
            Price price,
            long promptTokensMax,
            long outputTokensMax,
            int images,
            int serverToolCalls,
            Served asked,
            Instant at) {
        PriceTier tier = price.base();
        long inputMicros = tier.dearestInputMicros();
        long outputMicros = tier.dearestOutputMicros();
        for (PriceTier each : price.tiers()) {
            if (promptTokensMax > each.abovePromptTokens()) {
                inputMicros = Math.max(inputMicros, each.dearestInputMicros());
                outputMicros = Math.max(outputMicros, each.dearestOutputMicros());
            }
        }
        PriceTier dearest = new PriceTier(0, new Money(inputMicros), new Money(outputMicros), null, null, null);
        TokenUsage most = new TokenUsage( // one class holds only so many tokens, and here all cost the same
                promptTokensMax,
                promptTokensMax - TokenUsage.TOKENS_MAX,
                promptTokensMax - 2 * TokenUsage.TOKENS_MAX,
                outputTokensMax,
                outputTokensMax - TokenUsage.TOKENS_MAX,
                images,
                serverToolCalls,
                true);
        return price.costOf(most, dearest, price.percentAt(at), price.worstServed(asked));
    }

    /** Likewise, of a request that asks for no service tier and none of the provider's tools, at a provider without a region. */
    public static Money worst(Price price, long promptTokensMax, long outputTokensMax, int images, Instant at) {
        return worst(price, promptTokensMax, outputTokensMax, images, 0, Served.PLAIN, at);
    }

    /** The dearest of several candidates' estimates: what a request sets aside once for whichever of them answers. */
    public static Money dearest(Collection<Money> estimates) {
        Money dearest = Money.ZERO;
        for (Money each : estimates) {
            dearest = each.compareTo(dearest) > 0 ? each : dearest;
        }
        return dearest;
    }
}
