package io.sluice.data.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.TestConfig;
import io.sluice.tenants.Stamp;
import io.sluice.tenants.budget.BandLimits;
import io.sluice.tenants.budget.BandState;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.message.CapBand;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.routing.BudgetFacts;
import io.sluice.tenants.routing.CompiledCap;
import io.sluice.tenants.routing.CompiledTenant;
import io.sluice.tenants.routing.SnapshotCompiler;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BandBoardTest {
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 30);
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    private final BandBoard board = new BandBoard();
    private final CompiledTenant tenant = tenant();

    @Test
    void aRequestWithoutACapHasNoBand() {
        CompiledTenant uncapped =
                new SnapshotCompiler().compile(TestConfig.pool()).tenants().get(TestConfig.T1);
        assertThat(board.of(uncapped.scenarios().get("chat"), RequestCaps.NONE)).isNull();
    }

    @Test
    void aCapOfWhichNothingWasToldIsNormal() {
        assertThat(at(NOON).band()).isEqualTo(BudgetBand.NORMAL);
        assertThat(at(NOON).cap()).isNull();
    }

    @Test
    void theShortestOfItsCapsDecidesWithWhatThatCapWants() {
        board.publish(
                List.of(
                        band("day-tenant", CapPeriod.DAY, BudgetBand.CONSERVE),
                        band("month-tenant", CapPeriod.MONTH, BudgetBand.RESTRICT)),
                NOON);

        assertThat(at(NOON).band()).isEqualTo(BudgetBand.RESTRICT);
        assertThat(at(NOON).cap()).isEqualTo("month-tenant");
        assertThat(at(NOON).atExhaustion()).isEqualTo(AtExhaustion.DEGRADE);
    }

    @Test
    void ofTwoThatAreUsedUpTheOneThatRefusesDecides() {
        board.publish(
                List.of(
                        band("month-tenant", CapPeriod.MONTH, BudgetBand.EXHAUSTED),
                        band("day-tenant", CapPeriod.DAY, BudgetBand.EXHAUSTED)),
                NOON);
        assertThat(at(NOON).cap()).isEqualTo("day-tenant");
        assertThat(at(NOON).atExhaustion()).isEqualTo(AtExhaustion.REFUSE);
    }

    @Test
    void noBandOutlivesItsPeriod() {
        board.publish(List.of(band("day-tenant", CapPeriod.DAY, BudgetBand.EXHAUSTED)), NOON);
        Instant ends = tenant.caps().calendar().endOf(Period.of(CapPeriod.DAY, TODAY));
        assertThat(at(ends.minusMillis(1)).band()).isEqualTo(BudgetBand.EXHAUSTED);
        assertThat(at(ends).band()).isEqualTo(BudgetBand.NORMAL);
    }

    @Test
    void whatComesLateChangesNothing() {
        board.publish(List.of(band(2, "day-tenant", CapPeriod.DAY, BudgetBand.NORMAL)), NOON);
        board.publish(List.of(band(1, "day-tenant", CapPeriod.DAY, BudgetBand.EXHAUSTED)), NOON);
        assertThat(at(NOON).band()).isEqualTo(BudgetBand.NORMAL);
    }

    @Test
    void aCapThatIsNotNamedKeepsItsBandSinceAnotherNodeMayOwnIt() {
        board.publish(List.of(band("day-tenant", CapPeriod.DAY, BudgetBand.RESTRICT)), NOON);
        board.publish(List.of(band("month-tenant", CapPeriod.MONTH, BudgetBand.NORMAL)), NOON);
        assertThat(at(NOON).cap()).isEqualTo("day-tenant");
    }

    @Test
    void bandsOfPeriodsThatAreOverAreForgotten() {
        board.publish(List.of(band("day-tenant", CapPeriod.DAY, BudgetBand.RESTRICT)), NOON);
        board.publish(List.of(), NOON.plusSeconds(86_400));
        assertThat(board.count(BudgetBand.RESTRICT)).isZero();
    }

    private BudgetFacts at(Instant when) {
        List<CompiledCap> caps = tenant.caps().tenant();
        return board.of(tenant.scenarios().get("chat"), new RequestCaps(caps, tenant.accounts(caps, when)));
    }

    private static CapBand band(String cap, CapPeriod period, BudgetBand band) {
        return band(1, cap, period, band);
    }

    private static CapBand band(long number, String cap, CapPeriod period, BudgetBand band) {
        BandState state = new BandState(band, NOON, NOON, new BandLimits(10, 7, 9), List.of(), Map.of());
        return new CapBand(
                new AccountKey(TestConfig.T1, cap, Period.of(period, TODAY)),
                new Stamp(number, "n"),
                state,
                NOON.plusSeconds(86_400));
    }

    private static CompiledTenant tenant() {
        Configuration plain = TestConfig.pool();
        TenantTree tree = plain.tenants()
                .get(TestConfig.T1)
                .with(cap(CapPeriod.DAY, AtExhaustion.REFUSE))
                .with(cap(CapPeriod.MONTH, AtExhaustion.DEGRADE));
        return new SnapshotCompiler()
                .compile(plain.with(tree).atEpoch(2))
                .tenants()
                .get(TestConfig.T1);
    }

    private static SpendCapConfig cap(CapPeriod period, AtExhaustion wanted) {
        return new SpendCapConfig(
                SpendCapConfig.idOf(CapScope.TENANT, null, period),
                1,
                CapScope.TENANT,
                null,
                period,
                Money.of("100"),
                0.7,
                0.9,
                wanted,
                null);
    }
}
