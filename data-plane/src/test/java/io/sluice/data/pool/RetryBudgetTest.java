package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requirement A4: retries use at most 20 % of a pool's concurrency and of its request rate. */
class RetryBudgetTest {
    private static final int PERMITS = 1_000;

    private final RetryBudget budget = new RetryBudget(new RetrySettings(0.2, 3, 10_000));

    private void enter(int requests, long nowMs) {
        for (int i = 0; i < requests; i++) {
            budget.entered(nowMs);
        }
    }

    /** Retries that are let through, each over at once. */
    private int retries(int tries, long nowMs) {
        int taken = 0;
        for (int i = 0; i < tries; i++) {
            if (budget.tryTake(nowMs, PERMITS)) {
                budget.release();
                taken++;
            }
        }
        return taken;
    }

    @Test
    void allowsTheFloorWhereThereAreNoRequests() {
        assertThat(retries(100, 5_000)).isEqualTo(3);
    }

    @Test
    void allowsAFifthOfTheRequestsOnTopOfTheFloor() {
        enter(100, 5_000);

        assertThat(retries(100, 5_000)).isEqualTo(23);
    }

    @Test
    void forgetsWhatIsOlderThanTheWindow() {
        enter(100, 5_000);
        retries(100, 5_000);

        assertThat(retries(100, 13_999)).as("within the window").isZero();
        assertThat(retries(100, 15_000)).as("after it, without requests").isEqualTo(3);
    }

    @Test
    void countsOnAfterAPauseOfManyWindows() {
        enter(1_000, 5_000);

        assertThat(retries(100, 5_000 + 86_400_000L)).isEqualTo(3);
    }

    @Test
    void worksOnAClockThatStartsBelowZero() {
        enter(10, -15_500);
        enter(10, -500);
        enter(10, 500);

        assertThat(retries(100, 500)).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "4, 1", "10, 2", "100, 20", "1000, 200"})
    void holdsAtMostAFifthOfThePermitsAndAlwaysOne(int permits, int most) {
        enter(5_000, 0);
        int held = 0;
        while (budget.tryTake(0, permits)) {
            held++;
        }

        assertThat(held).isEqualTo(most);
        assertThat(budget.running()).isEqualTo(most);
        budget.release();
        assertThat(budget.tryTake(0, permits)).isTrue();
    }

    @Test
    void takesNothingWhereNoneIsLeft() {
        retries(3, 0);

        assertThat(budget.left(0, PERMITS)).isFalse();
        assertThat(budget.tryTake(0, PERMITS)).isFalse();
        assertThat(budget.running()).isZero();
    }

    @Test
    void isExactAlsoWhereManyThreadsAsk() throws InterruptedException {
        AtomicInteger taken = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            threads.add(new Thread(() -> {
                enter(1_000, 0);
                taken.addAndGet(retries(1_000, 0));
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        taken.addAndGet(retries(10_000, 0));

        assertThat(taken.get()).isEqualTo(8_000 / 5 + 3);
    }

    /** Against a plain list of what happened. */
    @Test
    void neverAllowsMoreThanTheShareOfAnyWindowAndNeverRefusesWithinIt() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            RetryBudget random20 = new RetryBudget(new RetrySettings(0.2, 3, 10_000));
            List<Long> requests = new ArrayList<>();
            List<Long> retries = new ArrayList<>();
            long now = 0;
            for (int step = 0; step < 500; step++) {
                now += random.nextInt(4) == 0 ? random.nextInt(1_500) : 0;
                long oldest = (now / 1_000 - 9) * 1_000;
                if (random.nextBoolean()) {
                    random20.entered(now);
                    requests.add(now);
                } else {
                    long offered = requests.stream().filter(at -> at >= oldest).count();
                    long made = retries.stream().filter(at -> at >= oldest).count();
                    boolean taken = random20.tryTake(now, PERMITS);
                    assertThat(taken).as("seed %d step %d", seed, step).isEqualTo(made + 1 <= 3 + 0.2 * offered);
                    if (taken) {
                        random20.release();
                        retries.add(now);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"-0.1, 3, 10000", "1.1, 3, 10000", "NaN, 3, 10000", "0.2, -1, 10000", "0.2, 3, 999", "0.2, 3, 60001"})
    void refusesSettingsOutOfBounds(double share, int floor, long window) {
        assertThatThrownBy(() -> new RetrySettings(share, floor, window)).isInstanceOf(IllegalArgumentException.class);
    }
}
