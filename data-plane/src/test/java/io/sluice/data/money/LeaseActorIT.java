package io.sluice.data.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.ledger.AccountDecider.Step;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.Authority;
import io.sluice.tenants.ledger.CapTerms;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.message.BusMessage.AuthorityAnswered;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The node's side of the ledger on the bus, with an authority in memory. */
class LeaseActorIT {
    private static final AccountKey CAP = AccountKey.ofKey("acme|2026-03|month-tenant");

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final Authority authority = new Authority(
            1,
            Instant.now(),
            Set.of(),
            account -> new CapTerms(1, true, 10_000, Instant.EPOCH, Instant.parse("9999-01-01T00:00:00Z")));
    private volatile boolean deaf;

    LeaseActorIT() throws Exception {
        await(bus.answer(Address.AUTHORITY, asked -> {
            if (deaf) {
                return Future.future(never -> {});
            }
            synchronized (authority) {
                List<Step> steps = authority.apply(asked.command(), Instant.now());
                return Future.succeededFuture(
                        new AuthorityAnswered(steps.get(steps.size() - 1).answer()));
            }
        }));
    }

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
    }

    private LeaseActor actor(Purse purse, LedgerJournal journal, JournalTotals before, Duration refillMax)
            throws Exception {
        LeaseActor actor = new LeaseActor(
                bus,
                new BusCapAuthority(bus),
                "node-1",
                purse,
                journal,
                before,
                new LeaseSettings(refillMax, refillMax, Duration.ofMillis(200), Duration.ofSeconds(60)),
                InstantSource.system());
        deployment = await(vertx.deployVerticle(actor));
        return actor;
    }

    private String deployment;

    @Test
    void aRequestThatFindsNoSliceGetsOne() throws Exception {
        Purse purse = new Purse(LedgerJournal.forgetting());
        Reservations reservations = reservations(purse);
        assertThat(await(reservations.reserve("r", List.of(CAP), 700))).isInstanceOf(Hold.class);
    }

    @Test
    void aRequestThatTheCapDoesNotCoverIsToldSo() throws Exception {
        Purse purse = new Purse(LedgerJournal.forgetting());
        Reservations reservations = reservations(purse);
        assertThat(await(reservations.reserve("r", List.of(CAP), 10_001))).isInstanceOf(Shortfall.class);
    }

    @Test
    void whereTheAuthorityIsSilentARequestIsToldSoAfterAWhile() throws Exception {
        deaf = true;
        Purse purse = new Purse(LedgerJournal.forgetting());
        LeaseActor actor = actor(purse, LedgerJournal.forgetting(), new JournalTotals(), Duration.ofMillis(20));
        assertThat(await(new Reservations(purse, actor).reserve("r", List.of(CAP), 700)))
                .isEqualTo(new Shortfall(CAP, 700, true));
    }

    @Test
    void whatWasSpentIsReported() throws Exception {
        Purse purse = new Purse(LedgerJournal.forgetting());
        Reservations reservations = reservations(purse);
        ((Hold) await(reservations.reserve("r", List.of(CAP), 700))).settle(300, null);
        assertThat(eventually(state -> state.spentMicros() == 300).heldMicros()).isZero();
    }

    @Test
    void aNodeThatLeavesGivesEverythingBack() throws Exception {
        Purse purse = new Purse(LedgerJournal.forgetting());
        Reservations reservations = reservations(purse);
        ((Hold) await(reservations.reserve("r", List.of(CAP), 700))).settle(300, null);
        await(vertx.undeploy(deployment));
        AccountState left = eventually(state -> state.openHolders().isEmpty());
        assertThat(left.availableMicros()).isEqualTo(9_700);
        assertThat(left.burnedMicros()).isZero();
    }

    @Test
    void whatALifeBeforeHadLeftIsBurned() throws Exception {
        JournalTotals before = new JournalTotals();
        before.read(new LedgerRecord.Opened(new Holder("node-1", 5), System.currentTimeMillis()));
        before.read(new LedgerRecord.Granted(CAP, 3, 4_000));
        before.read(new LedgerRecord.Settled("r", List.of(CAP), 900, 600, null));
        Purse purse = new Purse(LedgerJournal.forgetting());
        actor(purse, LedgerJournal.forgetting(), before, Duration.ofSeconds(20));
        AccountState state = eventually(each -> each.burnedMicros() > 0);
        assertThat(state.burnedMicros()).isEqualTo(3_400);
        assertThat(state.spentMicros()).isEqualTo(600);
    }

    private Reservations reservations(Purse purse) throws Exception {
        return new Reservations(
                purse, actor(purse, LedgerJournal.forgetting(), new JournalTotals(), Duration.ofSeconds(20)));
    }

    private AccountState eventually(Predicate<AccountState> wanted) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            AccountState state;
            synchronized (authority) {
                state = authority.state(CAP);
            }
            if (state != null && wanted.test(state)) {
                return state;
            }
            assertThat(System.nanoTime())
                    .as("waited for long, and now it is %s", state)
                    .isLessThan(end);
            Thread.sleep(20);
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
