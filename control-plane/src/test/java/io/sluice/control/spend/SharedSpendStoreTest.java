package io.sluice.control.spend;

import static io.sluice.control.spend.Spent.ACME;
import static io.sluice.control.spend.Spent.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.SpendStatements;
import io.sluice.control.api.UnavailableException;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedSpendStoreTest extends SpendStoreContract {
    private static final LocalDate MARCH_2 = LocalDate.of(2026, 3, 2);

    private final Vertx vertx = Vertx.vertx();
    private final MemorySpendLog log = new MemorySpendLog();
    private final List<SharedSpendStore> nodes = new ArrayList<>();

    /** What a node fetches a copy from; null where no node has one. */
    private volatile SharedSpendStore peer;

    @Override
    protected SpendStore make() throws Exception {
        SharedSpendStore made = open("own");
        await(made.refresh());
        return made;
    }

    private SharedSpendStore open(String name) {
        SqliteSpendStore copy = SqliteSpendStore.open(directory.resolve(name + "/spend.db"), () -> NOW);
        return new SharedSpendStore(vertx, copy, log, this::fetch, name, () -> NOW);
    }

    private Future<Void> fetch(Path into) {
        SharedSpendStore from = peer;
        return from == null
                ? Future.failedFuture("no node has one")
                : vertx.executeBlocking(() -> {
                    from.copyTo(into);
                    return null;
                });
    }

    private SharedSpendStore node(String name) {
        SharedSpendStore made = open(name);
        nodes.add(made);
        return made;
    }

    @AfterEach
    void end() throws Exception {
        log.away(false);
        for (SharedSpendStore each : nodes) {
            await(each.close());
        }
        await(vertx.close());
    }

    private static Money total(SpendStore of) throws Exception {
        return await(of.total(ACME, MARCH)).cost();
    }

    private static SpendShipped one(String node, String cost) {
        return new Spent(node)
                .add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, cost)
                .next();
    }

    private SpendStore.Adjustment correction(String id) {
        return new SpendStore.Adjustment(id, ACME, MARCH_2, Money.of("-0.5"), "a test", "ann (FINANCE)", NOW);
    }

    @Test
    void everyNodeAnswersWhatAllHaveShipped() throws Exception {
        SharedSpendStore other = node("other");
        await(other.append(one("n1", "1")));
        await(store.append(one("n2", "2")));
        await(other.refresh());
        assertThat(total(store)).isEqualTo(Money.of("3"));
        assertThat(total(other)).isEqualTo(Money.of("3"));
        assertThat(await(other.position("n2", 7))).isEqualTo(await(store.position("n2", 7)));
    }

    @Test
    void aShipmentWhoseAnswerWasLostCountsOnce() throws Exception {
        SpendShipped shipped = one("n1", "1");
        log.loseAnswers(1);
        assertThatThrownBy(() -> await(store.append(shipped))).hasMessageContaining("away");
        assertThat(await(store.append(shipped))).isEqualTo(shipped.upToSeq());
        assertThat(await(store.position("n1", 7))).isEqualTo(shipped.upToSeq());
        assertThat(total(store)).isEqualTo(Money.of("1"));
        assertThat(log.size()).isEqualTo(1);
    }

    @Test
    void aDuplicateThatIsInTheLogNeverthelessCountsOnce() throws Exception {
        SpendLogEntry.Shipped entry = new SpendLogEntry.Shipped(one("n1", "1"), NOW);
        log.add(entry);
        log.add(entry);
        await(store.refresh());
        assertThat(total(store)).isEqualTo(Money.of("1"));
    }

    @Test
    void aCorrectionWhoseAnswerWasLostCountsOnce() throws Exception {
        log.loseAnswers(3);
        await(store.adjust(correction("c")));
        assertThat(await(store.adjustments(ACME, MARCH_1, MARCH_2))).isEqualTo(Money.of("-0.5"));
    }

    @Test
    void whileTheLogIsAwayReportsGoOnAndTheRestSaysWhy() throws Exception {
        await(store.append(one("n1", "1")));
        log.away(true);
        assertThat(total(store)).isEqualTo(Money.of("1"));
        assertThatThrownBy(() -> await(store.append(one("n2", "1")))).hasMessageContaining("away");
        assertThatThrownBy(() -> await(store.position("n2", 7))).hasMessageContaining("away");
        assertThatThrownBy(() -> await(store.adjust(correction("c"))))
                .hasCauseInstanceOf(UnavailableException.class)
                .hasMessageContaining("nothing can be corrected now");
        close();
        store = open("own");
        assertThatThrownBy(() -> await(store.refresh())).hasMessageContaining("away");
        assertThat(total(store)).isEqualTo(Money.of("1"));
    }

    @Test
    void aNewNodeThatHasHeardNothingShowsNothing() {
        log.away(true);
        SharedSpendStore fresh = node("fresh");
        assertThatThrownBy(() -> total(fresh)).hasCauseInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> await(fresh.refresh())).hasMessageContaining("away");
        assertThatThrownBy(() -> total(fresh)).hasCauseInstanceOf(UnavailableException.class);
    }

    @Test
    void aDayIsClosedOnceForAllAndTheLogDoesNotFill() throws Exception {
        SharedSpendStore other = node("other");
        await(store.append(one("n1", "1")));
        await(other.refresh());
        assertThat(await(store.close(closing(BERLIN, "2026-03-04")))).isEqualTo(2);
        await(other.refresh());
        assertThat(await(other.close(closing(BERLIN, "2026-03-04")))).isZero();
        assertThat(log.size()).isEqualTo(2);
        SpendStatements expected = await(store.statements(ACME, MARCH_1, MARCH_2.plusDays(9)));
        assertThat(expected.days()).hasSize(2);
        assertThat(await(other.statements(ACME, MARCH_1, MARCH_2.plusDays(9)))).isEqualTo(expected);
    }

    @Test
    void twoOwnersThatCloseTheSameDayCloseItOnce() throws Exception {
        await(store.append(one("n1", "1")));
        SqliteSpendStore copy = SqliteSpendStore.open(directory.resolve("third/spend.db"), () -> NOW);
        await(copy.append(one("n1", "1")));
        SpendLogEntry.DaysClosed days =
                closing(BERLIN, "2026-03-04").of(await(copy.due(closing(BERLIN, "2026-03-04"))));
        log.add(days);
        log.add(days);
        await(store.refresh());
        SpendStatements found = await(store.statements(ACME, MARCH_1, MARCH_2.plusDays(9)));
        assertThat(found.days()).hasSize(2);
        assertThat(found.verified()).as(found.problem()).isTrue();
        await(copy.close());
    }

    @Test
    void aNodeThatWasAwayForLongShowsNothingUntilItHasACopyOfAnother() throws Exception {
        SharedSpendStore late = node("late");
        await(late.refresh());
        Spent n1 = new Spent("n1");
        for (int i = 0; i < 5; i++) {
            await(store.append(
                    n1.add("2026-03-02T10:00:00Z", "shop", "m", 1, 1, "1").next()));
        }
        log.keep(2);
        await(late.refresh());
        assertThatThrownBy(() -> total(late))
                .hasCauseInstanceOf(UnavailableException.class)
                .hasMessageContaining("not complete");
        assertThatThrownBy(() -> late.copyTo(directory.resolve("x"))).isInstanceOf(StoreException.class);
        SpendShipped own = one("late", "4");
        assertThat(await(late.append(own))).isEqualTo(own.upToSeq());
        assertThat(await(late.position("late", 7))).isEqualTo(own.upToSeq());
        await(store.refresh());
        peer = (SharedSpendStore) store;
        for (int i = 0; i < 200 && late.behind() > 0; i++) {
            await(late.refresh());
            Thread.sleep(20);
        }
        assertThat(total(late)).isEqualTo(Money.of("9"));
        SpendShipped more = one("more", "1");
        await(late.append(more));
        await(store.refresh());
        assertThat(total(late)).isEqualTo(total(store)).isEqualTo(Money.of("10"));
    }

    @Test
    void nothingIsShippedToALogThatWasLostAndReportsGoOn() throws Exception {
        await(store.append(one("n1", "1")));
        await(store.append(one("n2", "1")));
        log.restore(1);
        await(store.refresh());
        assertThatThrownBy(() -> await(store.position("n1", 7))).hasMessageContaining("runbook");
        assertThatThrownBy(() -> await(store.append(one("n3", "1")))).hasMessageContaining("runbook");
        assertThatThrownBy(() -> await(store.adjust(correction("c")))).hasMessageContaining("runbook");
        assertThat(total(store)).isEqualTo(Money.of("2"));
    }

    @Test
    void aLogThatWentOnOtherwiseIsNotFollowed() throws Exception {
        await(store.append(one("n1", "1")));
        await(store.append(one("n2", "1")));
        log.restore(1);
        log.add(new SpendLogEntry.Shipped(one("n3", "8"), NOW));
        log.add(new SpendLogEntry.Shipped(one("n4", "8"), NOW));
        await(store.refresh());
        assertThat(total(store)).isEqualTo(Money.of("2"));
        assertThatThrownBy(() -> await(store.append(one("n5", "1")))).hasMessageContaining("runbook");
    }

    @Test
    void theHistoryOfASingleNodeBecomesTheClustersBeginning() throws Exception {
        SqliteSpendStore alone = SqliteSpendStore.open(directory.resolve("first/spend.db"), () -> NOW);
        SpendShipped before = one("first", "1");
        await(alone.append(before));
        await(alone.close());
        SharedSpendStore first = node("first");
        log.loseAnswers(1);
        assertThatThrownBy(() -> await(first.refresh())).hasMessageContaining("away");
        await(first.refresh());
        assertThat(total(first)).isEqualTo(Money.of("1"));
        assertThat(await(first.position("first", 7))).isEqualTo(before.upToSeq());
        peer = first;
        SharedSpendStore second = node("second");
        await(second.refresh());
        for (int i = 0; i < 200 && second.behind() > 0; i++) {
            await(second.refresh());
            Thread.sleep(20);
        }
        assertThat(total(second)).isEqualTo(Money.of("1"));
    }

    @Test
    void aHistoryThatTheClusterDoesNotHaveIsNotMixedIn() throws Exception {
        await(store.append(one("n1", "1")));
        SqliteSpendStore alone = SqliteSpendStore.open(directory.resolve("stranger/spend.db"), () -> NOW);
        await(alone.append(one("stranger", "5")));
        await(alone.close());
        SharedSpendStore stranger = node("stranger");
        await(stranger.refresh());
        assertThatThrownBy(() -> total(stranger))
                .hasCauseInstanceOf(UnavailableException.class)
                .hasMessageContaining("runbook");
        assertThatThrownBy(() -> await(stranger.position("stranger", 7))).hasMessageContaining("runbook");
        assertThat(total(store)).isEqualTo(Money.of("1"));
    }
}
