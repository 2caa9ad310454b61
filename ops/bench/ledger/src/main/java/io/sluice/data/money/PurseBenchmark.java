package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** One request's money: reserved in three accounts, one of them a month's, and settled. The journal keeps nothing, so no disk is measured. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PurseBenchmark {
    /** All threads spend the same slices. */
    @State(Scope.Benchmark)
    public static class Shared {
        final Purse purse = new Purse(LedgerJournal.forgetting());
        final List<AccountKey> accounts = List.of(
                AccountKey.ofKey("acme|2026-03-28|day-tenant"),
                AccountKey.ofKey("acme|2026-03|month-tenant"),
                AccountKey.ofKey("acme|2026-03-28|day-app:web"));

        public Shared() {
            accounts.forEach(account -> purse.slice(account).grant(Purse.MICROS_MAX));
        }
    }

    /** Each thread names its requests by itself. */
    @State(Scope.Thread)
    public static class Requests {
        private final String prefix = Long.toString(Thread.currentThread().getId(), Character.MAX_RADIX) + "-";
        private long next;

        String id() {
            return prefix + next++;
        }
    }

    @Benchmark
    @Threads(1)
    public Object reserveAndSettleByOneThread(Shared shared, Requests requests) {
        return once(shared, requests);
    }

    @Benchmark
    @Threads(2)
    public Object reserveAndSettleByTwoThreads(Shared shared, Requests requests) {
        return once(shared, requests);
    }

    private static Object once(Shared shared, Requests requests) {
        Hold hold = (Hold) shared.purse.reserve(requests.id(), shared.accounts, 1_000);
        hold.settle(400, null);
        return hold;
    }
}
