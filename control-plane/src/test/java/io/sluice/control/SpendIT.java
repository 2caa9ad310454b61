package io.sluice.control;

import static io.sluice.control.Running.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.AdjustOutcome;
import io.sluice.control.api.AdjustSpend;
import io.sluice.control.api.AuditEntry;
import io.sluice.control.api.Principal;
import io.sluice.control.api.RiseQuery;
import io.sluice.control.api.SpendDimension;
import io.sluice.control.api.SpendQuery;
import io.sluice.control.api.SpendReport;
import io.sluice.control.api.SpendRise;
import io.sluice.control.config.Given;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.ledger.SpendTally;
import io.sluice.tenants.message.BusMessage.AskSpendPosition;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.message.BusMessage.SpendStored;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From a node's shipment to finance's view, through a whole control plane. The tenant lives in Berlin. */
class SpendIT {
    private static final TenantId ACME = new TenantId("acme");
    private static final Principal FINANCE = new Principal(Role.FINANCE, ACME, "ann");
    private static final LocalDate FIRST = LocalDate.of(2026, 3, 1);

    @TempDir
    Path directory;

    private volatile Instant now = Instant.parse("2026-03-02T11:00:00Z");
    private Running running;
    private SpendTally tally = new SpendTally();
    private long shipped;

    @BeforeEach
    void start() {
        running = started();
        Given.acmeCommands("acme").forEach(running::execute);
    }

    private Running started() {
        ControlPlaneSettings settings = Running.settings(directory, Running.ADMIN_TOKEN, null);
        InstantSource clock = () -> now;
        return new Running(new ControlPlaneSettings(
                settings.dataDir(),
                settings.secretKey(),
                settings.adminToken(),
                settings.upstreams(),
                settings.plugins(),
                settings.faults(),
                settings.nodeId(),
                settings.roles(),
                clock));
    }

    @AfterEach
    void stop() {
        running.close();
    }

    private void spent(String at, String app, String model, long tokens, String cost) {
        tally.add(
                shipped + tally.requests() + 1,
                new SpendFacts(
                        "r",
                        "0".repeat(32),
                        Instant.parse(at),
                        ACME,
                        app,
                        "chat",
                        null,
                        List.of(new SpendFacts.Charge(
                                "primary",
                                "openai",
                                model,
                                new TokenUsage(tokens, 0, 0, 0, 0, false),
                                Money.of(cost),
                                "v1"))));
    }

    private void ship() {
        long upTo = shipped + tally.requests();
        SpendStored stored = await(new Bus(running.vertx)
                .request(
                        Address.SPEND,
                        SpendShipped.of("node-1", 7, shipped, upTo, tally),
                        SpendStored.class,
                        Duration.ofSeconds(20)));
        assertThat(stored.seq()).isEqualTo(upTo);
        shipped = upTo;
        tally = new SpendTally();
    }

    private SpendReport report(LocalDate from, LocalDate to, SpendDimension... groupBy) {
        return await(running.plane.spend().report(new SpendQuery(ACME, from, to, List.of(groupBy))));
    }

    @Test
    void tellsANodeWhereToGoOn() {
        spent("2026-03-02T10:00:00Z", "shop", "m", 10, "1");
        ship();
        running.close();
        running = started();
        SpendStored stored = await(new Bus(running.vertx)
                .request(
                        Address.SPEND_POSITIONS,
                        new AskSpendPosition("node-1", 7),
                        SpendStored.class,
                        Duration.ofSeconds(20)));
        assertThat(stored.seq()).isEqualTo(1);
        assertThat(report(FIRST, FIRST.plusDays(1)).total().cost()).isEqualTo(Money.of("1"));
    }

    @Test
    void reportsDaysOfTheTenantsCalendarWithAForecast() {
        spent("2026-03-01T22:59:59Z", "shop", "m", 10, "1");
        spent("2026-03-01T23:00:00Z", "shop", "m", 10, "2");
        spent("2026-03-02T08:00:00Z", "desk", "m", 10, "4");
        ship();
        SpendReport report = report(FIRST, FIRST.plusDays(1), SpendDimension.DAY, SpendDimension.APP);
        assertThat(report.rows())
                .extracting(row -> row.key() + " " + row.figures().cost())
                .containsExactly(
                        "{day=2026-03-01, app=shop} 1", "{day=2026-03-02, app=desk} 4", "{day=2026-03-02, app=shop} 2");
        assertThat(report.total().cost()).isEqualTo(Money.of("7"));
        assertThat(report.currency()).isEqualTo("USD");
        assertThat(report.forecast()).isEqualTo(Money.of("9.333333")); // 36 of 48 hours are over
        assertThat(report(FIRST, FIRST).forecast()).isNull();
    }

    @Test
    void aDayOfTwentyThreeHoursIsADay() {
        spent("2026-03-28T23:00:00Z", "shop", "m", 10, "1");
        spent("2026-03-29T21:59:59Z", "shop", "m", 10, "2");
        spent("2026-03-29T22:00:00Z", "shop", "m", 10, "4");
        ship();
        LocalDate day = LocalDate.of(2026, 3, 29);
        assertThat(report(day, day).total().cost()).isEqualTo(Money.of("3"));
    }

    @Test
    void refusesPeriodsThatEndBeforeTheyBeginOrTakeTooLong() {
        assertThatThrownBy(() -> report(FIRST, FIRST.minusDays(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("before it begins");
        assertThatThrownBy(() -> report(FIRST, FIRST.plusDays(366)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("366 days");
    }

    @Test
    void explainsWhyADayCostMore() {
        spent("2026-03-01T10:00:00Z", "shop", "m", 100, "1");
        spent("2026-03-02T10:00:00Z", "shop", "m", 100, "1");
        spent("2026-03-02T10:00:00Z", "shop", "m", 300, "6");
        ship();
        SpendRise rise = await(running.plane
                .spend()
                .explain(new RiseQuery(
                        ACME, FIRST.plusDays(1), FIRST.plusDays(1), FIRST, FIRST, List.of(SpendDimension.MODEL))));
        assertThat(rise.change()).isEqualTo(Money.of("6"));
        assertThat(List.of(rise.calls(), rise.mix(), rise.tokensPerCall(), rise.price()))
                .containsExactly(Money.of("1"), Money.ZERO, Money.of("2"), Money.of("3"));
        assertThat(rise.unusual()).isTrue();
    }

    private AdjustOutcome adjust(Principal principal, String day, String amount, String reason) {
        return await(running.plane.spend().adjust(principal, new AdjustSpend("acme", day, amount, reason)));
    }

    @Test
    void financeCorrectsADayAndTheAuditLogSaysSo() {
        AdjustOutcome outcome = adjust(FINANCE, "2026-03-01", "-0.25", " a test that ran away ");
        assertThat(outcome.errors()).isEmpty();
        assertThat(outcome.entry().reason()).isEqualTo("a test that ran away");
        assertThat(report(FIRST, FIRST).adjustments()).isEqualTo(Money.of("-0.25"));
        AuditEntry newest = await(running.plane.audit(ACME, 1, null)).entries().get(0);
        assertThat(newest.action()).isEqualTo("adjustSpend");
        assertThat(newest.actor()).contains("ann");
        assertThat(newest.subject()).isEqualTo("spend/2026-03-01");
        assertThat(newest.detail().get("amount").asText()).isEqualTo("-0.25");
        assertThat(await(running.plane.verifyAudit())).isEmpty();
    }

    @Test
    void tellsEveryMistakeOfACorrection() {
        AdjustOutcome outcome = adjust(FINANCE, "2026-03-03", "0", " ");
        assertThat(outcome.errors())
                .extracting(error -> error.path().get(1))
                .containsExactly("day", "amount", "reason");
        assertThat(outcome.errors()).allMatch(error -> error.code() == UserErrorCode.INVALID);
        for (String reason : List.of("two\nlines", "a bell \u0007", "x".repeat(501))) {
            assertThat(adjust(FINANCE, "2026-03-01", "-1", reason).errors())
                    .extracting(error -> error.path().get(1))
                    .as(reason)
                    .containsExactly("reason");
        }
        for (String amount : List.of("1000000000.000001", "-1000000000.000001", "999999999999")) {
            assertThat(adjust(FINANCE, "2026-03-01", amount, "more than a ledger bears")
                            .errors())
                    .extracting(error -> error.path().get(1))
                    .as(amount)
                    .containsExactly("amount");
        }
        assertThat(report(FIRST, FIRST).adjustments()).isEqualTo(Money.ZERO);
    }

    @Test
    void nobodyButTheTenantsFinanceCorrects() {
        for (Principal other : List.of(
                Running.ROOT, new Principal(Role.TENANT_ADMIN, ACME, "t"), new Principal(Role.AUDITOR, ACME, "a"))) {
            assertThat(adjust(other, "2026-03-01", "1", "x").errors())
                    .singleElement()
                    .satisfies(error -> assertThat(error.code()).isEqualTo(UserErrorCode.FORBIDDEN));
        }
        Principal foreign = new Principal(Role.FINANCE, new TenantId("globex"), "g");
        assertThat(adjust(foreign, "2026-03-01", "1", "x").errors())
                .singleElement()
                .satisfies(error -> assertThat(error.code()).isEqualTo(UserErrorCode.NOT_FOUND));
    }
}
