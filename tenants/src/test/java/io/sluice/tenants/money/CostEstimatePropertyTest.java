package io.sluice.tenants.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.Seeds;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is set aside is never less than what is charged. */
class CostEstimatePropertyTest {
    @Test
    void noUsageWithinTheBoundsCostsMoreThanTheWorst() {
        Seeds.check(20_000, random -> {
            Price price = PricePropertyTest.price(random);
            Instant at = PricePropertyTest.instant(random);
            TokenUsage usage = PricePropertyTest.usage(random);
            long promptMax = usage.promptTotal() + slack(random);
            long outputMax = usage.outputTotal() + slack(random);
            int images = (int) usage.images() + random.nextInt(2);
            int calls = (int) usage.serverToolCalls() + random.nextInt(2);

            Served asked = PricePropertyTest.served(random);

            Money worst = CostEstimate.worst(price, promptMax, outputMax, images, calls, asked, at);

            assertThat(worst).isGreaterThanOrEqualTo(price.costOf(usage, allowed(asked, random), at));
        });
    }

    /** As the provider may serve it: as it was asked to, as the price stands, or, where it was left to choose, in any tier. */
    private static Served allowed(Served asked, SplittableRandom random) {
        String any = PricePropertyTest.served(random).serviceTier();
        boolean open = asked.serviceTier() == null || asked.serviceTier().equals("auto");
        return switch (random.nextInt(3)) {
            case 0 -> asked;
            case 1 -> new Served(null, asked.region());
            default -> new Served(open ? any : asked.serviceTier(), asked.region());
        };
    }

    @Test
    void aRequestThatNamesItsTierIsNotEstimatedAtADearerOne() {
        Price price = new Price(
                Instant.EPOCH,
                Money.of("1"),
                Money.of("1"),
                null,
                null,
                null,
                null,
                null,
                List.of(),
                List.of(),
                List.of(new PriceFactor("flex", 50), new PriceFactor("priority", 200)),
                List.of(new PriceFactor("eu", 110)),
                null);

        assertThat(worst(price, null, null)).isEqualTo(new Money(200));
        assertThat(worst(price, "auto", null)).isEqualTo(new Money(200));
        assertThat(worst(price, "default", null)).isEqualTo(new Money(100));
        assertThat(worst(price, "flex", null)).isEqualTo(new Money(100));
        assertThat(worst(price, "priority", "eu")).isEqualTo(new Money(220));
    }

    private static Money worst(Price price, String tier, String region) {
        return CostEstimate.worst(price, 90, 10, 0, 0, new Served(tier, region), Instant.EPOCH);
    }

    @Test
    void withinTheBoundsOfOneFlatPriceTheWorstIsTheCostItself() {
        Price flat = new Price(Instant.EPOCH, Money.of("1"), Money.of("2"), null, null);
        TokenUsage usage = new TokenUsage(1_000, 0, 0, 100, 0, false);
        assertThat(CostEstimate.worst(flat, 1_000, 100, 0, Instant.EPOCH)).isEqualTo(flat.costOf(usage, Instant.EPOCH));
    }

    @Test
    void whatTheProvidersToolsMayBeCalledIsSetAside() {
        Price price = new Price(
                Instant.EPOCH,
                Money.of("1"),
                Money.of("2"),
                null,
                null,
                null,
                null,
                Money.of("0.01"),
                null,
                null,
                null,
                null,
                null);

        assertThat(CostEstimate.worst(price, 1_000, 100, 0, 3, Served.PLAIN, Instant.EPOCH))
                .isEqualTo(Money.of("0.0312"));
    }

    @Test
    void modelsThatAlwaysSearchCallTheirToolUnasked() {
        assertThat(ServerToolBound.callsMax(0, "gpt-4.1")).isZero();
        assertThat(ServerToolBound.callsMax(1, "gpt-4.1")).isEqualTo(1);
        assertThat(ServerToolBound.callsMax(0, "openai/gpt-4o-mini-search-preview-2025-03-11"))
                .isEqualTo(1);
        assertThat(ServerToolBound.callsMax(0, "gpt-5-search-api")).isEqualTo(1);
    }

    @Test
    void aRequestThatMayBeLongIsEstimatedAtTheTierOfTheLong() {
        PriceTier tier = new PriceTier(100, Money.of("2"), Money.of("2"), null, null, null);
        Price price = new Price(
                Instant.EPOCH, Money.of("1"), Money.of("1"), null, null, null, null, List.of(tier), List.of());
        assertThat(CostEstimate.worst(price, 100, 10, 0, Instant.EPOCH)).isEqualTo(new Money(110));
        assertThat(CostEstimate.worst(price, 101, 10, 0, Instant.EPOCH)).isEqualTo(new Money(222));
    }

    /** Case BU08, at P1: 200,000 tokens of prompt and no limit, with $0.05 left. */
    @Test
    void bu08AHugePromptWithoutALimitIsNotTakenForCheap() {
        Price p1 = new Price(Instant.EPOCH, Money.of("1"), Money.of("2"), Money.of("0.1"), Money.of("1.25"));
        long promptMax = PromptBound.tokensMax(800_000, 0, false, "m1", 1_000_000);
        assertThat(CostEstimate.worst(p1, promptMax, 4_096, 0, Instant.EPOCH)).isGreaterThan(Money.of("0.20"));
    }

    @Test
    void ofSeveralCandidatesTheDearestCounts() {
        assertThat(CostEstimate.dearest(List.of(new Money(1), new Money(3), new Money(2))))
                .isEqualTo(new Money(3));
        assertThat(CostEstimate.dearest(List.of())).isEqualTo(Money.ZERO);
    }

    @Test
    void aPromptHasNoMoreTokensThanBytesAndWhatProvidersAdd() {
        assertThat(PromptBound.tokensMax(500, 0, false, "m", 8_000)).isEqualTo(516);
        assertThat(PromptBound.tokensMax(500, 0, true, "m", 8_000)).isEqualTo(1_516);
        assertThat(PromptBound.tokensMax(500, 2, false, "m", 8_000)).isEqualTo(10_516);
        assertThat(PromptBound.tokensMax(500, 1, false, "gpt-4o-mini", 8_000)).isEqualTo(48_716);
        assertThat(PromptBound.tokensMax(-1, 2, true, "m", 8_000)).isEqualTo(8_000);
    }

    private static long slack(SplittableRandom random) {
        return random.nextLong(1L << 20) >> random.nextInt(21);
    }
}
