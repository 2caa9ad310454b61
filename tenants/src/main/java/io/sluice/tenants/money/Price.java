package io.sluice.tenants.money;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Objects;

/**
 * What a model costs from one instant on. Amounts are micro-units per million tokens, so {@code $1.00 per million} is
 * 1,000,000. Reasoning tokens cost the output price, as every provider in the price table bills them.
 *
 * @param validFrom the first instant at which it holds
 * @param inputPerMTok price of a million uncached prompt tokens
 * @param outputPerMTok price of a million answer tokens
 * @param cachedInputPerMTok price of a million tokens read from the prompt cache; null means the input price
 * @param cacheWritePerMTok price of a million tokens written to the prompt cache; null means the input price
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Price(
        Instant validFrom, Money inputPerMTok, Money outputPerMTok, Money cachedInputPerMTok, Money cacheWritePerMTok) {
    private static final BigInteger TOKENS_PER_PRICE = BigInteger.valueOf(1_000_000);

    public Price {
        Objects.requireNonNull(validFrom);
        requireNotNegative(inputPerMTok);
        requireNotNegative(outputPerMTok);
        requireNotNegative(cachedInputPerMTok == null ? Money.ZERO : cachedInputPerMTok);
        requireNotNegative(cacheWritePerMTok == null ? Money.ZERO : cacheWritePerMTok);
    }

    private static void requireNotNegative(Money money) {
        if (money.micros() < 0) {
            throw new IllegalArgumentException("a price is never negative");
        }
    }

    /** The cost of one attempt: Σ class tokens × price, summed exactly and rounded up once to a whole micro-unit. */
    public Money costOf(TokenUsage usage) {
        long cached = (cachedInputPerMTok == null ? inputPerMTok : cachedInputPerMTok).micros();
        long write = (cacheWritePerMTok == null ? inputPerMTok : cacheWritePerMTok).micros();
        try {
            long sum = Math.addExact(
                    Math.addExact(
                            Math.multiplyExact(usage.input(), inputPerMTok.micros()),
                            Math.multiplyExact(usage.cachedInput(), cached)),
                    Math.addExact(
                            Math.multiplyExact(usage.cacheWrite(), write),
                            Math.multiplyExact(usage.outputTotal(), outputPerMTok.micros())));
            return new Money(sum / 1_000_000 + (sum % 1_000_000 == 0 ? 0 : 1));
        } catch (ArithmeticException tooLargeForLongs) {
            return costOfHugeAmounts(usage, cached, write);
        }
    }

    private Money costOfHugeAmounts(TokenUsage usage, long cached, long write) {
        BigInteger[] quotient = product(usage.input(), inputPerMTok.micros())
                .add(product(usage.cachedInput(), cached))
                .add(product(usage.cacheWrite(), write))
                .add(product(usage.outputTotal(), outputPerMTok.micros()))
                .divideAndRemainder(TOKENS_PER_PRICE);
        BigInteger rounded = quotient[1].signum() == 0 ? quotient[0] : quotient[0].add(BigInteger.ONE);
        return new Money(rounded.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact());
    }

    private static BigInteger product(long tokens, long microsPerMTok) {
        return BigInteger.valueOf(tokens).multiply(BigInteger.valueOf(microsPerMTok));
    }
}
