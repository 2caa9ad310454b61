package io.sluice.control.budget;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.CapStanding;
import io.sluice.control.budget.CapWatch.BandChange;
import io.sluice.control.budget.CapWatch.Told;
import io.sluice.tenants.Stamp;
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

    @Test
    void anotherNodesCapKeepsTheBandThatItsOwnerTold() {
        CapWatch owner = new CapWatch("n2");
        List<CapBand> bands = owner.next(configuration, List.of(figures(75, 0)), account -> 0, tenant -> true, NOON)
                .bands();
        watch.heard(bands, NOON);

        Told told = watch.next(configuration, List.of(figures(95, 0)), account -> 0, tenant -> false, NOON);

        assertThat(told.bands()).isEmpty();
        assertThat(told.changes()).isEmpty();
        assertThat(told.standings()).singleElement().satisfies(standing -> {
            assertThat(standing.band()).isEqualTo(BudgetBand.CONSERVE);
            assertThat(standing.begun()).isEqualTo(1);
            assertThat(standing.spent()).isEqualTo(Money.of("95"));
            assertThat(standing.explanation()).startsWith("CONSERVE: 95 of 100");
        });
    }

    @Test
    void bothOwnersOfASplitNetworkCountABandAlikeWhateverEachSawOnTheWay() {
        CapWatch other = new CapWatch("n2");
        watch.next(configuration, List.of(figures(75, 0)), account -> 0, tenant -> true, NOON);

        Told told =
                watch.next(configuration, List.of(figures(95, 0)), account -> 0, tenant -> true, NOON.plusSeconds(1));
        Told later =
                other.next(configuration, List.of(figures(95, 0)), account -> 0, tenant -> true, NOON.plusSeconds(3));

        assertThat(told.standings()).extracting(CapStanding::begun).containsExactly(1);
        assertThat(later.standings()).extracting(CapStanding::begun).containsExactly(1);
    }

    @Test
    void theNextOwnerIsAsSlowToRelaxAsTheLast() {
        CapWatch last = new CapWatch("n2");
        watch.heard(
                last.next(configuration, List.of(figures(75, 0)), account -> 0, tenant -> true, NOON)
                        .bands(),
                NOON);

        Told soon =
                watch.next(configuration, List.of(figures(10, 0)), account -> 0, tenant -> true, NOON.plusSeconds(60));
        Told later = watch.next(
                configuration, List.of(figures(10, 0)), account -> 0, tenant -> true, NOON.plusSeconds(1_900));

        assertThat(soon.bands()).extracting(CapBand::band).containsExactly(BudgetBand.CONSERVE);
        assertThat(soon.moved()).isEmpty();
        assertThat(later.bands()).extracting(CapBand::band).containsExactly(BudgetBand.NORMAL);
        assertThat(later.bands()).extracting(CapBand::stamp).containsExactly(new Stamp(2, "n1"));
        assertThat(later.changes()).extracting(BandChange::from).containsExactly(BudgetBand.CONSERVE);
    }

    @Test
    void fourChangesAnHourHoldOverAChangeOfOwnerEachTime() {
        int changes = 0;
        List<CapBand> bands = List.of();
        for (int minute = 0; minute < 60; minute++) {
            CapWatch next = new CapWatch("n" + minute);
            Instant now = NOON.plusSeconds(60L * minute);
            next.heard(bands, now);
            Told told = next.next(
                    configuration, List.of(figures(minute % 2 == 0 ? 92 : 10, 0)), account -> 0, tenant -> true, now);
            changes += told.changes().size();
            bands = told.bands();
        }
        assertThat(changes).isBetween(1, 4);
    }

    @Test
    void olderBandsAreAnsweredWithTheNewer() {
        CapWatch owner = new CapWatch("n2");
        List<CapBand> first = owner.next(configuration, List.of(figures(75, 0)), account -> 0, tenant -> true, NOON)
                .bands();
        List<CapBand> second = owner.next(
                        configuration, List.of(figures(95, 0)), account -> 0, tenant -> true, NOON.plusSeconds(1))
                .bands();
        watch.heard(second, NOON);

        assertThat(watch.heard(first, NOON)).isEqualTo(second);
        assertThat(watch.heard(second, NOON)).isEmpty();
    }

    @Test
    void aBandThatItsOwnerDoesNotTellAnyMoreIsToldByWhoeverKnowsIt() {
        CapWatch owner = new CapWatch("n2");
        List<CapBand> bands = owner.next(configuration, List.of(figures(75, 0)), account -> 0, tenant -> true, NOON)
                .bands();
        watch.heard(bands, NOON);

        assertThat(watch.untold(tenant -> false, NOON.plusSeconds(14))).isEmpty();
        assertThat(watch.untold(tenant -> false, NOON.plusSeconds(15))).isEqualTo(bands);
        assertThat(watch.untold(tenant -> false, NOON.plusSeconds(16))).isEmpty();
        assertThat(watch.untold(tenant -> true, NOON.plusSeconds(60)))
                .as("one's own are told anyway")
                .isEmpty();
    }

    @Test
    void aBandIsForgottenWhenItsPeriodIsOver() {
        watch.next(configuration, List.of(figures(75, 0)), account -> 0, tenant -> true, NOON);
        assertThat(watch.over(ENDS.minusMillis(1))).isEmpty();
        assertThat(watch.over(ENDS)).containsExactly(TODAY);
        assertThat(watch.over(ENDS)).isEmpty();
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
