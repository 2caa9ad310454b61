package io.sluice.control.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.sluice.tenants.money.Money;

/**
 * Sums of what requests used and cost.
 *
 * @param requests ended; one that called several models counts where it was answered last, so that requests add up
 * @param calls of models that used tokens or cost something
 * @param input tokens of the prompt at the full rate; classes are disjoint
 * @param serverToolCalls calls of tools that the providers run themselves, such as web searches; left out of JSON where there are none,
 *     as releases write it that count none
 * @param estimated part of {@code cost} whose tokens Sluice counted by itself
 * @param unpricedCalls calls of models without a price: they cost nothing here
 */
public record SpendFigures(
        long requests,
        long calls,
        long input,
        long cachedInput,
        long cacheWrite,
        long output,
        long reasoning,

        @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.AS_EMPTY)
        long serverToolCalls,

        Money cost,
        Money estimated,
        long unpricedCalls) {
    public static final SpendFigures NONE = new SpendFigures(0, 0, 0, 0, 0, 0, 0, 0, Money.ZERO, Money.ZERO, 0);

    public SpendFigures plus(SpendFigures other) {
        return new SpendFigures(
                Math.addExact(requests, other.requests),
                Math.addExact(calls, other.calls),
                Math.addExact(input, other.input),
                Math.addExact(cachedInput, other.cachedInput),
                Math.addExact(cacheWrite, other.cacheWrite),
                Math.addExact(output, other.output),
                Math.addExact(reasoning, other.reasoning),
                Math.addExact(serverToolCalls, other.serverToolCalls),
                cost.plus(other.cost),
                estimated.plus(other.estimated),
                Math.addExact(unpricedCalls, other.unpricedCalls));
    }

    /** All prompt tokens. */
    public long inputTotal() {
        return input + cachedInput + cacheWrite;
    }

    /** All answer tokens. */
    public long outputTotal() {
        return output + reasoning;
    }

    /** All tokens. */
    public long tokens() {
        return inputTotal() + outputTotal();
    }
}
