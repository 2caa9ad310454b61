package io.sluice.tenants.money;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ListPricesTest {
    private static final Instant MONDAY_PEAK = Instant.parse("2026-11-30T02:00:00Z");
    private static final Instant SUNDAY = Instant.parse("2026-11-29T02:00:00Z");

    private final ListPrices.Table table = ListPrices.read();

    @Test
    void everyRowNamesItsSourceAndHoldsOnTheDayTheTableWasWritten() {
        Instant written = LocalDate.parse(table.written()).atStartOfDay().toInstant(ZoneOffset.UTC);
        assertThat(table.currency()).isEqualTo(ListPrices.CURRENCY);
        assertThat(table.models()).hasSizeGreaterThan(50).allSatisfy(row -> {
            assertThat(row.source()).as(row.model()).isNotBlank();
            assertThat(new PriceBook(row.prices()).at(written)).as(row.model()).isPresent();
        });
        assertThat(table.leftOut()).allSatisfy(row -> assertThat(row.why()).isNotBlank());
    }

    @Test
    void aModelIsListedOrLeftOutButNeverBoth() {
        assertThat(table.leftOut())
                .allSatisfy(row -> assertThat(ListPrices.of(row.model())).isEmpty());
        assertThat(table.models()).extracting(ListPrices.Row::model).doesNotHaveDuplicates();
    }

    @Test
    void longPromptsCostMore() {
        assertThat(cost("gpt-6.1-terra", new TokenUsage(272_000, 0, 0, 1_000, 0, false), SUNDAY))
                .isEqualTo(Money.of("0.277"));
        assertThat(cost("gpt-6.1-terra", new TokenUsage(272_001, 0, 0, 1_000, 0, false), SUNDAY))
                .isEqualTo(Money.of("0.551502"));
    }

    @Test
    void peakHoursCostTwiceAsMuchOnWeekdays() {
        TokenUsage usage = new TokenUsage(1_000, 0, 0, 0, 0, false);
        assertThat(cost("deepseek-v4-pro", usage, SUNDAY)).isEqualTo(Money.of("0.00066"));
        assertThat(cost("deepseek-v4-pro", usage, MONDAY_PEAK)).isEqualTo(Money.of("0.00132"));
    }

    @Test
    void aPriceThatIsKnownToRiseRisesOnItsDay() {
        TokenUsage usage = new TokenUsage(1_000, 0, 0, 0, 0, false);
        assertThat(cost("gemini-3.7-flash", usage, Instant.parse("2026-12-31T23:59:59Z")))
                .isEqualTo(Money.of("0.00075"));
        assertThat(cost("gemini-3.7-flash", usage, Instant.parse("2027-01-01T00:00:00Z")))
                .isEqualTo(Money.of("0.0015"));
    }

    private static Money cost(String model, TokenUsage usage, Instant at) {
        return ListPrices.of(model).orElseThrow().at(at).orElseThrow().costOf(usage, at);
    }
}
