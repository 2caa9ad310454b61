package io.sluice.control.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.CapStanding;
import io.sluice.control.budget.CapWatch.BandChange;
import io.sluice.control.budget.CapWatch.Told;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.message.CapBand;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CapWatchTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final AccountKey TODAY =
            new AccountKey(ACME, "day-tenant", Period.of(CapPeriod.DAY, LocalDate.of(2026, 11, 30)));
    private static final Instant OPENS = Instant.parse("2026-11-30T00:00:00Z");
    private static final Instant ENDS = Instant.parse("2026-12-01T00:00:00Z");
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    private final SpendCapConfig cap = new SpendCapConfig(
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
    private final Configuration configuration =
            Configuration.EMPTY.with(TenantTree.of(new TenantConfig(ACME, 1, "Acme", ZoneId.of("UTC"), "USD", false))
                    .with(cap));
    private final CapWatch watch = new CapWatch("n1");

    @Test
    void aCapThatIsFarFromItsLimitIsToldWithoutABand() {
        Told told = watch.next(configuration, List.of(figures(10, 2)), account -> 0, tenant -> true, NOON);

        assertThat(told.bands()).isEmpty();
        assertThat(told.changes()).isEmpty();
        assertThat(told.standings()).singleElement().satisfies(standing -> {
            assertThat(standing.spent()).isEqualTo(Money.of("10"));
            assertThat(standing.held()).isEqualTo(Money.of("2"));
            assertThat(standing.resetsAt()).isEqualTo(ENDS);
        });
    }

    @Test
    void aChangeIsToldOnceWithItsReason() {
        watch.next(configuration, List.of(figures(60, 0)), account -> 0, tenant -> true, NOON);

        Told changed =
                watch.next(configuration, List.of(figures(72, 0)), account -> 0, tenant -> true, NOON.plusSeconds(600));
        Told same =
                watch.next(configuration, List.of(figures(73, 0)), account -> 0, tenant -> true, NOON.plusSeconds(601));

        assertThat(changed.changes()).extracting(BandChange::from).containsExactly(BudgetBand.NORMAL);
        assertThat(changed.bands()).extracting(CapBand::band).containsExactly(BudgetBand.CONSERVE);
        assertThat(changed.standings())
                .extracting(CapStanding::explanation)
                .allMatch(words -> words.contains("72 of 100"));
        assertThat(same.changes()).isEmpty();
        assertThat(same.bands()).isEqualTo(changed.bands());
    }

    @Test
    void theForecastFollowsTheBurnOfTheLastHour() {
        watch.next(configuration, List.of(figures(10, 0)), account -> 0, tenant -> true, NOON.minusSeconds(3_600));
        Told told = watch.next(configuration, List.of(figures(15, 0)), account -> 0, tenant -> true, NOON);
        assertThat(told.standings()).extracting(CapStanding::forecast).containsExactly(Money.of("75"));
    }

    @Test
    void moneyIsKeptForWhatExemptScenariosSpend() {
        watch.next(
                configuration, List.of(figures(80, 0)), account -> 1_000_000, tenant -> true, NOON.minusSeconds(3_600));
        Told told = watch.next(configuration, List.of(figures(91, 0)), account -> 2_000_000, tenant -> true, NOON);
        assertThat(told.bands()).extracting(CapBand::band).containsExactly(BudgetBand.EXHAUSTED);
    }

    @Test
    void aRemovedCapAndAPeriodThatIsOverAreNotTold() {
        Configuration removed =
                configuration.with(configuration.tenants().get(ACME).with(cap.removed(NOON)));

        assertThat(watch.next(removed, List.of(figures(99, 0)), account -> 0, tenant -> true, NOON)
                        .standings())
                .isEmpty();
        assertThat(watch.next(configuration, List.of(figures(99, 0)), account -> 0, tenant -> true, ENDS)
                        .standings())
                .isEmpty();
    }

    private static CapFigures figures(long spent, long held) {
        return new CapFigures(
                TODAY,
                1,
                Set.of(),
                true,
                false,
                100_000_000,
                0,
                (spent + held) * 1_000_000,
                spent * 1_000_000,
                held * 1_000_000,
                0,
                Set.of(),
                OPENS,
                ENDS,
                NOON);
    }
}
