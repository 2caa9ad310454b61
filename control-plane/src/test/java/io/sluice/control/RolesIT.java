package io.sluice.control;

import static io.sluice.control.Running.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.control.api.ClusterMember;
import io.sluice.control.api.UnavailableException;
import io.sluice.control.api.VerifyQuery;
import io.sluice.control.config.Given;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.plugins.bus.SoftStates.Versioned;
import io.sluice.tenants.NodeRole;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.Stamp;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.budget.BandLimits;
import io.sluice.tenants.budget.BandState;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.health.TargetWindow;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.message.BusMessage;
import io.sluice.tenants.message.BusMessage.BandsPublished;
import io.sluice.tenants.message.BusMessage.DrillReported;
import io.sluice.tenants.message.BusMessage.LadderChecked;
import io.sluice.tenants.message.BusMessage.NodeTold;
import io.sluice.tenants.message.BusMessage.PoolHealthsMerged;
import io.sluice.tenants.message.BusMessage.PoolReported;
import io.sluice.tenants.message.BusMessage.PoolsReported;
import io.sluice.tenants.message.BusMessage.RungProven;
import io.sluice.tenants.message.BusMessage.ScenariosReported;
import io.sluice.tenants.message.BusMessage.ShiftsPublished;
import io.sluice.tenants.message.BusMessage.SnapshotApplied;
import io.sluice.tenants.message.CapBand;
import io.sluice.tenants.net.AddressRule;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioShift;
import io.sluice.tenants.shift.ShiftPhase;
import io.sluice.tenants.shift.ShiftState;
import io.vertx.core.Future;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the control plane of a node does and does not do by the node's roles. */
class RolesIT {
    private static final String NODE = "node-1";
    private static final TenantId ACME = new TenantId("acme");

    @TempDir
    Path directory;

    private final SoftStates states = new SoftStates.InMemory();
    private Running running;

    /** This node among others, by what they do. */
    private record Seen(Set<NodeRole> own, Set<String> data) implements Owners {
        @Override
        public String node() {
            return NODE;
        }

        @Override
        public Optional<String> ownerOf(String key) {
            return own.contains(NodeRole.CONTROL) ? Optional.of(NODE) : Optional.empty();
        }

        @Override
        public Set<String> nodes(NodeRole role) {
            return role == NodeRole.DATA ? data : Set.of();
        }
    }

    private void start(Set<NodeRole> roles, Set<String> data, String adminToken) {
        running = new Running(new ControlPlaneSettings(
                        directory,
                        null,
                        adminToken,
                        AddressRule.WITH_LOOPBACK,
                        Map.of("simulator", Given.SIMULATOR),
                        true,
                        NODE,
                        roles,
                        InstantSource.system())
                .in(new Seen(roles, data), states));
    }

    private void start(NodeRole only) {
        start(Set.of(only), only == NodeRole.DATA ? Set.of(NODE) : Set.of(), Running.ADMIN_TOKEN);
    }

    @AfterEach
    void stop() {
        running.close();
    }

    /** A message of another node, and where it is sent. */
    private record Sent<M extends BusMessage>(Address<M> address, M message) {
        /** Whether somebody on the node of {@code running} hears it: then nobody answers, else that is told at once. */
        boolean heard(Running running) {
            return new Bus(running.vertx)
                    .request(address, message, BusMessage.class, Duration.ofMillis(500))
                    .transform(answer -> Future.succeededFuture(!(answer.cause() instanceof ReplyException reply
                            && reply.failureType() == ReplyFailure.NO_HANDLERS)))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        }

        @Override
        public String toString() {
            return address.name();
        }
    }

    static Stream<Sent<?>> whatOwnersAndOperatorsNeed() {
        return Stream.of(
                new Sent<>(Address.SCENARIO_REPORTS, new ScenariosReported("node-2", List.of())),
                new Sent<>(Address.SHIFTS, new ShiftsPublished(List.of())),
                new Sent<>(Address.POOL_HEALTH, new PoolHealthsMerged("node-2", List.of(), false)),
                new Sent<>(Address.NODES, new NodeTold("node-2", List.of("data"), 1, Instant.EPOCH)),
                new Sent<>(Address.BANDS, new BandsPublished("node-2", List.of())),
                new Sent<>(Address.DRILL_REPORTS, new DrillReported("node-2", List.of())),
                new Sent<>(Address.RUNGS_PROVEN, new RungProven(ACME, "chat", "first", Instant.EPOCH, "EARNEST")));
    }

    @ParameterizedTest
    @MethodSource("whatOwnersAndOperatorsNeed")
    void onlyANodeThatControlsHearsWhatOwnersAndOperatorsNeed(Sent<?> sent) {
        start(NodeRole.DATA);
        assertThat(sent.heard(running)).isFalse();
        running.close();

        start(NodeRole.CONTROL);

        assertThat(sent.heard(running)).isTrue();
    }

    @Test
    void aNodeThatOnlyTakesRequestsMergesNothingAndSendsNothingWhereNobodyOwnsAnything() throws Exception {
        start(NodeRole.DATA);
        Bus bus = new Bus(running.vertx);
        BlockingQueue<BusMessage> told = new LinkedBlockingQueue<>();
        await(bus.on(Address.POOL_HEALTH, (PoolHealthsMerged merged) -> told.add(merged)));
        await(bus.on(Address.WEIGHTS, told::add));
        TargetWindow window = new TargetWindow(
                "t", 5, Map.of(), LatencyHistogram.EMPTY, LatencyHistogram.EMPTY, 0, TargetState.SERVING, 1);
        PoolReported report = new PoolReported(ScopedId.platform("std"), NODE, 0, List.of(window), 0);
        bus.publish(Address.POOL_REPORTS, report);
        bus.send(Address.poolReports(NODE), new PoolsReported("node-2", List.of(report)));

        assertThat(told.poll(2_500, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void aNodeThatOnlyTakesRequestsMakesNoTokenThatNobodyCouldUse() {
        start(Set.of(NodeRole.DATA), Set.of(NODE), null);

        assertThat(running.plane.madeAdminToken()).isEmpty();
        assertThat(running.plane.configuration().accessTokens()).isEmpty();
    }

    @Test
    void aNodeThatOnlyTakesRequestsTellsItsDataPlaneWhatOwnersDecidedBeforeItStarted() throws Exception {
        ScenarioKey chat = new ScenarioKey(ACME, "chat");
        ScenarioShift shift = new ScenarioShift(
                chat, new ShiftState(5, ShiftPhase.HOLDING, 5, 0, "second", List.of(), "why", 0, 0, Map.of()));
        Instant now = Instant.parse("2026-03-28T12:00:00Z");
        CapBand band = new CapBand(
                new AccountKey(ACME, "day", Period.of(CapPeriod.DAY, LocalDate.of(2026, 3, 28))),
                new Stamp(4, "node-9"),
                new BandState(BudgetBand.RESTRICT, now, now, new BandLimits(10, 7, 9), List.of(), Map.of()),
                now.plusSeconds(60));
        await(states.save("shift", chat.key(), stored(5, shift)));
        await(states.save("bands", band.account().key(), stored(4, band)));
        start(NodeRole.DATA);
        Bus bus = new Bus(running.vertx);
        BlockingQueue<ScenarioShift> shifts = new LinkedBlockingQueue<>();
        BlockingQueue<CapBand> bands = new LinkedBlockingQueue<>();
        await(bus.on(Address.SHIFTS, told -> shifts.addAll(told.shifts())));
        await(bus.on(Address.BANDS, told -> bands.addAll(told.bands())));

        bus.publish(Address.APPLIED, new SnapshotApplied(NODE, 1, 0));
        bus.publish(Address.APPLIED, new SnapshotApplied(NODE, 2, 0));

        assertThat(shifts.poll(20, TimeUnit.SECONDS)).isEqualTo(shift);
        assertThat(bands.poll(20, TimeUnit.SECONDS)).isEqualTo(band);
        assertThat(shifts.poll(300, TimeUnit.MILLISECONDS)).as("told once").isNull();
    }

    private static Versioned stored(long version, Object state) throws JsonProcessingException {
        return new Versioned(version, StrictJson.MAPPER.writeValueAsString(state));
    }

    @Test
    void aNodeWithoutADataPlaneIsAMemberByTheEpochThatItsControlPlaneGoesBy() throws Exception {
        start(NodeRole.CONTROL);
        running.withAcme();
        long epoch = running.plane.configuration().epoch();

        for (int i = 0; i < 1_000 && own().appliedEpoch() < epoch; i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }

        assertThat(own().appliedEpoch()).isEqualTo(epoch);
        assertThat(own().roles()).containsExactly("control");
    }

    private ClusterMember own() {
        return running.plane.members().stream()
                .filter(member -> member.id().equals(NODE))
                .findFirst()
                .orElse(new ClusterMember(NODE, List.of(), -1, Instant.EPOCH));
    }

    @Test
    void aNodeWithoutADataPlaneHasLaddersVerifiedByOneThatTakesRequests() {
        start(Set.of(NodeRole.CONTROL), Set.of("node-8"), Running.ADMIN_TOKEN);
        running.withAcme();
        List<String> asked = new CopyOnWriteArrayList<>();
        await(new Bus(running.vertx).answer(Address.ladderChecks("node-8"), check -> {
            asked.add(check.scenario());
            return Future.succeededFuture(new LadderChecked(List.of(), "try again"));
        }));

        await(running.plane.verifyLadder(Running.ROOT, new VerifyQuery("acme", "chat", null)));

        assertThat(asked).containsExactly("chat");
    }

    @Test
    void aLadderIsNotVerifiedWhereNoNodeTakesRequests() {
        start(Set.of(NodeRole.CONTROL), Set.of(), Running.ADMIN_TOKEN);
        running.withAcme();

        assertThatThrownBy(() -> await(running.plane.verifyLadder(Running.ROOT, new VerifyQuery("acme", "chat", null))))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("no node that could call the models");
    }
}
