package io.sluice.tenants.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.RandomConfig;
import io.sluice.tenants.RandomDecision;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.Stamp;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.budget.BandLimits;
import io.sluice.tenants.budget.BandState;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.drill.RungTally;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.health.TargetWindow;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.ChargePack;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderTotals;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.ledger.SpendTally;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.routing.PoolWeights;
import io.sluice.tenants.routing.PublishedWeights;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.routing.SnapshotCompiler;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioShift;
import io.sluice.tenants.shift.ScenarioWindow;
import io.sluice.tenants.shift.ShiftPhase;
import io.sluice.tenants.shift.ShiftState;
import io.sluice.tenants.shift.Slowdown;
import io.sluice.tenants.shift.Trouble;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages are data: each comes back from JSON as the same kind with the same content. */
class BusMessageJsonTest {
    private static final ScopedId PLATFORM = ScopedId.platform("org/pool:1");
    private static final ScopedId OWN = new ScopedId(new TenantId("acme"), "pool");
    private static final ScenarioKey CHAT = new ScenarioKey(new TenantId("acme"), "chat");
    private static final Instant AT = Instant.parse("2026-03-04T05:06:07.089Z");

    static Stream<BusMessage> messages() {
        TargetWindow window = new TargetWindow(
                "p/m",
                9,
                Map.of(FailureClass.NETWORK, 2L),
                LatencyHistogram.of(new long[] {1, 0, 4}),
                LatencyHistogram.EMPTY,
                3,
                TargetState.WARMING,
                0.1 + 0.2);
        return Stream.of(
                new BusMessage.CallObserved(
                        OWN, "p/m", FailureClass.RATE_LIMITED, true, -1, 0, 12.25, 1_500, false, 3, 7, CHAT, "first"),
                new BusMessage.CallObserved(
                        PLATFORM, "p/m", null, false, 3.5, 2.5, 12.25, 0, true, 0, 1, CHAT, "first"),
                new BusMessage.ScenariosReported(
                        "node-1",
                        List.of(new ScenarioWindow(
                                CHAT,
                                "first",
                                PLATFORM,
                                "p/m",
                                9,
                                Map.of(FailureClass.SEMANTIC, 2L),
                                LatencyHistogram.of(new long[] {1, 0, 4})))),
                new BusMessage.ShiftsPublished(List.of(
                        new ScenarioShift(CHAT, ShiftState.fresh(7)),
                        new ScenarioShift(
                                CHAT,
                                new ShiftState(
                                        1_700_000_000_123L,
                                        ShiftPhase.SHIFTING,
                                        3,
                                        1_700_000_000_000L,
                                        "second",
                                        List.of(Trouble.LATENCY, Trouble.ERRORS),
                                        "why",
                                        123.5,
                                        2,
                                        Map.of(PLATFORM, Map.of("p/m", new Slowdown(0.3, 9))))))),
                new BusMessage.PoolReported(PLATFORM, "node-1", 1_700_000_000_000L, List.of(window), 3),
                new BusMessage.PoolHealthMerged(
                        OWN, AT, List.of(new MergedTarget("p/m", 0.5, 1, TargetState.EJECTED, 1)), 0.99, 120, 80, 4, 0),
                new BusMessage.PoolsReported(
                        "node-2", List.of(new BusMessage.PoolReported(OWN, "node-2", 1_700, List.of(window), 0))),
                new BusMessage.PoolHealthsMerged(
                        "node-1",
                        List.of(new BusMessage.PoolHealthMerged(OWN, AT, List.of(), 0.99, 120, 80, 4, 0)),
                        true),
                new BusMessage.WeightsPublished(
                        "node-1",
                        List.of(
                                new PoolWeights(PLATFORM, new Stamp(7, "node-1"), Map.of("p/m", 0.25)),
                                new PoolWeights(OWN, new Stamp(1, "node-2"), Map.of()))),
                new BusMessage.AskSnapshot("node-1"),
                new BusMessage.SnapshotApplied("node-1", 3, 4),
                new BusMessage.BusProbed("node-1"),
                new BusMessage.MembersUnheard("node-1", Set.of("node-2")),
                new BusMessage.NodeTold("node-1", List.of("data", "control"), 3, AT),
                new BusMessage.FindDecision(new TenantId("acme"), "0af7651916cd43dd8448eb211c80319c"),
                new BusMessage.FindDecisions(new TenantId("acme"), null, null, "ok", AT, null, null, 50),
                new BusMessage.DecisionPage(
                        List.of(new RandomDecision(new SplittableRandom(1)).record()), List.of("1-2"), "cursor"),
                new BusMessage.DecisionPage(List.of(), List.of(), null),
                new BusMessage.CheckLadder(new TenantId("acme"), "chat", "hi", 30_000),
                new BusMessage.LadderChecked(List.of(), "busy"),
                new BusMessage.LadderChecked(
                        List.of(
                                new RungCheck(
                                        "first",
                                        "pool",
                                        "p",
                                        "m",
                                        false,
                                        12.5,
                                        FailureClass.AUTH,
                                        "401",
                                        Money.of("0.1")),
                                new RungCheck("last", "text", null, null, true, 0, null, null, null)),
                        null),
                new BusMessage.BandsPublished(
                        "node-1",
                        List.of(new CapBand(
                                new AccountKey(
                                        new TenantId("acme"),
                                        "day-end-user:a|b",
                                        Period.of(CapPeriod.DAY, LocalDate.of(2026, 3, 28))),
                                new Stamp(4, "node-1"),
                                new BandState(
                                        BudgetBand.RESTRICT,
                                        AT,
                                        AT,
                                        new BandLimits(10, 7, 9),
                                        List.of(AT, AT),
                                        Map.of(BudgetBand.RESTRICT, 2)),
                                AT.plusSeconds(60)))),
                new BusMessage.AskSpendPosition("node-1", 7),
                new BusMessage.SpendShipped("node-1", 7, 0, 5, List.of(), ChargePack.NONE),
                BusMessage.SpendShipped.of("node-1", 7, 0, 5, spent()),
                new BusMessage.SpendStored(5),
                new BusMessage.AskSpendCopy("node-2"),
                new BusMessage.SpendCopyOffered(9_007_199_254_740_993L),
                new BusMessage.ReadSpendCopy(null, 0),
                new BusMessage.SpendCopyPart("c", 5, 7, "AAE="),
                new BusMessage.KeyUsed(new TenantId("acme"), "k1", AT),
                new BusMessage.DrillReported("node-1", List.of(tally())),
                new BusMessage.RungProven(new TenantId("acme"), "chat", "light", AT, "EARNEST"),
                ask(new AuthorityCommand.SetCap(ACCOUNT, 3, 5_000, AT, AT.plusSeconds(9))),
                ask(new AuthorityCommand.RemoveCap(ACCOUNT, 3)),
                ask(new AuthorityCommand.Grant(ACCOUNT, HOLDER, 4, 5, 6, 7, 8, 9, TOTALS)),
                ask(new AuthorityCommand.Report(ACCOUNT, HOLDER, 4, TOTALS)),
                ask(new AuthorityCommand.Finish(ACCOUNT, HOLDER, 4, null)),
                ask(new AuthorityCommand.Freeze(ACCOUNT, 4, Set.of("node-1"))),
                ask(new AuthorityCommand.Reconcile(ACCOUNT, HOLDER, 4, Map.of(HOLDER, TOTALS))),
                ask(new AuthorityCommand.Unfreeze(ACCOUNT, 4)),
                ask(new AuthorityCommand.Close(ACCOUNT)),
                ask(new AuthorityCommand.Adjust(ACCOUNT, "a1", -5, "was not charged")),
                new BusMessage.AuthorityAnswered(
                        new AuthorityAnswer(ACCOUNT, HOLDER, AuthorityAnswer.Outcome.GRANTED, 4, 5, 7, 1_000, 2, AT)),
                new BusMessage.CapsPublished(
                        List.of(new CapFigures(
                                ACCOUNT,
                                4,
                                Set.of("node-1"),
                                true,
                                false,
                                5_000,
                                900,
                                4_100,
                                3_000,
                                1_000,
                                100,
                                Set.of(HOLDER),
                                AT,
                                AT.plusSeconds(9),
                                AT)),
                        AT));
    }

    private static final AccountKey ACCOUNT = AccountKey.ofKey("acme|2026-03-04|day-end-user:a|b");
    private static final Holder HOLDER = new Holder("node-1", 7);
    private static final HolderTotals TOTALS = new HolderTotals(1, 2, 30, 4, 5, 6);

    private static BusMessage ask(AuthorityCommand command) {
        return new BusMessage.AskAuthority(command);
    }

    private static SpendTally spent() {
        SpendFacts.Charge priced = new SpendFacts.Charge(
                "first",
                "p",
                "m",
                new TokenUsage(1, 2, 3, 4, 5, true).withServerToolCalls(2),
                Money.of("0.1"),
                "2026-01-01.abc");
        SpendFacts.Charge unpriced = new SpendFacts.Charge("last", "p", "n", TokenUsage.NONE, null, null);
        SpendTally tally = new SpendTally();
        tally.add(
                3,
                new SpendFacts(
                        "r", "t", AT, new TenantId("acme"), null, "chat", "ann", List.of(priced, unpriced, priced)));
        return tally;
    }

    private static DrillTally tally() {
        RungTally light = new RungTally(
                "light",
                3,
                1,
                Map.of(FailureClass.NETWORK, 2L),
                LatencyHistogram.of(new long[] {1, 0, 4}),
                new Money(7));
        return new DrillTally(
                new TenantId("acme"),
                "monthly",
                "chat",
                "light",
                AT,
                AT.plusSeconds(60),
                0.05,
                3,
                1,
                0,
                List.of(light));
    }

    @ParameterizedTest
    @MethodSource("messages")
    void comesBackEqual(BusMessage message) throws Exception {
        String json = StrictJson.MAPPER.writeValueAsString(message);
        assertThat(json).startsWith("{\"kind\":\"" + message.getClass().getSimpleName() + "\"");
        assertThat(StrictJson.MAPPER.readValue(json, BusMessage.class)).isEqualTo(message);
    }

    @Test
    void aSnapshotComesBackWithEverythingInIt() throws Exception {
        Snapshot snapshot = new SnapshotCompiler()
                .compile(validConfiguration())
                .with(PublishedWeights.NONE.plus(
                        List.of(new PoolWeights(PLATFORM, new Stamp(2, "n"), Map.of("p/m", 1.0)))));
        BusMessage message = new BusMessage.SnapshotPublished(snapshot, "putPool", AT);
        String json = StrictJson.MAPPER.writeValueAsString(message);
        assertThat(StrictJson.MAPPER.readValue(json, BusMessage.class))
                .usingRecursiveComparison()
                .isEqualTo(message);
    }

    @Test
    void everyKindOfMessageIsTestedHere() {
        Stream<String> tested = Stream.concat(
                messages().map(message -> message.getClass().getSimpleName()), Stream.of("SnapshotPublished"));
        assertThat(tested.distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(BusMessage.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .toList());
    }

    private static Configuration validConfiguration() {
        RandomConfig make = new RandomConfig(new SplittableRandom(3));
        return Configuration.EMPTY
                .with(null, Catalog.EMPTY.with(make.provider(ScopedId.platform("p"))))
                .with(TenantTree.of(make.tree(new TenantId("acme")).tenant()).with(make.key()))
                .atEpoch(4);
    }
}
