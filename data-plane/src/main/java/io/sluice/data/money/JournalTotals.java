package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderTotals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a node's journal says that each life of the node took over, gave back and spent. Reads lines in the order in which they were
 * written. Not thread-safe.
 */
public final class JournalTotals {
    private final Map<AccountKey, Map<Holder, Sums>> accounts = new LinkedHashMap<>();
    private final Map<Holder, Long> lives = new TreeMap<>();
    private Holder life;

    /** No account runs longer than a month and the time to close it. */
    private static final long LIVES_KEPT_MS = Duration.ofDays(40).toMillis();

    /** One life's part of an account. */
    private static final class Sums {
        private long granted;
        private long returned;
        private long settled;
        private long seq;
        private boolean finished;
    }

    /** Adds {@code line}. */
    public void read(LedgerRecord line) {
        if (line instanceof LedgerRecord.Opened opened) {
            life = opened.holder();
            lives.put(life, opened.atMs());
            lives.values().removeIf(atMs -> atMs < opened.atMs() - LIVES_KEPT_MS);
        } else if (line instanceof LedgerRecord.Granted grant) {
            Sums sums = sums(life, grant.account());
            sums.granted = Math.addExact(sums.granted, grant.micros());
            sums.seq = Math.max(sums.seq, grant.seq());
        } else if (line instanceof LedgerRecord.Returned back) {
            Sums sums = sums(life, back.account());
            sums.returned = Math.addExact(sums.returned, back.micros());
        } else if (line instanceof LedgerRecord.Settled settle) {
            for (AccountKey account : settle.accounts()) {
                Sums sums = sums(life, account);
                sums.settled = Math.addExact(sums.settled, settle.actualMicros());
            }
        } else if (line instanceof LedgerRecord.Finished end) {
            sums(end.holder(), end.account()).finished = true;
        } else if (line instanceof LedgerRecord.Forgotten forgotten) {
            accounts.remove(forgotten.account());
        } else if (line instanceof LedgerRecord.Checkpoint checkpoint) {
            restore(checkpoint);
        }
    }

    private void restore(LedgerRecord.Checkpoint checkpoint) {
        Sums sums = sums(checkpoint.holder(), checkpoint.account());
        sums.granted = checkpoint.totals().grantedMicros();
        sums.returned = checkpoint.totals().returnedMicros();
        sums.settled = checkpoint.totals().settledMicros();
        sums.seq = checkpoint.totals().grantSeq();
        sums.finished = checkpoint.finished();
    }

    private Sums sums(Holder holder, AccountKey account) {
        if (holder == null) {
            throw new IllegalStateException("a journal begins with the life that writes it");
        }
        return accounts.computeIfAbsent(account, first -> new TreeMap<>()).computeIfAbsent(holder, first -> new Sums());
    }

    /** The largest incarnation that wrote a line; 0 where none did. */
    public long incarnation() {
        long largest = 0;
        for (Holder holder : lives.keySet()) {
            largest = Math.max(largest, holder.incarnation());
        }
        return largest;
    }

    /** The last words of every life about {@code account}: all lives in the journal are over. */
    public Map<Holder, HolderTotals> lastWords(AccountKey account) {
        Map<Holder, HolderTotals> words = new TreeMap<>();
        lives.keySet().forEach(holder -> words.put(holder, HolderTotals.NOTHING));
        accounts.getOrDefault(account, Map.of()).forEach((holder, sums) -> words.put(holder, words(sums)));
        return words;
    }

    /** Accounts with a life of which the authority may not know that it is over. */
    public List<AccountKey> unfinished() {
        List<AccountKey> found = new ArrayList<>();
        accounts.forEach((account, parts) -> {
            if (parts.values().stream().anyMatch(sums -> !sums.finished)) {
                found.add(account);
            }
        });
        return found;
    }

    /** Lines that say the same as all lines read so far. */
    public List<LedgerRecord> checkpoint() {
        List<LedgerRecord> lines = new ArrayList<>();
        lives.forEach((holder, atMs) -> lines.add(new LedgerRecord.Opened(holder, atMs)));
        if (life != null) {
            lines.add(new LedgerRecord.Opened(life, lives.get(life))); // it writes what follows
        }
        accounts.forEach((account, lives) -> lives.forEach(
                (holder, sums) -> lines.add(new LedgerRecord.Checkpoint(holder, account, words(sums), sums.finished))));
        return lines;
    }

    private static HolderTotals words(Sums sums) {
        return new HolderTotals(HolderTotals.LAST, sums.seq, sums.granted, sums.returned, sums.settled, 0);
    }
}
