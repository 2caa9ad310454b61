package io.sluice.control.spend;

import static io.sluice.control.spend.Spent.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.spend.SpendLog.Logged;
import io.sluice.control.spend.SpendLog.Page;
import io.sluice.control.spend.SpendLog.Place;
import io.sluice.control.spend.SpendLogEntry.Adjusted;
import io.sluice.control.spend.SpendLogEntry.Began;
import io.sluice.control.spend.SpendLogEntry.DaysClosed;
import io.sluice.control.spend.SpendLogEntry.Shipped;
import io.sluice.control.spend.SpendStore.Adjustment;
import io.sluice.control.spend.SpendStore.DaySpan;
import io.sluice.control.spend.SpendStore.Span;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every {@link SpendLog} keeps. */
public abstract class SpendLogContract {
    protected static final Instant NOW = Instant.parse("2026-03-10T12:00:00.123456789Z");

    /** An empty log at first; the same one again after {@link SpendLog#close}. */
    protected abstract SpendLog open() throws Exception;

    /** The {@code index}th of shipments of a node that follow one another. */
    protected static Shipped shipped(String node, int index) {
        Spent spent = new Spent(node);
        for (int i = 0; i < index; i++) {
            one(spent);
        }
        return new Shipped(one(spent), NOW);
    }

    private static SpendShipped one(Spent spent) {
        return spent.add("2026-03-02T10:00:00Z", "shop", "gr\u00fc\u00df|gott", 9_007_199_254_740_993L, 1, "1")
                .next();
    }

    protected static Adjusted adjusted(String id) {
        return new Adjusted(new Adjustment(
                id, Spent.ACME, LocalDate.of(2026, 3, 2), Money.of("-0.000001"), "why not", "ann (FINANCE)", NOW));
    }

    protected static DaysClosed closed() {
        DaySpan day = new DaySpan(LocalDate.of(2026, 3, 2), new Span(1_772_409_600, 1_772_496_000));
        return new DaysClosed(Spent.ACME, "Europe/Berlin", "2026a", "EUR", NOW, List.of(day));
    }

    protected static List<SpendLogEntry> entries(Page page) {
        return page.next().stream().map(Logged::entry).toList();
    }

    /** Everything after {@code position}. */
    protected static List<Logged> all(SpendLog log, long position) throws Exception {
        List<Logged> all = new ArrayList<>();
        long at = position;
        for (Page page = await(log.since(at)); !page.next().isEmpty(); page = await(log.since(at))) {
            all.addAll(page.next());
            at = all.get(all.size() - 1).position();
        }
        return all;
    }

    @Test
    void aNewLogIsEmpty() throws Exception {
        SpendLog log = open();
        assertThat(await(log.since(0))).isEqualTo(new Page(0, null, List.of()));
        assertThat(await(log.place("n1", 7))).isZero();
        await(log.close());
    }

    @Test
    void everyKindOfEntryComesBackInOrderAndAsItWas() throws Exception {
        SpendLog log = open();
        await(log.ship(shipped("n1", 0)));
        await(log.append(adjusted("c")));
        await(log.append(closed()));
        Page page = await(log.since(0));
        assertThat(page.last()).isEqualTo(3);
        assertThat(entries(page)).containsExactly(shipped("n1", 0), adjusted("c"), closed());
        assertThat(page.next()).extracting(Logged::position).containsExactly(1L, 2L, 3L);
        Page later = await(log.since(2));
        assertThat(later.next()).containsExactly(page.next().get(2));
        assertThat(later.idThere()).isEqualTo(page.next().get(1).id());
        assertThat(page.next()).extracting(Logged::id).doesNotHaveDuplicates();
        await(log.close());
    }

    @Test
    void aShipmentIsThereOnceAndOnlyAtItsPlace() throws Exception {
        SpendLog log = open();
        long first = shipped("n1", 0).shipped().upToSeq();
        assertThat(await(log.ship(shipped("n1", 1)))).isZero();
        assertThat(await(log.ship(shipped("n1", 0)))).isEqualTo(first);
        assertThat(await(log.ship(shipped("n1", 0)))).isEqualTo(first);
        assertThat(await(log.ship(shipped("n2", 0)))).isEqualTo(first);
        assertThat(await(log.place("n1", 7))).isEqualTo(first);
        assertThat(await(log.place("n1", 8))).isZero();
        assertThat(await(log.since(0)).last()).isEqualTo(2);
        await(log.close());
    }

    @Test
    void manyEntriesAreReadInPiecesWithoutAGap() throws Exception {
        SpendLog log = open();
        for (int i = 0; i < 50; i++) {
            await(log.append(adjusted("c" + i)));
        }
        assertThat(all(log, 0)).hasSize(50);
        assertThat(all(log, 13).get(0).entry()).isEqualTo(adjusted("c13"));
        assertThat(all(log, 50)).isEmpty();
        await(log.close());
    }

    @Test
    void oneHistoryBeginsTheLogAndBringsItsPlaces() throws Exception {
        SpendLog log = open();
        await(log.begin("mine", new Began("n1"), List.of(new Place("n1", 7, 1L << 60))));
        await(log.begin("other", new Began("n2"), List.of(new Place("n2", 7, 5))));
        assertThat(await(log.since(0)).next()).containsExactly(new Logged(1, "mine", new Began("n1")));
        assertThat(await(log.place("n1", 7))).isEqualTo(1L << 60);
        assertThat(await(log.place("n2", 7))).isZero();
        await(log.close());
    }

    @Test
    void noHistoryBeginsALogThatHasSomething() throws Exception {
        SpendLog log = open();
        await(log.append(adjusted("c")));
        await(log.begin("late", new Began("n1"), List.of()));
        assertThat(await(log.since(0)).last()).isEqualTo(1);
        await(log.close());
    }
}
