package io.sluice.control.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.CapStanding;
import io.sluice.control.budget.CapAlert;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class CapEventsTest {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    private static String id(Double threshold, BudgetBand band, int begun, Instant at) {
        SpendCapConfig cap = new SpendCapConfig(
                "day-tenant",
                1,
                CapScope.TENANT,
                null,
                CapPeriod.DAY,
                Money.of("100"),
                0.7,
                0.9,
                AtExhaustion.REFUSE,
                null);
        CapStanding standing = new CapStanding(
                AccountKey.ofKey("acme|2026-11-30|day-tenant"),
                Money.of("75"),
                Money.ZERO,
                band,
                begun,
                NOON.plusSeconds(43_200),
                null,
                null,
                at);
        return CapEvents.alert(new CapAlert("ops", cap, threshold, standing), "USD")
                .key()
                .event();
    }

    @Test
    void twoNodesThatNoticeTheSameAtDifferentTimesGiveItTheSameId() {
        Instant later = NOON.plusSeconds(3);
        assertThat(id(null, BudgetBand.CONSERVE, 1, later)).isEqualTo(id(null, BudgetBand.CONSERVE, 1, NOON));
        assertThat(id(0.5, BudgetBand.CONSERVE, 1, later)).isEqualTo(id(0.5, BudgetBand.NORMAL, 0, NOON));
    }

    @Test
    void aBandThatComesAgainIsAnotherEvent() {
        assertThat(id(null, BudgetBand.CONSERVE, 2, NOON)).isNotEqualTo(id(null, BudgetBand.CONSERVE, 1, NOON));
    }
}
