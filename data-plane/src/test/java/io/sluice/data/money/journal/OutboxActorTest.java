package io.sluice.data.money.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.money.LedgerRecord;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.ledger.SpendTally;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.message.BusMessage.SpendStored;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutboxActorTest {
    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final MemoryFiles files = new MemoryFiles();
    private final Finance finance = new Finance();
    private FileLedgerJournal journal;
    private OutboxActor outbox;

    /** Stores what comes, and may fail or forget. */
    private final class Finance {
        final List<String> requests = new CopyOnWriteArrayList<>();
        final AtomicLong position = new AtomicLong();
        final AtomicInteger failures = new AtomicInteger();
        volatile Future<Void> open = Future.succeededFuture();
        volatile boolean asked;

        void serve() throws Exception {
            await(bus.answer(Address.SPEND_POSITIONS, ask -> Future.succeededFuture(new SpendStored(position.get()))));
            await(bus.answer(Address.SPEND, shipped -> {
                asked = true;
                return open.compose(done -> store(shipped));
            }));
        }

        private Future<SpendStored> store(SpendShipped shipped) {
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                return Future.failedFuture("the disk of finance is full");
            }
            if (!Set.copyOf(shipped.sums()).equals(Set.copyOf(tallied(shipped).sums()))) {
                return Future.failedFuture("the sums are not those of the charges");
            }
            if (shipped.afterSeq() == position.get()) {
                shipped.charges()
                        .entries()
                        .forEach(entry -> requests.add(entry.facts().requestId()));
                position.set(shipped.upToSeq());
            }
            return Future.succeededFuture(new SpendStored(position.get()));
        }
    }

    private static SpendTally tallied(SpendShipped shipped) {
        SpendTally tally = new SpendTally();
        shipped.charges().entries().forEach(entry -> tally.add(entry.seq(), entry.facts()));
        return tally;
    }

    @BeforeEach
    void open() throws Exception {
        journal = FileLedgerJournal.open(files, Texts.SMALL, line -> {}, cause -> {});
    }

    @AfterEach
    void close() throws Exception {
        journal.close();
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private void ship() throws Exception {
        outbox = new OutboxActor(bus, "n1", journal);
        await(vertx.deployVerticle(outbox));
    }

    static SpendFacts facts(String requestId) {
        return new SpendFacts(
                requestId,
                "0".repeat(32),
                Instant.parse("2026-03-01T10:00:00Z"),
                new TenantId("acme"),
                "shop",
                "chat",
                null,
                List.of(new SpendFacts.Charge(
                        "primary",
                        "openai",
                        "m",
                        new TokenUsage(100, 0, 0, 20, 0, false),
                        Money.of("0.001"),
                        "2026-01-01.abc")));
    }

    private List<String> settle(int from, int count) throws Exception {
        List<String> ids = new ArrayList<>();
        List<Future<Void>> done = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            ids.add("r" + i);
            done.add(journal.commit(new LedgerRecord.Settled("r" + i, List.of(), 0, 1_000, facts("r" + i))));
            if (done.size() == 2_000) { // more than it can hold would close the journal
                await(Future.all(done));
                done.clear();
            }
        }
        await(Future.all(done));
        return ids;
    }

    private void eventually(List<String> ids) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (finance.requests.size() < ids.size() && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        assertThat(finance.requests).isEqualTo(ids);
    }

    @Test
    void shipsEveryRequestOnceInItsOrder() throws Exception {
        finance.serve();
        List<String> ids = settle(0, 1_500);
        ship();
        eventually(ids);
    }

    @Test
    void shipsWhatComesLater() throws Exception {
        finance.serve();
        ship();
        eventually(settle(0, 3));
    }

    @Test
    void triesAgainUntilFinanceHasIt() throws Exception {
        finance.serve();
        finance.failures.set(2);
        List<String> ids = settle(0, 10);
        ship();
        eventually(ids);
    }

    @Test
    void goesOnWhereFinanceIsAfterARestart() throws Exception {
        finance.serve();
        List<String> ids = new ArrayList<>(settle(0, 5));
        ship();
        eventually(ids);
        await(vertx.undeploy(vertx.deploymentIDs().iterator().next()));
        ids.addAll(settle(5, 5));
        ship();
        eventually(ids);
    }

    @Test
    void aNodeThatLeavesWhileItShipsStaysUntilFinanceHasTheRestToo() throws Exception {
        Promise<Void> open = Promise.promise();
        finance.open = open.future();
        finance.serve();
        List<String> ids = new ArrayList<>(settle(0, 3));
        ship();
        while (!finance.asked) {
            Thread.sleep(5);
        }
        ids.addAll(settle(3, 3));
        Future<Void> left = vertx.undeploy(vertx.deploymentIDs().iterator().next());
        vertx.setTimer(300, later -> open.complete());
        await(left);

        assertThat(finance.requests).isEqualTo(ids);
    }

    @Test
    void aNodeThatLeavesShipsAlsoWhatIsNotOnDiskYet() throws Exception {
        finance.serve();
        ship();
        List<String> ids = new ArrayList<>(settle(0, 1));
        eventually(ids);
        for (int i = 1; i < 200; i++) {
            ids.add("r" + i);
            journal.append(new LedgerRecord.Settled("r" + i, List.of(), 0, 1_000, facts("r" + i)));
        }
        await(vertx.undeploy(vertx.deploymentIDs().iterator().next()));

        assertThat(finance.requests).isEqualTo(ids);
    }

    @Test
    void shipsAgainWhatFinanceHasLost() throws Exception {
        finance.serve();
        List<String> first = settle(0, 5);
        ship();
        eventually(first);
        finance.requests.clear();
        finance.position.set(0);
        List<String> ids = new ArrayList<>(first);
        ids.addAll(settle(5, 1));
        eventually(ids);
    }

    @Test
    void shipsEverythingOnceWhereFinanceWasAwayForLong() throws Exception {
        finance.serve();
        List<String> ids = new ArrayList<>(settle(0, 10));
        ship();
        eventually(ids);
        finance.failures.set(Integer.MAX_VALUE);
        ids.addAll(settle(10, SpendTail.REQUESTS_MAX + 100));
        finance.failures.set(0);
        ids.addAll(settle(SpendTail.REQUESTS_MAX + 110, 50));
        eventually(ids);
        ids.addAll(settle(SpendTail.REQUESTS_MAX + 160, 5));
        eventually(ids);
    }

    @Test
    void waitsForTheLinesThatFinanceDoesNotHave() throws Exception {
        finance.serve();
        finance.position.set(5);
        settle(0, 3);
        ship();
        settle(3, 2);
        eventually(settle(5, 1));
    }

    @Test
    void shipsNothingThatIsNoSpend() throws Exception {
        finance.serve();
        await(journal.commit(new LedgerRecord.Opened(new Holder("n1", 1), 0)));
        await(journal.commit(new LedgerRecord.Settled(
                "free",
                List.of(),
                0,
                0,
                new SpendFacts("free", "t", Instant.EPOCH, new TenantId("acme"), "a", "s", null, List.of()))));
        List<String> ids = settle(0, 1);
        ship();
        eventually(ids);
    }

    @Test
    void deletesSegmentsThatFinanceHas() throws Exception {
        finance.serve();
        await(journal.commit(new LedgerRecord.Opened(new Holder("n1", 1), 0)));
        List<String> ids = settle(0, 2_000);
        assertThat(files.contents.keySet()).hasSizeGreaterThan(2);
        ship();
        eventually(ids);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (files.contents.size() > 1 && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        assertThat(files.contents.keySet()).hasSize(1);
    }

    @Test
    void sumsUpThePricedChargesOfARequest() {
        SpendFacts.Charge priced = facts("r").charges().get(0);
        SpendFacts.Charge unpriced = new SpendFacts.Charge("s", "p", "m", TokenUsage.NONE, null, null);
        SpendFacts both = new SpendFacts(
                "r",
                "t",
                Instant.EPOCH,
                new TenantId("acme"),
                "a",
                "s",
                null,
                IntStream.range(0, 4)
                        .mapToObj(i -> i % 2 == 0 ? priced : unpriced)
                        .toList());
        assertThat(both.costMicros()).isEqualTo(2_000);
    }
}
