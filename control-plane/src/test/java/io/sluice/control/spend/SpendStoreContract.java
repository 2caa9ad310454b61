package io.sluice.control.spend;

import static io.sluice.control.spend.Spent.ACME;
import static io.sluice.control.spend.Spent.await;
import static io.sluice.control.spend.Spent.charge;
import static io.sluice.control.spend.Spent.facts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.control.api.SpendDimension;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendPage;
import io.sluice.control.api.SpendReport;
import io.sluice.control.api.SpendStatements;
import io.sluice.control.spend.SpendStore.Closing;
import io.sluice.control.spend.SpendStore.Span;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.ledger.SpendFacts.Charge;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every {@link SpendStore} keeps. */
public abstract class SpendStoreContract {
    protected static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    protected static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
    protected static final LocalDate MARCH_1 = LocalDate.of(2026, 3, 1);

    @TempDir
    protected Path directory;

    protected SpendStore store;
    protected final Spent node = new Spent("n1");

    /** The store under test, where it was before; ready to be asked. */
    protected abstract SpendStore make() throws Exception;

    @BeforeEach
    protected void open() throws Exception {
        store = make();
    }

    @AfterEach
    protected void close() throws Exception {
        await(store.close());
    }

    protected static Span utc(String from, String until) {
        return new Span(
                Instant.parse(from).getEpochSecond(), Instant.parse(until).getEpochSecond());
    }

    protected static final Span MARCH = utc("2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z");

    protected SpendFigures march() throws Exception {
        return await(store.total(ACME, MARCH));
    }

    @Test
    void aNewStoreHasNothingOfAnyJournal() throws Exception {
        assertThat(await(store.position("n1", 7))).isZero();
        assertThat(march()).isEqualTo(SpendFigures.NONE);
    }

    @Test
    void sumsUpWhatWasShipped() throws Exception {
        node.add("2026-03-02T10:00:00Z", "shop", "m", 100, 20, "0.25");
        node.add("2026-03-02T10:05:00Z", "shop", "m", 50, 10, "0.125001");
        assertThat(await(store.append(node.next()))).isEqualTo(7);
        assertThat(march()).isEqualTo(new SpendFigures(2, 2, 150, 0, 0, 30, 0, 0, Money.of("0.375001"), Money.ZERO, 0));
    }

    private static SpendFacts searched(String at, int searches) {
        TokenUsage usage = new TokenUsage(10, 0, 0, 5, 0, false).withServerToolCalls(searches);
        return Spent.facts(
                at, "shop", null, new SpendFacts.Charge("primary", "openai", "m", usage, Money.of("0.02"), "v"));
    }

    @Test
    void sumsUpWhatProvidersBillEach() throws Exception {
        await(store.append(node.add(searched("2026-03-02T10:00:00Z", 2))
                .add(searched("2026-03-02T10:01:00Z", 0))
                .next()));
        await(store.append(node.add(searched("2026-03-02T10:02:00Z", 3)).next()));

        assertThat(march().serverToolCalls()).isEqualTo(5);
        assertThat(march().calls()).isEqualTo(3);
        assertThat(await(store.charges(ACME, MARCH, 10)))
                .extracting(facts -> facts.charges().get(0).usage().serverToolCalls())
                .containsExactly(2L, 0L, 3L);
        await(store.close());
        open();
        assertThat(march().serverToolCalls()).isEqualTo(5);
    }

    @Test
    void sumsUpWhatCallsOfAProviderCostByTenant() throws Exception {
        TenantId globex = new TenantId("globex");
        node.add("2026-03-02T10:00:00Z", "shop", "m", 100, 20, "0.25");
        node.add("2026-02-28T10:00:00Z", "shop", "m", 100, 20, "8");
        node.add(Spent.facts(globex, "2026-03-02T10:00:00Z", "shop", null, Spent.charge("m", 1, 1, "0.5")));
        node.add("2026-03-02T10:20:00Z", "shop", "m", 100, 20, null);
        await(store.append(node.next()));

        assertThat(await(store.ofProvider(null, "openai", MARCH)))
                .containsOnly(Map.entry(ACME, 250_000L), Map.entry(globex, 500_000L));
        assertThat(await(store.ofProvider(globex, "openai", MARCH))).containsOnly(Map.entry(globex, 500_000L));
        assertThat(await(store.ofProvider(null, "other", MARCH))).isEmpty();
    }

    @Test
    void countsALineOnceHoweverOftenItIsShipped() throws Exception {
        SpendShipped shipped =
                node.add("2026-03-02T10:00:00Z", "shop", "m", 100, 20, "0.25").next();
        await(store.append(shipped));
        assertThat(await(store.append(shipped))).isEqualTo(shipped.upToSeq());
        assertThat(march().requests()).isEqualTo(1);
    }

    @Test
    void storesNothingThatDoesNotFollowWhatItHas() throws Exception {
        node.add("2026-03-02T10:00:00Z", "shop", "m", 100, 20, "0.25").next();
        SpendShipped second =
                node.add("2026-03-02T11:00:00Z", "shop", "m", 1, 1, "1").next();
        assertThat(await(store.append(second))).isZero();
        assertThat(march()).isEqualTo(SpendFigures.NONE);
    }

    @Test
    void knowsWhatItHasAfterAnotherStart() throws Exception {
        SpendShipped shipped =
                node.add("2026-03-02T10:00:00Z", "shop", "m", 100, 20, "0.25").next();
        await(store.append(shipped));
        await(store.close());
        open();
        assertThat(await(store.position("n1", 7))).isEqualTo(shipped.upToSeq());
        assertThat(await(store.position("n1", 8))).isZero();
        assertThat(await(store.append(shipped))).isEqualTo(shipped.upToSeq());
        assertThat(march().cost()).isEqualTo(Money.of("0.25"));
    }

    @Test
    void countsARequestWhereItWasAnsweredAndEachCallWhereItWent() throws Exception {
        await(store.append(node.add(facts(
                        "2026-03-02T10:00:00Z",
                        "shop",
                        null,
                        charge("big", 100, 0, "0.5"),
                        charge("small", 100, 20, "0.1")))
                .next()));
        List<SpendReport.Row> rows = await(store.rows(ACME, MARCH, List.of(SpendDimension.MODEL), 10));
        assertThat(rows)
                .extracting(
                        row -> row.key().get("model"),
                        row -> row.figures().requests(),
                        row -> row.figures().calls())
                .containsExactly(tuple("openai/big", 0L, 1L), tuple("openai/small", 1L, 1L));
        assertThat(march().requests()).isEqualTo(1);
    }

    @Test
    void tellsWhatWasEstimatedAndWhatHadNoPrice() throws Exception {
        Charge estimated = new Charge(
                "primary", "openai", "m", new TokenUsage(10, 0, 0, 5, 0, true), Money.of("0.2"), Spent.PRICED);
        await(store.append(node.add(facts("2026-03-02T10:00:00Z", "shop", null, estimated))
                .add(facts("2026-03-02T10:00:00Z", "shop", null, charge("new", 1, 1, null)))
                .add(facts("2026-03-02T10:00:00Z", "shop", null, charge("m", 1, 1, "0.3")))
                .next()));
        assertThat(march().estimated()).isEqualTo(Money.of("0.2"));
        assertThat(march().cost()).isEqualTo(Money.of("0.5"));
        assertThat(march().unpricedCalls()).isEqualTo(1);
    }

    @Test
    void keepsTenantsApart() throws Exception {
        await(store.append(
                node.add(facts(new TenantId("globex"), "2026-03-02T10:00:00Z", "shop", null, charge("m", 1, 1, "1")))
                        .next()));
        assertThat(march()).isEqualTo(SpendFigures.NONE);
    }

    @Test
    void groupsByEveryDimensionAndHour() throws Exception {
        await(store.append(node.add(facts("2026-03-02T10:20:00Z", "shop", "ann", charge("m", 1, 1, "1")))
                .add(facts("2026-03-02T11:59:59Z", "shop", "ann", charge("m", 1, 1, "3")))
                .add(facts("2026-03-02T10:59:59Z", "shop", null, charge("m", 1, 1, "2")))
                .next()));
        List<SpendReport.Row> rows = await(store.rows(
                ACME,
                MARCH,
                List.of(
                        SpendDimension.HOUR,
                        SpendDimension.APP,
                        SpendDimension.SCENARIO,
                        SpendDimension.MODEL,
                        SpendDimension.STEP,
                        SpendDimension.END_USER),
                10));
        assertThat(rows)
                .extracting(row -> row.key().toString())
                .containsExactly(
                        "{hour=2026-03-02T10:00:00Z, app=shop, scenario=chat, model=openai/m, step=primary, endUser=null}",
                        "{hour=2026-03-02T10:00:00Z, app=shop, scenario=chat, model=openai/m, step=primary, endUser=ann}",
                        "{hour=2026-03-02T11:00:00Z, app=shop, scenario=chat, model=openai/m, step=primary, endUser=ann}");
    }

    @Test
    void cutsDaysAtTheMidnightOfZonesOffTheHour() throws Exception {
        ZoneId kathmandu = ZoneId.of("Asia/Kathmandu"); // midnight is 18:15 in UTC
        await(store.append(node.add("2026-03-02T18:14:59Z", "shop", "m", 1, 1, "1")
                .add("2026-03-02T18:15:00Z", "shop", "m", 1, 1, "2")
                .next()));
        List<SpendReport.Row> rows = await(store.rowsByDay(
                ACME,
                SpendDays.days(LocalDate.of(2026, 3, 2), LocalDate.of(2026, 3, 3), kathmandu),
                List.of(SpendDimension.DAY),
                10));
        assertThat(rows)
                .extracting(
                        row -> row.key().get("day"), row -> row.figures().cost().toString())
                .containsExactly(tuple("2026-03-02", "1"), tuple("2026-03-03", "2"));
    }

    @Test
    void exportsEveryRowOnceInWhateverPages() throws Exception {
        for (int hour = 0; hour < 20; hour++) {
            for (int user = 0; user < 7; user++) {
                node.add(facts(
                        String.format("2026-03-02T%02d:%02d:00Z", hour, user * 8),
                        "shop",
                        "user-" + user,
                        charge("m", 1, 1, "0.01")));
            }
        }
        await(store.append(node.next()));
        List<SpendPage.Row> all = new ArrayList<>();
        String after = null;
        do {
            SpendPage page = await(store.page(ACME, MARCH, after, 9));
            assertThat(page.rows()).hasSizeLessThanOrEqualTo(9);
            all.addAll(page.rows());
            after = page.next();
        } while (after != null);
        assertThat(all).hasSize(140).doesNotHaveDuplicates();
        assertThat(all.stream().map(SpendPage.Row::figures).reduce(SpendFigures.NONE, SpendFigures::plus))
                .isEqualTo(march());
    }

    protected static Closing closing(ZoneId zone, String before) {
        return new Closing(ACME, zone, "2026a", "USD", LocalDate.parse(before), NOW);
    }

    protected SpendStatements statements() throws Exception {
        return await(store.statements(ACME, MARCH_1, LocalDate.of(2026, 3, 31)));
    }

    @Test
    void closesEveryDayFromTheFirstUsageOnOnce() throws Exception {
        await(store.append(node.add("2026-03-01T23:30:00Z", "shop", "m", 1, 1, "1")
                .add("2026-03-04T10:00:00Z", "shop", "m", 1, 1, "2")
                .next()));
        assertThat(await(store.close(closing(BERLIN, "2026-03-05")))).isEqualTo(3);
        assertThat(await(store.close(closing(BERLIN, "2026-03-05")))).isZero();
        SpendStatements found = statements();
        assertThat(found.days())
                .extracting(SpendStatements.Day::day, day -> day.charged().toString())
                .containsExactly(
                        tuple(LocalDate.of(2026, 3, 2), "1"),
                        tuple(LocalDate.of(2026, 3, 3), "0"),
                        tuple(LocalDate.of(2026, 3, 4), "2"));
        assertThat(found.verified()).as(found.problem()).isTrue();
        assertThat(found.days().get(0).closing())
                .satisfies(day -> assertThat(day.timeZone()).isEqualTo("Europe/Berlin"))
                .satisfies(day -> assertThat(day.tzdb()).isEqualTo("2026a"))
                .satisfies(day -> assertThat(day.from()).isEqualTo("2026-03-01T23:00:00Z"));
    }

    @Test
    void closesNoDayOfATenantWithoutUsage() throws Exception {
        assertThat(await(store.close(closing(BERLIN, "2026-03-05")))).isZero();
        assertThat(statements().verified()).isTrue();
    }

    @Test
    void leavesNoTimeBetweenTheDaysWhenTheZoneChanges() throws Exception {
        await(store.append(
                node.add("2026-03-01T23:30:00Z", "shop", "m", 1, 1, "1").next()));
        await(store.close(closing(BERLIN, "2026-03-04")));
        await(store.close(closing(ZoneId.of("America/New_York"), "2026-03-06")));
        await(store.close(closing(ZoneId.of("Asia/Tokyo"), "2026-03-08")));
        List<SpendStatements.Day> days = statements().days();
        assertThat(days).hasSize(6);
        for (int i = 1; i < days.size(); i++) {
            assertThat(days.get(i).closing().from())
                    .isEqualTo(days.get(i - 1).closing().until());
        }
    }

    @Test
    void addsLateUsageToTheDayThatItBelongsToAndNeverReopensIt() throws Exception {
        await(store.append(
                node.add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "1").next()));
        await(store.close(closing(BERLIN, "2026-03-04")));
        SpendStatements.Closing before = statements().days().get(0).closing();
        await(store.append(new Spent("late")
                .add("2026-03-02T11:00:00Z", "shop", "m", 1, 1, "0.5")
                .add("2026-03-02T12:00:00Z", "shop", "m", 1, 1, "0.25")
                .add("2026-03-05T12:00:00Z", "shop", "m", 1, 1, "9")
                .next()));
        SpendStatements after = statements();
        assertThat(after.days().get(0).closing()).isEqualTo(before);
        assertThat(after.days().get(0).additions()).singleElement().satisfies(entry -> {
            assertThat(entry.kind()).isEqualTo("LATE_USAGE");
            assertThat(entry.amount()).isEqualTo(Money.of("0.75"));
            assertThat(entry.reason()).contains("late");
        });
        assertThat(after.verified()).as(after.problem()).isTrue();
    }

    @Test
    void keepsCorrectionsInTheStatementOfTheirDay() throws Exception {
        await(store.append(
                node.add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "1").next()));
        await(store.close(closing(BERLIN, "2026-03-03")));
        await(store.adjust(new SpendStore.Adjustment(
                "a1", ACME, LocalDate.of(2026, 3, 2), Money.of("-0.4"), "a test that ran away", "ann (FINANCE)", NOW)));
        SpendStatements found = statements();
        assertThat(found.days()).singleElement().satisfies(day -> {
            assertThat(day.charged()).isEqualTo(Money.of("0.6"));
            assertThat(day.closing().figures().cost()).isEqualTo(Money.of("1"));
        });
        assertThat(found.verified()).as(found.problem()).isTrue();
        assertThat(await(store.adjustments(ACME, MARCH_1, LocalDate.of(2026, 3, 2))))
                .isEqualTo(Money.of("-0.4"));
        assertThat(await(store.adjustments(ACME, MARCH_1, MARCH_1))).isEqualTo(Money.ZERO);
    }

    @Test
    void keepsEveryRequestOfASpanOneByOne() throws Exception {
        await(store.append(node.add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "1")
                .add("2026-03-02T10:00:01Z", "shop", "m", 1, 1, "2")
                .next()));
        await(store.append(
                node.add("2026-03-02T10:00:02Z", "shop", "m", 1, 1, "4").next()));
        await(store.append(node.add(Spent.facts(
                        new TenantId("globex"), "2026-03-02T10:00:01Z", "shop", null, charge("m", 1, 1, "8")))
                .next()));
        assertThat(await(store.charges(ACME, utc("2026-03-02T10:00:01Z", "2026-03-02T10:00:03Z"), 10)))
                .extracting(SpendFacts::at, SpendFacts::costMicros)
                .containsExactly(
                        tuple(Instant.parse("2026-03-02T10:00:01Z"), 2_000_000L),
                        tuple(Instant.parse("2026-03-02T10:00:02Z"), 4_000_000L));
        assertThat(await(store.charges(ACME, MARCH, 2))).hasSize(2);
    }

    @Test
    void forgetsChargesAndKeepsSums() throws Exception {
        await(store.append(
                node.add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "1").next()));
        await(store.append(
                node.add("2026-03-12T10:00:00Z", "shop", "m", 1, 1, "2").next()));
        await(store.purge(NOW));
        assertThat(await(store.charges(ACME, MARCH, 10)))
                .extracting(SpendFacts::costMicros)
                .containsExactly(2_000_000L);
        assertThat(march().cost()).isEqualTo(Money.of("3"));
    }

    @Test
    void saysThatItIsClosed() throws Exception {
        await(store.close());
        assertThatThrownBy(() -> march()).hasMessageContaining("closed");
        open();
    }

    @Test
    void countsACorrectionOnceHoweverOftenItIsAsked() throws Exception {
        SpendStore.Adjustment correction = new SpendStore.Adjustment(
                "once", ACME, LocalDate.of(2026, 3, 2), Money.of("-0.4"), "asked twice", "ann (FINANCE)", NOW);
        SpendStatements.Entry first = await(store.adjust(correction));
        assertThat(await(store.adjust(correction))).isEqualTo(first);
        assertThat(await(store.adjustments(ACME, MARCH_1, LocalDate.of(2026, 3, 2))))
                .isEqualTo(Money.of("-0.4"));
        assertThat(statements().verified()).isTrue();
    }
}
