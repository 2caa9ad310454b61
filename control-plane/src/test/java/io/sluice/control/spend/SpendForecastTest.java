package io.sluice.control.spend;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.spend.SpendStore.Span;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SpendForecastTest {
    private static final Span DAY = new Span(0, 86_400);

    @Test
    void goesOnAsItDidUntilNow() {
        assertThat(SpendForecast.of(Money.of("10"), DAY, Instant.ofEpochSecond(21_600)))
                .isEqualTo(Money.of("40"));
    }

    @Test
    void saysNothingBeforeAndAfter() {
        assertThat(SpendForecast.of(Money.of("10"), DAY, Instant.ofEpochSecond(0)))
                .isNull();
        assertThat(SpendForecast.of(Money.of("10"), DAY, Instant.ofEpochSecond(86_400)))
                .isNull();
    }

    @Test
    void holdsForLargeAmounts() {
        Money large = new Money(1L << 52);
        assertThat(SpendForecast.of(large, DAY, Instant.ofEpochSecond(43_200))).isEqualTo(new Money(1L << 53));
    }
}
