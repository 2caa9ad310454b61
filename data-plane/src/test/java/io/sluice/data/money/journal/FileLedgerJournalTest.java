package io.sluice.data.money.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.money.JournalTotals;
import io.sluice.data.money.LedgerRecord;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderTotals;
import io.sluice.tenants.ledger.Period;
import io.vertx.core.Future;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is left of the ledger when old segments have gone. */
class FileLedgerJournalTest {
    private static final Holder FIRST = new Holder("n1", 1);
    private static final Holder SECOND = new Holder("n1", 2);

    private final MemoryFiles files = new MemoryFiles();

    private static AccountKey account(int day) {
        return new AccountKey(new TenantId("acme"), "tenant", Period.of(CapPeriod.DAY, LocalDate.of(2026, 3, day)));
    }

    private static void settle(FileLedgerJournal journal, AccountKey account, int count) throws Exception {
        List<Future<Void>> done = IntStream.range(0, count)
                .mapToObj(i -> journal.commit(
                        new LedgerRecord.Settled("r" + i, List.of(account), 20, 10, OutboxActorTest.facts("r" + i))))
                .toList();
        Future.all(done).toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private JournalTotals totals() throws Exception {
        JournalTotals totals = new JournalTotals();
        FileLedgerJournal.open(files, Texts.SMALL, totals::read, cause -> {}).close();
        return totals;
    }

    @Test
    void saysTheSameWithoutItsOldSegments() throws Exception {
        try (FileLedgerJournal journal = FileLedgerJournal.open(files, Texts.SMALL, line -> {}, cause -> {})) {
            journal.append(new LedgerRecord.Opened(FIRST, 1));
            journal.append(new LedgerRecord.Granted(account(1), 1, 1_000_000));
            journal.append(new LedgerRecord.Granted(account(2), 2, 500));
            settle(journal, account(1), 1_200);
            journal.append(new LedgerRecord.Returned(account(1), 77));
            journal.append(new LedgerRecord.Finished(FIRST, account(1)));
            journal.append(new LedgerRecord.Opened(SECOND, 2));
            journal.append(new LedgerRecord.Granted(account(2), 3, 600));
            settle(journal, account(2), 1_200);
        }
        JournalTotals whole = totals();
        try (FileLedgerJournal journal = FileLedgerJournal.open(files, Texts.SMALL, line -> {}, cause -> {})) {
            settle(journal, account(3), 600);
            assertThat(journal.journal().forget(journal.journal().neededFrom())).isGreaterThan(2);
        }
        assertThat(files.contents.firstKey()).isGreaterThan(2L);
        JournalTotals kept = totals();
        for (int day = 1; day <= 2; day++) {
            assertThat(kept.lastWords(account(day))).isEqualTo(whole.lastWords(account(day)));
        }
        assertThat(kept.incarnation()).isEqualTo(2);
        assertThat(kept.unfinished()).containsExactlyInAnyOrder(account(2), account(3));
    }

    @Test
    void remembersLivesThatSaidNothing() throws Exception {
        long atMs = 1_772_000_000_000L;
        try (FileLedgerJournal journal = FileLedgerJournal.open(files, Texts.SMALL, line -> {}, cause -> {})) {
            journal.append(new LedgerRecord.Opened(FIRST, atMs));
            journal.append(new LedgerRecord.Opened(SECOND, atMs + 1));
            settle(journal, account(1), 1_200);
            assertThat(journal.journal().forget(journal.journal().neededFrom())).isPositive();
            journal.append(new LedgerRecord.Opened(new Holder("n1", 3), atMs + 2));
        }
        assertThat(totals().lastWords(account(1)).keySet()).contains(FIRST, SECOND);
        assertThat(totals().lastWords(account(1))).containsEntry(FIRST, HolderTotals.NOTHING);
    }

    @Test
    void keepsEverythingUntilASummaryIsOnDisk() throws Exception {
        try (FileLedgerJournal journal = FileLedgerJournal.open(files, Texts.SMALL, line -> {}, cause -> {})) {
            journal.append(new LedgerRecord.Opened(FIRST, 1));
            settle(journal, account(1), 10);
            assertThat(journal.journal().neededFrom()).isZero();
        }
    }

    @Test
    void keepsEverythingWhereTheSummaryIsTooLong() throws Exception {
        try (FileLedgerJournal journal = FileLedgerJournal.open(files, Texts.SMALL, line -> {}, cause -> {})) {
            journal.append(new LedgerRecord.Opened(FIRST, 1));
            for (int i = 0; i < 1_000; i++) {
                AccountKey own = new AccountKey(
                        new TenantId("acme"), "end-user:" + i, Period.of(CapPeriod.DAY, LocalDate.of(2026, 3, 1)));
                journal.append(new LedgerRecord.Granted(own, 1, 5));
            }
            settle(journal, account(1), 1_200);
            assertThat(journal.journal().neededFrom()).isZero();
        }
        assertThat(totals().unfinished()).hasSize(1_001);
    }
}
