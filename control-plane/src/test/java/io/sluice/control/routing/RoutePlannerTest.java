package io.sluice.control.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.api.ConfigCommand.PutPool.Target;
import io.sluice.control.api.ConfigCommand.PutScenario;
import io.sluice.control.api.PlanQuery;
import io.sluice.control.api.PlannedRoute;
import io.sluice.control.api.PlannedRoute.Candidate;
import io.sluice.control.config.Given;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.Stamp;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.message.BusMessage.PoolHealthMerged;
import io.sluice.tenants.message.MergedTarget;
import io.sluice.tenants.routing.PoolWeights;
import io.sluice.tenants.routing.PublishedWeights;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.routing.SnapshotCompiler;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoutePlannerTest {
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

    private static final TenantId ACME = new TenantId("acme");
    private static final ScopedId WIDE = new ScopedId(ACME, "wide");

    private static Configuration configuration() {
        Configuration acme = Given.acme();
        acme = Given.after(
                acme,
                Given.pool(
                        "acme", "wide", new Target("sim", "small", null, 300), new Target("sim", "large", null, 100)));
        return Given.after(
                acme,
                Given.scenario(
                        "acme",
                        "two",
                        Given.poolRung("first", "wide"),
                        Given.poolRung("second", "std"),
                        Given.textRung("last", "sorry")));
    }

    private static Snapshot snapshot() {
        return new SnapshotCompiler().compile(configuration());
    }

    private static PlanQuery query(String scenario, String model, int promptTokens) {
        return new PlanQuery(ACME, scenario, model, promptTokens, 0, null);
    }

    private static PoolHealthMerged health(TargetState state, int inFlight) {
        return health(state, 1, inFlight);
    }

    private static PoolHealthMerged health(TargetState state, double local, int inFlight) {
        MergedTarget small = new MergedTarget("sim/small", 1, local, state, inFlight);
        return new PoolHealthMerged(WIDE, Instant.EPOCH, List.of(small), 1, 0, 0, inFlight, 0);
    }

    @Test
    void allRungsAreShownInTheirOrder() {
        PlannedRoute route = RoutePlanner.plan(snapshot(), Map.of(), query("two", "auto", 500), NOW);
        assertThat(route.refused()).isNull();
        assertThat(route.candidates()).extracting(Candidate::step).containsExactly("first", "first", "second", "last");
    }

    @Test
    void probabilitiesFollowTheWeights() {
        PlannedRoute route = RoutePlanner.plan(snapshot(), Map.of(), query("two", "auto", 500), NOW);
        assertThat(route.candidates().get(0).probability()).isCloseTo(0.75, within(1e-9));
        assertThat(route.candidates().get(1).probability()).isCloseTo(0.25, within(1e-9));
    }

    @Test
    void aPromptIsNoLongerThanTheScenarioLetsItBe() {
        PutScenario plain = Given.scenario("acme", "cut", Given.poolRung("first", "wide"));
        Configuration cut = Given.after(
                configuration(), Given.with(plain, "settings", Given.json("{'context':{'tokensMax':500}}")));
        Snapshot snapshot = new SnapshotCompiler().compile(cut);

        assertThat(RoutePlanner.plan(snapshot, Map.of(), query("two", "auto", 9_000_000), NOW)
                        .refused())
                .startsWith("context_length_exceeded");
        assertThat(RoutePlanner.plan(snapshot, Map.of(), query("cut", "auto", 9_000_000), NOW)
                        .refused())
                .isNull();
    }

    @Test
    void publishedHealthMovesThem() {
        Snapshot weak = snapshot()
                .with(PublishedWeights.NONE.plus(
                        List.of(new PoolWeights(WIDE, new Stamp(1, "n"), Map.of("sim/small", 1.0 / 3)))));
        PlannedRoute route = RoutePlanner.plan(weak, Map.of(), query("two", "auto", 500), NOW);
        assertThat(route.candidates().get(0).probability()).isCloseTo(0.5, within(1e-9));
        assertThat(route.candidates().get(0).reasons())
                .containsExactly("weight 300 × published health 0.33 × local health 1.00, 0 of 512 calls in flight");
    }

    @Test
    void anEjectedTargetIsOutWithTheReasonInWords() {
        PlannedRoute route = RoutePlanner.plan(
                snapshot(), Map.of(WIDE, health(TargetState.EJECTED, 0)), query("two", "auto", 500), NOW);
        assertThat(route.candidates().get(0).probability()).isZero();
        assertThat(route.candidates().get(0).reasons()).containsExactly("its circuit breaker is open");
        assertThat(route.candidates().get(1).probability()).isEqualTo(1);
    }

    @Test
    void whatNodesTakeOffMovesThem() {
        PoolHealthMerged reduced = health(TargetState.SERVING, 1.0 / 3, 0);
        PlannedRoute route = RoutePlanner.plan(snapshot(), Map.of(WIDE, reduced), query("two", "auto", 500), NOW);
        assertThat(route.candidates().get(0).probability()).isCloseTo(0.5, within(1e-9));
        assertThat(route.candidates().get(0).reasons())
                .containsExactly("weight 300 × published health 1.00 × local health 0.33, 0 of 512 calls in flight");
    }

    @Test
    void aProbedTargetStaysWithWhatNodesLeaveOfIt() {
        PoolHealthMerged probed = health(TargetState.PROBING, 0.25, 0);
        PlannedRoute route = RoutePlanner.plan(snapshot(), Map.of(WIDE, probed), query("two", "auto", 500), NOW);
        assertThat(route.candidates().get(0).probability()).isCloseTo(75.0 / 175, within(1e-9));
    }

    @Test
    void aPromptThatFitsNowhereIsRefused() {
        PlannedRoute route = RoutePlanner.plan(snapshot(), Map.of(), query("chat", "auto", 9_000), NOW);
        assertThat(route.refused()).startsWith("context_length_exceeded: the prompt does not fit");
        assertThat(route.candidates())
                .singleElement()
                .satisfies(candidate -> assertThat(candidate.probability()).isZero());
    }

    @Test
    void aSwitchIsShownWhereItTakesARungOutAndNotAfterItsEnd() {
        TenantTree acme = configuration().tenants().get(ACME);
        SwitchConfig off = new SwitchConfig(
                "off", 1, "two", "second", "me", "why", NOW.plusSeconds(1), LocalDate.of(2026, 11, 29), null);
        Snapshot switched = new SnapshotCompiler().compile(configuration().with(acme.with(off)));
        PlannedRoute route = RoutePlanner.plan(switched, Map.of(), query("two", "auto", 500), NOW);
        assertThat(route.candidates().get(0).reasons()).containsExactly("it is switched off");
        assertThat(route.candidates().get(2).probability()).isEqualTo(1);
        PlannedRoute later = RoutePlanner.plan(switched, Map.of(), query("two", "auto", 500), NOW.plusSeconds(1));
        assertThat(later.candidates().get(0).probability()).isCloseTo(0.75, within(1e-9));
    }

    @Test
    void aWriteDoesNotDescend() {
        Configuration writes = Given.after(
                configuration(),
                Given.with(
                        Given.with(
                                Given.scenario(
                                        "acme",
                                        "two",
                                        Given.poolRung("first", "wide"),
                                        Given.textRung("last", "sorry")),
                                "kind",
                                "WRITE"),
                        "version",
                        1));
        PlannedRoute route =
                RoutePlanner.plan(new SnapshotCompiler().compile(writes), Map.of(), query("two", "auto", 500), NOW);
        assertThat(route.candidates().get(2).reasons()).containsExactly("a request of this kind may not descend");
        assertThat(route.candidates().get(2).probability()).isZero();
    }

    @Test
    void aNamedPoolIsItsOwnRung() {
        PlannedRoute route = RoutePlanner.plan(snapshot(), Map.of(), query("two", "std", 500), NOW);
        assertThat(route.candidates()).extracting(Candidate::step).containsExactly("second");
    }

    @Test
    void aNamedPoolOutsideTheLadderIsARungOfItsName() {
        PlannedRoute route = RoutePlanner.plan(snapshot(), Map.of(), query("chat", "wide", 500), NOW);
        assertThat(route.candidates()).extracting(Candidate::step).containsOnly("wide");
    }

    @Test
    void unknownNamesAreRefusedWithTheirCode() {
        assertThat(RoutePlanner.plan(snapshot(), Map.of(), query("x", "auto", 1), NOW)
                        .refused())
                .startsWith("unknown_scenario");
        assertThat(RoutePlanner.plan(snapshot(), Map.of(), query("chat", "x", 1), NOW)
                        .refused())
                .startsWith("model_not_found");
        assertThat(RoutePlanner.plan(Snapshot.NONE, Map.of(), query("chat", "x", 1), NOW)
                        .refused())
                .startsWith("not_found");
    }
}
