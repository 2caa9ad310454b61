package io.sluice.control;

import static io.sluice.control.Running.ADMIN_TOKEN;
import static io.sluice.control.Running.ROOT;
import static io.sluice.control.Running.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.AuditEntry;
import io.sluice.control.api.AuditPage;
import io.sluice.control.api.ClusterMember;
import io.sluice.control.api.CommandOutcome;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.ApplyDocument;
import io.sluice.control.api.ConfigCommand.CreateAccessToken;
import io.sluice.control.api.ControlPlaneApi.Subscription;
import io.sluice.control.api.EpochEvent;
import io.sluice.control.api.PlanQuery;
import io.sluice.control.api.PlannedRoute.Candidate;
import io.sluice.control.api.Principal;
import io.sluice.control.api.UnavailableException;
import io.sluice.control.config.Given;
import io.sluice.control.store.StoreException;
import io.sluice.plugins.api.Secret;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.health.TargetWindow;
import io.sluice.tenants.key.KeyFormat;
import io.sluice.tenants.message.BusMessage.AskSnapshot;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.KeyUsed;
import io.sluice.tenants.message.BusMessage.NodeTold;
import io.sluice.tenants.message.BusMessage.PoolReported;
import io.sluice.tenants.message.BusMessage.SnapshotApplied;
import io.sluice.tenants.message.BusMessage.SnapshotPublished;
import io.sluice.tenants.message.BusMessage.WeightsPublished;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ControlPlaneIT {
    private static final TenantId ACME = new TenantId("acme");

    @TempDir
    Path directory;

    private static Principal tenantAdmin(String tenant) {
        return new Principal(Role.TENANT_ADMIN, new TenantId(tenant), "admin");
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 400 && !condition.getAsBoolean(); i++) {
            TimeUnit.MILLISECONDS.sleep(25);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Test
    void anAppliedCommandServesAndSurvivesARestart() {
        Configuration before;
        try (Running running = new Running(directory).withAcme()) {
            before = running.plane.configuration();
            assertThat(before.epoch()).isEqualTo(9);
        }
        try (Running again = new Running(directory)) {
            assertThat(again.plane.configuration()).isEqualTo(before);
        }
    }

    @Test
    void aRefusedCommandChangesNothing() {
        try (Running running = new Running(directory).withAcme()) {
            CommandOutcome outcome = running.execute(Given.tenant("acme"));
            assertThat(outcome.errors()).extracting(UserError::code).containsExactly(UserErrorCode.DUPLICATE);
            assertThat(running.plane.configuration().epoch()).isEqualTo(9);
        }
    }

    @Test
    void everyEpochIsPublishedAsSnapshotAfterItsCommit() throws InterruptedException {
        try (Running running = new Running(directory)) {
            BlockingQueue<SnapshotPublished> seen = new LinkedBlockingQueue<>();
            await(new Bus(running.vertx).on(Address.SNAPSHOTS, seen::add));
            running.withAcme();
            for (long epoch = 1; epoch <= 9; epoch++) {
                assertThat(seen.poll(10, TimeUnit.SECONDS).snapshot().epoch()).isEqualTo(epoch);
            }
        }
    }

    @Test
    void whoeverAsksGetsThePresentSnapshot() {
        try (Running running = new Running(directory).withAcme()) {
            SnapshotPublished answer = await(new Bus(running.vertx)
                    .request(
                            Address.SNAPSHOT_REQUESTS,
                            new AskSnapshot("node-1"),
                            SnapshotPublished.class,
                            Duration.ofSeconds(5)));
            assertThat(answer.snapshot().epoch()).isEqualTo(9);
            assertThat(answer.snapshot().tenants()).containsKey(ACME);
        }
    }

    @Test
    void subscribersHearOfEachEpochUntilTheyLeave() throws InterruptedException {
        try (Running running = new Running(directory)) {
            BlockingQueue<EpochEvent> seen = new LinkedBlockingQueue<>();
            Subscription subscription = running.plane.onEpoch(seen::add);
            running.execute(Given.tenant("acme"));
            EpochEvent event = seen.poll(10, TimeUnit.SECONDS);
            assertThat(event.epoch()).isEqualTo(1);
            assertThat(event.cause()).isEqualTo("createTenant");
            subscription.close();
            running.execute(Given.tenant("other"));
            running.execute(Given.tenant("third"));
            assertThat(seen).isEmpty();
        }
    }

    /** Row 99. */
    @Test
    void ofAThousandConcurrentEditsNoneIsLost() {
        try (Running running = new Running(directory).withAcme()) {
            List<Future<CommandOutcome>> edits = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                for (int twin = 0; twin < 2; twin++) {
                    ConfigCommand edit = Given.with(
                            Given.with(Given.model("acme", "small"), "version", i + 1), "contextWindow", 10_000 + i);
                    edits.add(running.plane.execute(ROOT, edit));
                }
            }
            List<CommandOutcome> outcomes = edits.stream().map(Running::await).toList();
            for (int i = 0; i < 1_000; i += 2) {
                assertThat(outcomes.get(i).errors()).isEmpty();
                int version = i / 2 + 2;
                assertThat(outcomes.get(i + 1).errors()).singleElement().satisfies(error -> {
                    assertThat(error.code()).isEqualTo(UserErrorCode.CONFLICT_VERSION);
                    assertThat(error.message()).contains("present version is " + version);
                });
            }
            ModelConfig model =
                    running.plane.configuration().model(ACME, "small").orElseThrow();
            assertThat(model.version()).isEqualTo(501);
            assertThat(model.contextWindow()).isEqualTo(10_499);
            assertThat(running.plane.configuration().epoch()).isEqualTo(509);
        }
    }

    @Test
    void aDocumentIsOneEpochAndADryRunNone() {
        try (Running running = new Running(directory).withAcme()) {
            var document = Given.json("{'models':[{'id':'a','contextWindow':10,'maxOutputTokens':1},"
                    + "{'id':'b','contextWindow':10,'maxOutputTokens':1}]}");
            CommandOutcome dry = running.execute(new ApplyDocument("acme", document, true, 9L));
            assertThat(dry.changes()).hasSize(2);
            assertThat(running.plane.configuration().epoch()).isEqualTo(9);
            running.execute(new ApplyDocument("acme", document, false, 9L));
            assertThat(running.plane.configuration().epoch()).isEqualTo(10);
        }
    }

    @Test
    void anotherTenantIsNotFoundAndTheAttemptIsAudited() {
        try (Running running = new Running(directory).withAcme()) {
            CommandOutcome outcome = running.execute(tenantAdmin("other"), Given.provider("acme", "mine"));
            assertThat(outcome.errors()).singleElement().satisfies(error -> {
                assertThat(error.code()).isEqualTo(UserErrorCode.NOT_FOUND);
                assertThat(error.path()).containsExactly("tenantId");
            });
            AuditEntry entry =
                    await(running.plane.audit(ACME, 1, null)).entries().get(0);
            assertThat(entry.actor()).isEqualTo("admin (TENANT_ADMIN of other)");
            assertThat(entry.action()).isEqualTo("putProvider");
            assertThat(entry.detail().path("denied").asText()).isEqualTo("NOT_FOUND");
            assertThat(running.plane.configuration().epoch()).isEqualTo(9);
        }
    }

    @Test
    void everyCommandLeavesALineInAnUnbrokenChain() {
        try (Running running = new Running(directory).withAcme()) {
            AuditPage page = await(running.plane.audit(ACME, 50, null));
            assertThat(page.entries())
                    .extracting(AuditEntry::action)
                    .containsExactly(
                            "putScenario",
                            "putPool",
                            "putPrice",
                            "putPrice",
                            "putModel",
                            "putModel",
                            "putProvider",
                            "createApp",
                            "createTenant");
            assertThat(await(running.plane.verifyAudit())).isEmpty();
        }
    }

    @Test
    void aWrongAuditCursorIsNoCrash() {
        try (Running running = new Running(directory)) {
            assertThatThrownBy(() -> await(running.plane.audit(null, 1, "x'; DROP TABLE audit")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void noSecretIsEverStoredInTheClear() throws IOException {
        String canary = "canary-7f3a9c51e2";
        String key;
        String token;
        try (Running running = new Running(directory).withAcme()) {
            running.execute(Given.with(Given.provider("acme", "p"), "credential", "value:" + canary));
            running.execute(new ApplyDocument(
                    "acme",
                    Given.json("{'providers':[{'id':'q','plugin':'simulator','credential':'value:" + canary + "'}]}"),
                    false,
                    null));
            key = running.execute(Given.key("acme")).secret();
            token = running.execute(new CreateAccessToken("AUDITOR", "acme", "n", null))
                    .secret();
            var provider = running.plane.configuration().provider(ACME, "q").orElseThrow();
            assertThat(running.plane.credentials().reveal(provider).map(Secret::reveal))
                    .contains(canary);
            assertThat(running.plane.configuration().toString()).doesNotContain(canary);
            assertThat(await(running.plane.audit(null, 50, null)).toString()).doesNotContain(canary);
        }
        List<String> secrets = List.of(
                canary,
                KeyFormat.API_KEY.parse(key).orElseThrow().secret(),
                KeyFormat.ACCESS_TOKEN.parse(token).orElseThrow().secret(),
                ADMIN_TOKEN);
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                assertThat(secrets).as(file.toString()).noneMatch(bytes::contains);
            }
        }
    }

    @Test
    void aMadeKeyIsInTheSnapshotWithTheHashOfItsSecret() {
        try (Running running = new Running(directory).withAcme()) {
            String key = running.execute(Given.key("acme")).secret();
            KeyFormat.Parts parts = KeyFormat.API_KEY.parse(key).orElseThrow();
            SnapshotPublished answer = await(new Bus(running.vertx)
                    .request(
                            Address.SNAPSHOT_REQUESTS,
                            new AskSnapshot("n"),
                            SnapshotPublished.class,
                            Duration.ofSeconds(5)));
            var compiled = answer.snapshot().key(parts.id()).orElseThrow();
            assertThat(running.plane.keyHasher().matches(parts.secret(), compiled.secretHash()))
                    .isTrue();
        }
    }

    @Test
    void theOperatorsTokenIsThePlatformAdministrator() {
        try (Running running = new Running(directory)) {
            assertThat(running.plane.authenticate(ADMIN_TOKEN))
                    .contains(new Principal(Role.PLATFORM_ADMIN, null, "bootstrap"));
            assertThat(running.plane.madeAdminToken()).isEmpty();
        }
    }

    @Test
    void aMadeTokenProvesItsRoleAndTenant() {
        try (Running running = new Running(directory).withAcme()) {
            String token = running.execute(new CreateAccessToken("FINANCE", "acme", "books", null))
                    .secret();
            assertThat(running.plane.authenticate(token)).contains(new Principal(Role.FINANCE, ACME, "books"));
        }
    }

    @Test
    void anExpiredTokenProvesNothing() {
        try (Running running = new Running(directory).withAcme()) {
            Instant soon = Instant.now().plusMillis(200);
            String token = running.execute(new CreateAccessToken("FINANCE", "acme", "books", soon.toString()))
                    .secret();
            until(() -> running.plane.authenticate(token).isEmpty());
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /** Cases CF04 and AT04. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "Bearer ", "gwa_", "the operator's own toke", "the operator's own tokenx"})
    void nothingElseIsAToken(String token) {
        try (Running running = new Running(directory)) {
            assertThat(running.plane.authenticate(token)).isEmpty();
            assertThat(running.plane.authenticate(null)).isEmpty();
        }
    }

    /** Cases CF04 and AT04. */
    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "\t"})
    void aBlankAdminTokenIsRefusedAtTheStart(String token) {
        assertThatThrownBy(() -> Running.settings(directory, token, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SLUICE_ADMIN_TOKEN");
    }

    @Test
    void withoutATokenTheFirstStartMakesOneThatGoesOnWorking() {
        String token;
        try (Running running = new Running(Running.settings(directory, null, null))) {
            token = running.plane.madeAdminToken().orElseThrow();
            assertThat(running.plane.authenticate(token)).isPresent();
        }
        try (Running again = new Running(Running.settings(directory, null, null))) {
            assertThat(again.plane.madeAdminToken()).isEmpty();
            assertThat(again.plane.authenticate(token)).contains(new Principal(Role.PLATFORM_ADMIN, null, "bootstrap"));
        }
    }

    @Test
    void anotherServerSecretIsRefusedWithTheRemedy() {
        new Running(Running.settings(directory, null, "the first secret of the server")).close();
        assertThatThrownBy(() -> new Running(Running.settings(directory, null, "another secret of the server")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("SLUICE_SECRET_KEY");
    }

    @Test
    void aDirectoryInUseIsRefusedWithTheRemedy() {
        try (Running running = new Running(directory)) {
            assertThatThrownBy(() -> new Running(directory))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("another process");
            assertThat(running.plane.configuration().epoch()).isZero();
        }
    }

    @Test
    void theDayOfAKeysUseIsKeptWithoutANewEpoch() throws InterruptedException {
        Instant at = Instant.parse("2026-11-29T23:59:59Z");
        String id;
        try (Running running = new Running(directory).withAcme()) {
            id = running.execute(Given.key("acme")).objectId();
            Bus bus = new Bus(running.vertx);
            bus.send(Address.KEY_USES, new KeyUsed(ACME, id, at));
            bus.send(Address.KEY_USES, new KeyUsed(ACME, "unknown", at));
            until(() -> running.plane
                            .configuration()
                            .tenants()
                            .get(ACME)
                            .keys()
                            .get(id)
                            .lastUsedOn()
                    != null);
            assertThat(running.plane.configuration().epoch()).isEqualTo(10);
        }
        try (Running again = new Running(directory)) {
            assertThat(again.plane
                            .configuration()
                            .tenants()
                            .get(ACME)
                            .keys()
                            .get(id)
                            .lastUsedOn())
                    .hasToString("2026-11-29");
        }
    }

    @Test
    void aFailingTargetLosesItsWeightAndThePlanSaysSo() throws InterruptedException {
        try (Running running = new Running(directory).withAcme()) {
            Bus bus = new Bus(running.vertx);
            BlockingQueue<WeightsPublished> weights = new LinkedBlockingQueue<>();
            await(bus.on(Address.WEIGHTS, weights::add));
            ScopedId pool = new ScopedId(ACME, "std");
            bus.send(
                    Address.POOL_REPORTS,
                    new PoolReported(
                            pool,
                            "node-1",
                            0,
                            List.of(new TargetWindow(
                                    "sim/small",
                                    0,
                                    Map.of(FailureClass.NETWORK, 50L),
                                    LatencyHistogram.EMPTY,
                                    LatencyHistogram.EMPTY,
                                    3,
                                    TargetState.SERVING,
                                    1)),
                            2));
            assertThat(weights.poll(10, TimeUnit.SECONDS)
                            .pools()
                            .get(0)
                            .health()
                            .get("sim/small"))
                    .isLessThan(0.05);
            assertThat(running.plane.poolHealth()).singleElement().satisfies(health -> {
                assertThat(health.inFlight()).isEqualTo(3);
                assertThat(health.queued()).isEqualTo(2);
            });
            List<Candidate> plan = await(running.plane.plan(new PlanQuery(ACME, "chat", "auto", 500, 0, null)))
                    .candidates();
            assertThat(plan.get(0).reasons()).containsExactly("its circuit breaker is open");
        }
    }

    @Test
    void aPlanUnderADraftChangesNothing() {
        try (Running running = new Running(directory).withAcme()) {
            var draft = Given.json("{'pools':[{'id':'std','tier':'LIGHT','targets':["
                    + "{'provider':'sim','model':'small','weight':0},{'provider':'sim','model':'large'}]}]}");
            List<Candidate> plan = await(running.plane.plan(new PlanQuery(ACME, "chat", "auto", 500, 0, draft)))
                    .candidates();
            assertThat(plan).extracting(Candidate::probability).containsExactly(0.0, 1.0);
            assertThat(running.plane.configuration().epoch()).isEqualTo(9);
        }
    }

    @Test
    void aWrongDraftSaysWhatIsWrong() {
        try (Running running = new Running(directory).withAcme()) {
            var draft = Given.json("{'pools':[{'id':'std','tier':'GOLD','targets':[]}]}");
            assertThat(await(running.plane.plan(new PlanQuery(ACME, "chat", "auto", 500, 0, draft)))
                            .refused())
                    .contains("document.pools.0.tier", "document.pools.0.targets");
        }
    }

    @Test
    void decisionsAreAskedOfTheDataPlane() {
        try (Running running = new Running(directory)) {
            await(new Bus(running.vertx)
                    .answer(
                            Address.decision("node-1"),
                            question -> Future.succeededFuture(new DecisionPage(List.of(), List.of(), null))));
            assertThat(await(running.plane.decision("0af7651916cd43dd8448eb211c80319c")))
                    .isEmpty();
        }
    }

    @Test
    void membersAreThoseThatAppliedAnEpoch() throws InterruptedException {
        try (Running running = new Running(directory)) {
            Bus bus = new Bus(running.vertx);
            bus.publish(Address.APPLIED, new SnapshotApplied("node-1", 1, 0));
            bus.publish(Address.APPLIED, new SnapshotApplied("node-1", 2, 0));
            until(() -> running.plane.members().size() == 1
                    && running.plane.members().get(0).appliedEpoch() == 2);
            assertThat(running.plane.members().get(0).roles()).containsExactly("data", "control");
        }
    }

    @Test
    void aNodeThatIsNoMemberIsNotListedThoughItToldOfItself() throws InterruptedException {
        try (Running running = new Running(directory)) {
            Bus bus = new Bus(running.vertx);
            bus.publish(Address.NODES, new NodeTold("stranger", List.of("data"), 7, Instant.EPOCH));
            bus.publish(Address.NODES, new NodeTold("node-1", List.of("data"), 7, Instant.EPOCH));
            until(() -> !running.plane.members().isEmpty());
            assertThat(running.plane.members())
                    .containsExactly(new ClusterMember("node-1", List.of("data"), 7, Instant.EPOCH));
        }
    }

    @Test
    void aNodeTellsOthersThatItIsThereAgainAndAgain() throws InterruptedException {
        try (Running running = new Running(directory)) {
            Bus bus = new Bus(running.vertx);
            List<NodeTold> told = new CopyOnWriteArrayList<>();
            await(bus.on(Address.NODES, told::add));
            bus.publish(Address.APPLIED, new SnapshotApplied("node-1", 3, 0));
            until(() -> told.size() > 2);
            assertThat(told).allSatisfy(each -> assertThat(each.epoch()).isEqualTo(3));
            assertThat(told)
                    .extracting(NodeTold::since)
                    .containsOnly(told.get(0).since());
        }
    }

    @Test
    void aDecisionThatNobodyCanLookForIsNotCalledMissing() {
        try (Running running = new Running(directory)) {
            assertThatThrownBy(() -> await(running.plane.decision("0af7651916cd43dd8448eb211c80319c")))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("node-1");
        }
    }

    @Test
    void aCommandCompletesOnlyWhenThisNodeServesIt() throws InterruptedException {
        try (Running running = new Running(directory)) {
            Bus bus = new Bus(running.vertx);
            AtomicLong applied = new AtomicLong();
            bus.publish(Address.APPLIED, new SnapshotApplied("node-1", 0, 0));
            until(() -> !running.plane.members().isEmpty());
            await(bus.on(
                    Address.SNAPSHOTS,
                    published -> running.vertx.setTimer(200, later -> {
                        applied.set(published.snapshot().epoch());
                        bus.publish(Address.APPLIED, new SnapshotApplied("node-1", applied.get(), 0));
                    })));

            CommandOutcome outcome = running.execute(Given.tenant("acme"));

            assertThat(applied).hasValue(outcome.configuration().epoch());
        }
    }

    @Test
    void aNodeThatAppliesNothingIsNotWaitedForLong() throws InterruptedException {
        try (Running running = new Running(directory)) {
            new Bus(running.vertx).publish(Address.APPLIED, new SnapshotApplied("node-1", 0, 0));
            until(() -> !running.plane.members().isEmpty());

            CommandOutcome outcome = running.execute(Given.tenant("acme"));

            assertThat(outcome.errors()).isEmpty();
            assertThat(running.plane.configuration().epoch())
                    .isEqualTo(outcome.configuration().epoch());
        }
    }

    @Test
    void futuresCompleteOnTheContextOfTheCaller() {
        try (Running running = new Running(directory)) {
            Context caller = running.vertx.getOrCreateContext();
            Promise<Context> seen = Promise.promise();
            caller.runOnContext(now -> running.plane
                    .execute(ROOT, Given.tenant("acme"))
                    .onComplete(outcome -> seen.complete(Vertx.currentContext())));
            assertThat(await(seen.future())).isSameAs(caller);
        }
    }

    @Test
    void closingWaitsForWhatWasAccepted() {
        List<Future<CommandOutcome>> pending = new ArrayList<>();
        try (Running running = new Running(directory)) {
            for (int i = 0; i < 100; i++) {
                pending.add(running.plane.execute(ROOT, Given.tenant("t" + i)));
            }
            await(pending.get(0));
        }
        long acknowledged = pending.stream().filter(Future::succeeded).count();
        try (Running again = new Running(directory)) {
            assertThat(again.plane.configuration().tenants()).hasSizeGreaterThanOrEqualTo((int) acknowledged);
            assertThat(acknowledged).isPositive();
        }
    }
}
