package io.sluice.control.ledger;

import static io.sluice.control.ledger.LedgerStoreContract.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.Principal;
import io.sluice.control.api.UnfreezeCap;
import io.sluice.control.api.UnfreezeOutcome;
import io.sluice.control.budget.FreezeDesk;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityAnswer.Outcome;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderTotals;
import io.sluice.tenants.ledger.KeptAccount;
import io.sluice.tenants.ledger.SharedAccounts.Write;
import io.sluice.tenants.message.BusMessage.AskAuthority;
import io.sluice.tenants.message.BusMessage.AuthorityAnswered;
import io.sluice.tenants.message.BusMessage.CapsPublished;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The owner of the ledger on the bus, over a real file. */
class LedgerActorIT {
    private static final TenantId ACME = new TenantId("acme");
    private static final AccountKey DAY = AccountKey.ofKey("acme|2026-03-28|day-tenant");
    private static final AccountKey DAMAGED = AccountKey.ofKey("acme|2026-03-28|day-damaged");
    private static final Holder NODE = new Holder("node-1", 7);

    @TempDir
    Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final BlockingQueue<CapsPublished> published = new LinkedBlockingQueue<>();
    private volatile Instant now = Instant.parse("2026-03-28T12:00:00Z");
    private volatile Configuration configuration = capped(1, "0.001");
    private volatile boolean diskFull;
    private LedgerStore file;
    private String deployment;

    @BeforeEach
    void start() throws Exception {
        await(bus.on(Address.CAPS, published::add));
        deploy();
    }

    private void deploy() throws Exception {
        file = SqliteLedgerStore.open(directory.resolve("ledger.db"));
        deployment = await(vertx.deployVerticle(
                new LedgerActor(bus, new FullDisk(file), () -> configuration, "node-1", true, () -> now)));
    }

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
        await(file.close());
    }

    private static Configuration capped(int version, String limit) {
        SpendCapConfig cap = new SpendCapConfig(
                "day-tenant",
                version,
                CapScope.TENANT,
                null,
                CapPeriod.DAY,
                Money.of(limit),
                0.7,
                0.9,
                AtExhaustion.REFUSE,
                null);
        TenantTree tree = TenantTree.of(new TenantConfig(ACME, 1, "Acme", ZoneId.of("UTC"), "USD", false))
                .with(cap);
        return new Configuration(version, Configuration.EMPTY.platform(), Map.of(ACME, tree), Map.of());
    }

    private AuthorityAnswer ask(AuthorityCommand command) throws Exception {
        return await(bus.request(
                        Address.AUTHORITY, new AskAuthority(command), AuthorityAnswered.class, Duration.ofSeconds(20)))
                .answer();
    }

    private static AuthorityCommand.Grant grant(long epoch, long seq, long micros, HolderTotals totals) {
        return new AuthorityCommand.Grant(DAY, NODE, epoch, seq, micros, micros, 0, 1, totals);
    }

    /** As a node that begins. */
    private long reconciled() throws Exception {
        long epoch = ask(grant(0, 1, 1, HolderTotals.NONE)).epoch();
        HolderTotals nothing = new HolderTotals(1, 1, 0, 0, 0, 0);
        assertThat(ask(new AuthorityCommand.Reconcile(DAY, NODE, epoch, Map.of(NODE, nothing)))
                        .outcome())
                .isEqualTo(Outcome.DONE);
        return epoch;
    }

    private CapFigures figures(Predicate<CapFigures> which) throws Exception {
        while (true) {
            CapsPublished next = published.poll(30, TimeUnit.SECONDS);
            assertThat(next).as("what is published each second").isNotNull();
            Optional<CapFigures> found = next.caps().stream().filter(which).findFirst();
            if (found.isPresent()) {
                return found.get();
            }
        }
    }

    @Test
    void aNodeIsGrantedWhatTheConfiguredCapAllows() throws Exception {
        long epoch = reconciled();
        assertThat(ask(grant(epoch, 2, 600, new HolderTotals(2, 1, 0, 0, 0, 0))).micros())
                .isEqualTo(600);
        assertThat(ask(grant(epoch, 3, 500, new HolderTotals(3, 2, 600, 0, 0, 0)))
                        .outcome())
                .isEqualTo(Outcome.DENIED);
    }

    @Test
    void aNodeThatDoesNotKnowTheEpochIsToldSo() throws Exception {
        assertThat(ask(grant(0, 1, 600, HolderTotals.NONE)).outcome()).isEqualTo(Outcome.OLD_EPOCH);
    }

    @Test
    void whatWasAnsweredIsThereAfterARestartAndNothingIsGrantedBeforeNodesHaveReconciled() throws Exception {
        long epoch = reconciled();
        ask(grant(epoch, 2, 600, new HolderTotals(2, 1, 0, 0, 0, 0)));
        await(vertx.undeploy(deployment));
        await(file.close());
        deploy();
        AuthorityAnswer first = ask(grant(epoch, 3, 1, new HolderTotals(3, 2, 600, 0, 0, 0)));
        assertThat(first.outcome()).isEqualTo(Outcome.OLD_EPOCH);
        assertThat(first.availableMicros()).isEqualTo(400);
        assertThat(ask(grant(first.epoch(), 3, 1, new HolderTotals(3, 2, 600, 0, 0, 0)))
                        .outcome())
                .isEqualTo(Outcome.FROZEN);
    }

    @Test
    void anOperatorLetsACapGrantAgainThatWaitsForALostNode() throws Exception {
        long epoch = reconciled();
        ask(grant(epoch, 2, 600, new HolderTotals(2, 1, 0, 0, 0, 0)));
        await(vertx.undeploy(deployment));
        await(file.close());
        deploy();
        List<String> noted = new ArrayList<>();
        FreezeDesk desk = new FreezeDesk(
                bus,
                () -> configuration,
                (who, command, account, at) -> {
                    noted.add(account.key());
                    return Future.succeededFuture();
                },
                () -> now);
        UnfreezeCap command = new UnfreezeCap("acme", "day-tenant", "its disk is gone");
        Principal admin = new Principal(Role.PLATFORM_ADMIN, null, "root");

        UserErrorCode denied = await(desk.unfreeze(new Principal(Role.FINANCE, ACME, "fin"), command))
                .errors()
                .get(0)
                .code();
        UserErrorCode blank = await(desk.unfreeze(admin, new UnfreezeCap("acme", "day-tenant", " ")))
                .errors()
                .get(0)
                .code();
        UserErrorCode unknown = await(desk.unfreeze(admin, new UnfreezeCap("acme", "day-none", "gone")))
                .errors()
                .get(0)
                .code();
        assertThat(List.of(denied, blank, unknown))
                .containsExactly(UserErrorCode.FORBIDDEN, UserErrorCode.INVALID, UserErrorCode.NOT_FOUND);
        assertThat(noted).isEmpty();

        assertThat(await(desk.unfreeze(admin, command))).isEqualTo(new UnfreezeOutcome("2026-03-28", List.of()));

        assertThat(noted).containsExactly(DAY.key());
        Holder other = new Holder("node-2", 1);
        long present = ask(new AuthorityCommand.Grant(DAY, other, 0, 1, 1, 1, 0, 1, HolderTotals.NONE))
                .epoch();
        AuthorityAnswer granted = ask(
                new AuthorityCommand.Grant(DAY, other, present, 1, 100, 100, 0, 1, new HolderTotals(1, 0, 0, 0, 0, 0)));
        assertThat(granted.outcome()).isEqualTo(Outcome.GRANTED);
        assertThat(granted.availableMicros()).isEqualTo(300);
    }

    @Test
    void aCapThatNobodySetIsNone() throws Exception {
        AccountKey other = AccountKey.ofKey("acme|2026-03-28|day-app:web");
        AuthorityCommand.Grant grant = new AuthorityCommand.Grant(other, NODE, 0, 1, 1, 1, 0, 1, HolderTotals.NONE);
        assertThat(ask(grant).outcome()).isEqualTo(Outcome.NO_CAP);
    }

    @Test
    void aChangedCapIsInForceAndToldWithinASecond() throws Exception {
        reconciled();
        configuration = capped(2, "0");
        assertThat(figures(each -> each.limitMicros() == 0).availableMicros()).isZero();
    }

    @Test
    void aPeriodIsClosedTenMinutesAfterItsEndAndStaysSo() throws Exception {
        long epoch = reconciled();
        now = Instant.parse("2026-03-29T00:10:00Z");
        assertThat(figures(CapFigures::closed).account()).isEqualTo(DAY);
        assertThat(ask(grant(epoch, 2, 1, new HolderTotals(2, 1, 0, 0, 0, 0))).outcome())
                .isEqualTo(Outcome.CLOSED);
    }

    @Test
    void whatCanNotBeWrittenIsNotAnsweredAndANewEpochBegins() throws Exception {
        long epoch = reconciled();
        diskFull = true;
        assertThatThrownBy(() -> ask(grant(epoch, 2, 600, new HolderTotals(2, 1, 0, 0, 0, 0))))
                .hasMessageContaining("disk is full");
        diskFull = false;
        CapFigures again = figures(each -> each.epoch() > epoch);
        assertThat(again.committedMicros()).isZero();
        assertThat(again.awaiting()).containsExactly("node-1");
    }

    @Test
    void anAccountWhoseSumsAreWrongIsRefusedAndHarmsNoOther() throws Exception {
        long epoch = reconciled();
        assertThatThrownBy(() -> ask(new AuthorityCommand.Close(DAMAGED))).hasMessageContaining("is damaged");
        assertThat(ask(grant(epoch, 2, 600, new HolderTotals(2, 1, 0, 0, 0, 0))).outcome())
                .isEqualTo(Outcome.GRANTED);
    }

    /** The file, on a disk that a test can fill. */
    private final class FullDisk implements LedgerStore {
        private final LedgerStore store;
        private volatile boolean failed;

        FullDisk(LedgerStore store) {
            this.store = store;
        }

        @Override
        public Future<Epoch> begin(String node, Epoch known, long atLeast) {
            // A store whose disk failed can not say what it kept.
            Epoch lost = new Epoch(known.number(), "lost", Set.of());
            Future<Epoch> begun = store.begin(node, failed ? lost : known, atLeast);
            failed = false;
            return begun;
        }

        @Override
        public Future<Changes> changes(Epoch epoch, long since, ToLongFunction<AccountKey> seen) {
            return store.changes(epoch, since, seen);
        }

        @Override
        public Future<List<KeptAccount>> find(Collection<AccountKey> accounts) {
            return accounts.contains(DAMAGED)
                    ? Future.succeededFuture(List.of(new KeptAccount(
                            1,
                            new AccountState(
                                    DAMAGED,
                                    1,
                                    true,
                                    1_000,
                                    Instant.EPOCH,
                                    Instant.EPOCH,
                                    1,
                                    Set.of(),
                                    false,
                                    999,
                                    0,
                                    Set.of(),
                                    new TreeMap<>()))))
                    : store.find(accounts);
        }

        @Override
        public Future<Map<AccountKey, Saved>> save(Epoch epoch, List<Write> writes) {
            failed |= diskFull;
            return diskFull
                    ? Future.failedFuture(new IllegalStateException("the disk is full"))
                    : store.save(epoch, writes);
        }

        @Override
        public Future<Void> close() {
            return store.close();
        }
    }
}
