package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.control.api.SpendFigures;
import io.sluice.graphql.CostShares.Share;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.TokenUsage;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CostSharesTest {
    private static final Price PRICE =
            new Price(Instant.EPOCH, Money.of("1"), Money.of("4"), Money.of("0.1"), Money.of("1.25"));

    private static SpendFigures figures(TokenUsage usage, Money cost) {
        return new SpendFigures(
                1,
                1,
                usage.input(),
                usage.cachedInput(),
                usage.cacheWrite(),
                usage.output(),
                usage.reasoning(),
                usage.serverToolCalls(),
                cost,
                Money.ZERO,
                0);
    }

    @Test
    void giveEachClassWhatItCosts() {
        TokenUsage usage = new TokenUsage(1_000, 2_000, 0, 500, 100, false);
        assertThat(CostShares.of(figures(usage, Money.of("0.0036")), PRICE))
                .extracting(Share::meter, Share::quantity, share -> share.cost().toString())
                .containsExactly(
                        tuple("input", 1_000L, "0.001"),
                        tuple("cached_input", 2_000L, "0.0002"),
                        tuple("output", 500L, "0.002"),
                        tuple("reasoning", 100L, "0.0004"));
    }

    @Test
    void weighEveryTokenAlikeWhereThePriceIsUnknown() {
        TokenUsage usage = new TokenUsage(30, 0, 0, 70, 0, false);
        assertThat(CostShares.of(figures(usage, Money.of("1")), null))
                .extracting(share -> share.cost().toString())
                .containsExactly("0.3", "0.7");
    }

    private static Price withFee(Money fee) {
        return new Price(
                Instant.EPOCH, Money.of("1"), Money.of("4"), null, null, null, null, fee, null, null, null, null, null);
    }

    @Test
    void giveCallsOfToolsTheirFees() {
        TokenUsage usage = new TokenUsage(1_000, 0, 0, 500, 0, false).withServerToolCalls(2);
        assertThat(CostShares.of(figures(usage, Money.of("0.023")), withFee(Money.of("0.01"))))
                .extracting(
                        Share::meter,
                        Share::unit,
                        Share::quantity,
                        share -> share.cost().toString())
                .containsExactly(
                        tuple("input", "tokens", 1_000L, "0.001"),
                        tuple("output", "tokens", 500L, "0.002"),
                        tuple("server_tool_calls", "calls", 2L, "0.02"));
    }

    @Test
    void giveCallsOfToolsNothingWithoutAFee() {
        TokenUsage usage = new TokenUsage(1_000, 0, 0, 0, 0, false).withServerToolCalls(2);
        for (Price price : Arrays.asList(withFee(null), null)) {
            assertThat(CostShares.of(figures(usage, Money.of("0.001")), price))
                    .extracting(share -> share.cost().toString())
                    .containsExactly("0.001", "0");
        }
    }

    @Test
    void areNoneWithoutTokens() {
        assertThat(CostShares.of(figures(TokenUsage.NONE, Money.of("1")), PRICE))
                .isEmpty();
    }

    @Test
    void addUpToTheCostWhateverTheFigures() {
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            TokenUsage usage = new TokenUsage(
                            (long) random.nextInt(3) * random.nextInt(100_000),
                            random.nextInt(100_000),
                            (long) random.nextInt(2) * random.nextInt(100_000),
                            random.nextInt(100_000),
                            (long) random.nextInt(2) * random.nextInt(100_000),
                            false)
                    .withServerToolCalls(random.nextInt(3) * (long) random.nextInt(100));
            Price price = random.nextInt(4) == 0
                    ? null
                    : new Price(
                            Instant.EPOCH,
                            new Money(random.nextInt(10)),
                            new Money(random.nextInt(100_000_000)),
                            random.nextBoolean() ? null : Money.ZERO,
                            null,
                            null,
                            null,
                            random.nextBoolean() ? null : new Money(random.nextInt(20_000)),
                            null,
                            null,
                            null,
                            null,
                            null);
            Money cost = new Money(random.nextInt(1_000_000_000));
            List<Share> shares = CostShares.of(figures(usage, cost), price);
            if (!shares.isEmpty()) {
                assertThat(shares.stream().map(Share::cost).reduce(Money.ZERO, Money::plus))
                        .as("seed %s", seed)
                        .isEqualTo(cost);
            }
        }
    }
}
