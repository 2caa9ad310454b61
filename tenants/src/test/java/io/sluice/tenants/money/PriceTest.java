package io.sluice.tenants.money;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.json.StrictJson;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PriceTest {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
    private static final Money ONE = Money.of("1");

    /** P1 of the case list: input 1, output 2, cache read 0.10, cache write 1.25 per million tokens. */
    private static final Price P1 = price("1", "2", "0.10", "1.25");

    @Test
    void aServiceTierAndARegionMultiplyTheWholeRequest() {
        Price price = factored(
                List.of(new PriceFactor("flex", 50), new PriceFactor("priority", 200)),
                List.of(new PriceFactor("eu", 110)));
        TokenUsage usage = new TokenUsage(100, 0, 0, 100, 0, false);

        assertThat(price.costOf(usage, NOON)).isEqualTo(new Money(200));
        assertThat(price.costOf(usage, new Served("flex", null), NOON)).isEqualTo(new Money(100));
        assertThat(price.costOf(usage, new Served("Priority", "EU"), NOON)).isEqualTo(new Money(440));
        assertThat(price.costOf(usage, new Served("scale", "us"), NOON)).isEqualTo(new Money(200));
    }

    @Test
    void factorsAreRoundedOnceWithTheSum() {
        Price price = factored(List.of(new PriceFactor("flex", 50)), List.of(new PriceFactor("eu", 33)));

        assertThat(price.costOf(new TokenUsage(1, 0, 0, 0, 0, false), new Served("flex", "eu"), NOON))
                .isEqualTo(new Money(1));
        assertThat(price.costOf(new TokenUsage(100, 0, 0, 0, 0, false), new Served("flex", "eu"), NOON))
                .isEqualTo(new Money(17));
    }

    @Test
    void oneTierHasOneFactor() {
        assertThatThrownBy(() -> factored(List.of(new PriceFactor("flex", 50), new PriceFactor("FLEX", 60)), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** What was charged before there were factors is still found by its version. */
    @Test
    void aPriceWithoutFactorsHasTheVersionThatItAlwaysHad() {
        Price p1 = new Price(Instant.EPOCH, Money.of("1"), Money.of("2"), Money.of("0.1"), Money.of("1.25"));

        assertThat(p1.version()).isEqualTo("1970-01-01.68499a9f7791");
        assertThat(factored(List.of(new PriceFactor("flex", 50)), List.of()).version())
                .isNotEqualTo(factored(List.of(), List.of()).version())
                .isNotEqualTo(factored(List.of(), List.of(new PriceFactor("flex", 50)))
                        .version());
    }

    private static Price factored(List<PriceFactor> serviceTiers, List<PriceFactor> regions) {
        return new Price(
                Instant.EPOCH,
                ONE,
                ONE,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                List.of(),
                serviceTiers,
                regions,
                null);
    }

    @Test
    void us01CachedTokensCostTheCacheRateOnce() {
        assertThat(P1.costOf(new TokenUsage(4_000, 16_000, 0, 1_000, 0, false), NOON))
                .isEqualTo(Money.of("0.0076"));
    }

    @Test
    void us03ReasoningTokensAreAPartOfTheAnswerAndCostOnce() {
        TokenUsage usage = new TokenUsage(64, 0, 0, 135 - 78, 78, false);
        assertThat(usage.outputTotal()).isEqualTo(135);
        assertThat(usage.promptTotal() + usage.outputTotal()).isEqualTo(199);
        assertThat(P1.costOf(usage, NOON)).isEqualTo(new Money(64 + 2 * 135));
    }

    @Test
    void st01TwentySixInAndFiveOut() {
        assertThat(P1.costOf(new TokenUsage(26, 0, 0, 5, 0, false), NOON)).isEqualTo(Money.of("0.000036"));
    }

    @Test
    void cacheWritesCostTheirOwnRate() {
        assertThat(P1.costOf(new TokenUsage(0, 0, 1_000_000, 0, 0, false), NOON))
                .isEqualTo(Money.of("1.25"));
    }

    @Test
    void absentCacheRatesMeanTheInputRate() {
        assertThat(price("3", "0", null, null).costOf(new TokenUsage(0, 1_000, 1_000, 0, 0, false), NOON))
                .isEqualTo(new Money(6_000));
    }

    @Test
    void aFractionIsRoundedUpOncePerChargeAndNotPerClass() {
        Price tenth = price("0.1", "0.1", "0.1", "0.1");
        assertThat(tenth.costOf(new TokenUsage(1, 1, 1, 1, 1, false), NOON)).isEqualTo(new Money(1));
        assertThat(tenth.costOf(TokenUsage.NONE, NOON)).isEqualTo(Money.ZERO);
    }

    @Test
    void absurdAmountsStayAtTheMostThatACallIsCharged() {
        Price dear = price("999999999999", "999999999999", null, null);
        long most = TokenUsage.TOKENS_MAX;
        assertThat(dear.costOf(new TokenUsage(most, most, most, most, most, false), NOON))
                .isEqualTo(new Money(Price.CALL_MICROS_MAX));
        assertThat(dear.costOf(new TokenUsage(1_000_000, 0, 0, 0, 0, false), NOON))
                .isEqualTo(new Money(Price.CALL_MICROS_MAX));
    }

    @Test
    void us05ThinkingIsBilledBesideTheAnswer() {
        assertThat(P1.costOf(new TokenUsage(10, 0, 0, 1_000, 50, false), NOON)).isEqualTo(Money.of("0.00211"));
    }

    @Test
    void thinkingMayHaveAPriceOfItsOwn() {
        Price price = new Price(Instant.EPOCH, ONE, ONE, null, null, Money.of("3"), null, null, null);
        assertThat(price.costOf(new TokenUsage(0, 0, 0, 10, 5, false), NOON)).isEqualTo(new Money(25));
    }

    @Test
    void imagesCostByTheirNumberBesideTheirTokens() {
        Price price = new Price(Instant.EPOCH, ONE, ONE, null, null, null, Money.of("0.002"), null, null);
        assertThat(price.costOf(new TokenUsage(7, 0, 0, 0, 0, false).withImages(3), NOON))
                .isEqualTo(new Money(6_007));
    }

    private static Price withFee(String fee) {
        return new Price(Instant.EPOCH, ONE, ONE, null, null, null, null, Money.of(fee), null, null, null, null, null);
    }

    @Test
    void aProvidersOwnToolsCostByTheirCallsBesideTheTokens() {
        assertThat(withFee("0.01").costOf(new TokenUsage(7, 0, 0, 0, 0, false).withServerToolCalls(3), NOON))
                .isEqualTo(new Money(30_007));
        assertThat(price("1", "1", null, null).costOf(TokenUsage.NONE.withServerToolCalls(3), NOON))
                .isEqualTo(Money.ZERO);
        assertThatThrownBy(() -> withFee("-0.01")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFeeHasAVersionOfItsOwnAndSurvivesJsonAndANewDate() throws Exception {
        Price fee = withFee("0.01");
        assertThat(fee.version())
                .isNotEqualTo(withFee("0.02").version())
                .isNotEqualTo(price("1", "1", null, null).version());
        assertThat(StrictJson.MAPPER.readValue(StrictJson.MAPPER.writeValueAsString(fee), Price.class))
                .isEqualTo(fee);
        assertThat(fee.from(NOON).perServerToolCall()).isEqualTo(Money.of("0.01"));
    }

    @Test
    void aLongPromptRepricesTheWholeRequest() {
        PriceTier far = new PriceTier(1_000, Money.of("9"), Money.of("9"), null, null, null);
        PriceTier tier = new PriceTier(100, Money.of("2"), Money.of("3"), Money.of("0"), null, null);
        Price price = new Price(Instant.EPOCH, ONE, ONE, null, null, null, null, List.of(far, tier), null);

        assertThat(price.costOf(new TokenUsage(100, 0, 0, 10, 0, false), NOON)).isEqualTo(new Money(110));
        assertThat(price.costOf(new TokenUsage(60, 31, 10, 10, 0, false), NOON)).isEqualTo(new Money(140 + 30));
        assertThat(price.costOf(new TokenUsage(1_001, 0, 0, 0, 0, false), NOON)).isEqualTo(new Money(9_009));
    }

    @Test
    void peakHoursHoldInUtcOnTheirDaysUntilTheirEnd() {
        PriceHours peak = new PriceHours(List.of(DayOfWeek.MONDAY, DayOfWeek.TUESDAY), 60, 240, 200);
        Price price = new Price(Instant.EPOCH, ONE, ONE, null, null, null, null, null, List.of(peak));
        TokenUsage ten = new TokenUsage(10, 0, 0, 0, 0, false);

        assertThat(price.costOf(ten, Instant.parse("2026-11-30T00:59:59.999Z"))).isEqualTo(new Money(10));
        assertThat(price.costOf(ten, Instant.parse("2026-11-30T01:00:00Z"))).isEqualTo(new Money(20));
        assertThat(price.costOf(ten, Instant.parse("2026-12-01T03:59:59.999Z"))).isEqualTo(new Money(20));
        assertThat(price.costOf(ten, Instant.parse("2026-12-01T04:00:00Z"))).isEqualTo(new Money(10));
        assertThat(price.costOf(ten, Instant.parse("2026-12-02T02:00:00Z"))).isEqualTo(new Money(10));
    }

    @Test
    void theFirstWindowThatHoldsCounts() {
        List<DayOfWeek> all = List.of(DayOfWeek.values());
        Price price = new Price(
                Instant.EPOCH,
                ONE,
                ONE,
                null,
                null,
                null,
                null,
                null,
                List.of(new PriceHours(all, 0, 720, 50), new PriceHours(all, 0, 1_440, 300)));
        TokenUsage ten = new TokenUsage(10, 0, 0, 0, 0, false);

        assertThat(price.costOf(ten, Instant.EPOCH)).isEqualTo(new Money(5));
        assertThat(price.costOf(ten, NOON)).isEqualTo(new Money(30));
    }

    @Test
    void theVersionNamesExactlyThesePrices() {
        Price price = price("1", "2", null, null);
        assertThat(price.version()).isEqualTo(price("1", "2", null, null).version());
        assertThat(price.version()).startsWith("1970-01-01.").hasSize(23);
        assertThat(price.version())
                .isNotEqualTo(price("1", "2.000001", null, null).version())
                .isNotEqualTo(price("1", "2", "1", null).version())
                .isNotEqualTo(price("1", "2", null, "1").version())
                .isNotEqualTo(price.from(Instant.EPOCH.plusSeconds(1)).version());
    }

    @Test
    void aPriceOfTheFirstFormIsStillRead() throws Exception {
        Price read = StrictJson.MAPPER.readValue(
                "{\"validFrom\":\"1970-01-01T00:00:00Z\",\"inputPerMTok\":\"1\",\"outputPerMTok\":\"2\"}", Price.class);
        assertThat(read).isEqualTo(price("1", "2", null, null));
    }

    @Test
    void aPriceSurvivesItsJson() throws Exception {
        Price price = new Price(
                NOON,
                ONE,
                ONE,
                ONE,
                null,
                Money.of("3"),
                Money.of("0.002"),
                List.of(new PriceTier(5, ONE, ONE, null, ONE, null)),
                List.of(new PriceHours(List.of(DayOfWeek.SUNDAY), 1, 2, 50)));
        String json = StrictJson.MAPPER.writeValueAsString(price);
        assertThat(StrictJson.MAPPER.readValue(json, Price.class)).isEqualTo(price);
        assertThat(json).doesNotContain("null").doesNotContain("Micros");
    }

    @Test
    void hoursThatAreNoneAreRefused() {
        List<DayOfWeek> day = List.of(DayOfWeek.MONDAY);
        assertThatThrownBy(() -> new PriceHours(List.of(), 0, 1, 100)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PriceHours(day, 5, 5, 100)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PriceHours(day, 0, 1_441, 100)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PriceHours(day, 0, 1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNegativePriceIsRefused() {
        assertThatThrownBy(() -> price("1", "-0.000001", null, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> price("1", "1", "-1", null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> price("1", "1", null, "-1")).isInstanceOf(IllegalArgumentException.class);
    }

    private static Price price(String input, String output, String cached, String write) {
        return new Price(
                Instant.EPOCH,
                Money.of(input),
                Money.of(output),
                cached == null ? null : Money.of(cached),
                write == null ? null : Money.of(write));
    }
}
