package io.sluice.tenants.money;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What a request costs whose prompt is longer than some length: the whole request, not only what is beyond it. Amounts are as in
 * {@link Price}.
 *
 * @param abovePromptTokens it holds for prompts of more tokens of all classes than this
 * @param cachedInputPerMTok null means the tier's input price
 * @param cacheWritePerMTok null means the tier's input price
 * @param reasoningPerMTok null means the tier's output price
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PriceTier(
        long abovePromptTokens,
        Money inputPerMTok,
        Money outputPerMTok,
        Money cachedInputPerMTok,
        Money cacheWritePerMTok,
        Money reasoningPerMTok) {
    public PriceTier {
        if (abovePromptTokens < 0) {
            throw new IllegalArgumentException("a length is never negative");
        }
        Price.requireNotNegative(inputPerMTok);
        Price.requireNotNegative(outputPerMTok);
        Price.requireNotNegative(cachedInputPerMTok == null ? Money.ZERO : cachedInputPerMTok);
        Price.requireNotNegative(cacheWritePerMTok == null ? Money.ZERO : cacheWritePerMTok);
        Price.requireNotNegative(reasoningPerMTok == null ? Money.ZERO : reasoningPerMTok);
    }

    long inputMicros() {
        return inputPerMTok.micros();
    }

    long outputMicros() {
        return outputPerMTok.micros();
    }

    long cachedInputMicros() {
        return (cachedInputPerMTok == null ? inputPerMTok : cachedInputPerMTok).micros();
    }

    long cacheWriteMicros() {
        return (cacheWritePerMTok == null ? inputPerMTok : cacheWritePerMTok).micros();
    }

    long reasoningMicros() {
        return (reasoningPerMTok == null ? outputPerMTok : reasoningPerMTok).micros();
    }

    /** The dearest class of prompt tokens, micro-units per million. */
    long dearestInputMicros() {
        return Math.max(inputMicros(), Math.max(cachedInputMicros(), cacheWriteMicros()));
    }

    /** The dearest class of answer tokens, micro-units per million. */
    long dearestOutputMicros() {
        return Math.max(outputMicros(), reasoningMicros());
    }
}
