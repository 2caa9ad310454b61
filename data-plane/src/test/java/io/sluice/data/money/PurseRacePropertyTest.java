package io.sluice.data.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.ledger.AccountKey;
import io.vertx.core.Future;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Several threads reserve, raise and end at once, while the owner grants and takes back: no micro-unit is lost or made. */
class PurseRacePropertyTest {
    private static final AccountKey DAY = AccountKey.ofKey("acme|2026-03-28|day");
    private static final AccountKey MONTH = AccountKey.ofKey("acme|2026-03|month");
    private static final int THREADS = 4;
    private static final int REQUESTS = 20_000;

    /** What is wrong for a moment is seen by looking often. */
    private static final int LOOKS = 1_000;

    private static final LedgerJournal NOWHERE = new LedgerJournal() {
        @Override
        public void append(LedgerRecord line) {}

        @Override
        public Future<Void> commit(LedgerRecord line) {
            return Future.succeededFuture();
        }
    };

    private final Purse purse = new Purse(NOWHERE);
    private final AtomicLong spent = new AtomicLong();
    private long granted;

    @Test
    void everyMicroUnitIsInOnePlace() throws Exception {
        Slice day = purse.slice(DAY);
        Slice month = purse.slice(MONTH);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        for (int i = 0; i < THREADS; i++) {
            long seed = i;
            threads.execute(() -> requests(seed));
        }
        threads.shutdown();
        while (!threads.awaitTermination(1, TimeUnit.MILLISECONDS)) {
            day.grant(5_000);
            month.grant(5_000);
            granted += 5_000 - day.takeBack(1_000);
            month.takeBack(500);
            for (int look = 0; look < LOOKS; look++) {
                assertThat(day.heldMicros()).as("held").isNotNegative();
            }
        }
        assertThat(purse.inFlight()).isZero();
        assertThat(day.heldMicros()).isZero();
        assertThat(month.heldMicros()).isZero();
        assertThat(purse.settledMicros(DAY)).isEqualTo(spent.get());
        assertThat(purse.settledMicros(MONTH)).isEqualTo(spent.get());
        assertThat(purse.freeMicros(DAY) + spent.get()).isEqualTo(granted);
    }

    private void requests(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < REQUESTS; i++) {
            String id = seed + "/" + i;
            if (purse.reserve(id, List.of(DAY, MONTH), 1 + random.nextInt(50)) instanceof Hold hold) {
                if (random.nextInt(4) == 0) {
                    hold.raise(10);
                }
                end(hold, random);
            }
        }
    }

    private void end(Hold hold, SplittableRandom random) {
        if (random.nextInt(5) == 0) {
            hold.release();
        } else {
            long cost = random.nextLong(hold.heldMicros() + 1);
            spent.addAndGet(cost);
            hold.settle(cost, null);
        }
    }
}
