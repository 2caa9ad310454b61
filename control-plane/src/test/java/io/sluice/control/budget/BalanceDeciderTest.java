package io.sluice.control.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.BalanceStanding;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.ProviderBalanceConfig;
import io.sluice.tenants.money.Money;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BalanceDeciderTest {
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    private static BalanceStanding decide(String amount, Duration ago, String spent, String burned) {
        return BalanceDecider.decide(
                new ScopedId(new TenantId("acme"), "openai"),
                new ProviderBalanceConfig("openai", 1, Money.of(amount), NOW.minus(ago)),
                Money.of(spent).micros(),
                Money.of(burned).micros(),
                "USD",
                NOW);
    }

    @Test
    void anAccountIsLowWhenTheLastDaysBurnEmptiesItWithinFortyEightHours() {
        BalanceStanding low = decide("100", Duration.ofDays(10), "60", "20");
        BalanceStanding enough = decide("100", Duration.ofDays(10), "59.99", "20");

        assertThat(low.left()).isEqualTo(Money.of("40"));
        assertThat(low.burnPerDay()).isEqualTo(Money.of("20"));
        assertThat(low.runsOutAt()).isEqualTo(NOW.plus(Duration.ofDays(2)));
        assertThat(low.low()).isTrue();
        assertThat(enough.low()).isFalse();
    }

    @Test
    void aFreshDeclarationIsJudgedByWhatWasSpentSince() {
        BalanceStanding standing = decide("100", Duration.ofHours(6), "10", "10");
        assertThat(standing.burnPerDay()).isEqualTo(Money.of("40"));
        assertThat(standing.runsOutAt()).isEqualTo(NOW.plus(Duration.ofHours(54)));
        assertThat(standing.low()).isFalse();
    }

    @Test
    void aFirstRequestIsNoBurnOfAMinute() {
        assertThat(decide("100", Duration.ofSeconds(1), "0.01", "0.01").burnPerDay())
                .isEqualTo(Money.of("0.96"));
    }

    @Test
    void anAccountThatNobodyUsesDoesNotRunOut() {
        BalanceStanding idle = decide("5", Duration.ofDays(30), "4", "0");
        assertThat(idle.runsOutAt()).isNull();
        assertThat(idle.low()).isFalse();
    }

    @Test
    void anOverdrawnAccountIsLowAlsoWhereNobodyUsesIt() {
        BalanceStanding empty = decide("5", Duration.ofDays(30), "5.5", "0");
        assertThat(empty.left()).isEqualTo(Money.of("-0.5"));
        assertThat(empty.runsOutAt()).isEqualTo(NOW);
        assertThat(empty.low()).isTrue();
    }

    @Test
    void whatLastsForYearsHasNoDate() {
        assertThat(decide("9000000000", Duration.ofDays(1), "0.000001", "0.000001")
                        .runsOutAt())
                .isNull();
    }
}
