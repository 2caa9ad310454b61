package io.sluice.tenants.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.Seeds;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PricePropertyTest {
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    @Test
    void costIsTheExactSumRoundedUpOnce() {
        Seeds.check(20_000, random -> {
            Money input = money(random);
            Money output = money(random);
            Money cached = random.nextBoolean() ? money(random) : null;
            Money write = random.nextBoolean() ? money(random) : null;
            TokenUsage usage = new TokenUsage(
                    tokens(random), tokens(random), tokens(random), tokens(random), tokens(random), false);
            BigDecimal exact = part(usage.input(), input)
                    .add(part(usage.cachedInput(), cached == null ? input : cached))
                    .add(part(usage.cacheWrite(), write == null ? input : write))
                    .add(part(usage.output(), output))
                    .add(part(usage.reasoning(), output))
                    .movePointLeft(6)
                    .setScale(0, RoundingMode.CEILING)
                    .min(LARGEST);

            Money cost = new Price(Instant.EPOCH, input, output, cached, write).costOf(usage);

            assertThat(BigDecimal.valueOf(cost.micros())).isEqualByComparingTo(exact);
        });
    }

    @Test
    void moreTokensNeverCostLess() {
        Seeds.check(5_000, random -> {
            Price price = new Price(Instant.EPOCH, money(random), money(random), null, null);
            TokenUsage less = new TokenUsage(tokens(random), 0, 0, tokens(random), 0, false);
            TokenUsage more = less.plus(new TokenUsage(1, 0, 0, 1, 0, false));
            assertThat(price.costOf(more)).isGreaterThanOrEqualTo(price.costOf(less));
        });
    }

    private static BigDecimal part(long tokens, Money perMTok) {
        return BigDecimal.valueOf(tokens).multiply(BigDecimal.valueOf(perMTok.micros()));
    }

    /** All magnitudes alike. */
    private static Money money(SplittableRandom random) {
        return new Money(random.nextLong(Long.MAX_VALUE) >> random.nextInt(63));
    }

    private static long tokens(SplittableRandom random) {
        return random.nextLong(TokenUsage.TOKENS_MAX + 1) >> random.nextInt(41);
    }
}
