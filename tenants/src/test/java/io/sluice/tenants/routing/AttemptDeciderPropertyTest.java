package io.sluice.tenants.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.RandomConfig;
import io.sluice.tenants.Seeds;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.routing.AttemptDecider.Verdict;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Walks random ladders with random failures and does what the verdicts say. */
class AttemptDeciderPropertyTest {
    @Test
    void everyPathEndsWithinItsBudgets() {
        Seeds.check(50_000, random -> new Walk(random).run());
    }

    private static final class Walk {
        private final SplittableRandom random;
        private final int[] targets;
        private final boolean text;
        private final int attemptsMax;
        private final boolean reads;
        private final int retriesMax;
        private int retries;
        private int rung;
        private int target;
        private int repeats;
        private int attempts;
        private long remainingMs = 10_000;

        Walk(SplittableRandom random) {
            this.random = random;
            targets = random.ints(1 + random.nextInt(4), 1, 5).toArray();
            text = random.nextBoolean();
            attemptsMax = 1 + random.nextInt(10);
            reads = random.nextInt(4) != 0;
            retriesMax = random.nextInt(6);
        }

        void run() {
            for (int steps = 0; ; steps++) {
                assertThat(steps).as("steps of a walk that should end").isLessThan(attemptsMax);
                attempts++;
                assertThat(attempts).isLessThanOrEqualTo(attemptsMax);
                if (random.nextInt(20) == 0) {
                    return; // the attempt succeeded
                }
                remainingMs -= random.nextInt(3_000);
                FailureClass failure = new RandomConfig(random).oneOf(FailureClass.values());
                if (!follow(failure, random.nextInt(30) == 0)) {
                    return;
                }
            }
        }

        /** Whether another attempt follows. */
        private boolean follow(FailureClass failure, boolean committed) {
            long waitMs = random.nextInt(1_000);
            boolean repeatable = reads || random.nextInt(10) == 0; // now and then nothing was sent
            boolean budgetHere = retries < retriesMax;
            boolean budgetBelow = random.nextInt(10) != 0;
            boolean nextHere = target + 1 < targets[rung];
            long below = rung + 1 < targets.length ? 200 : -1;
            Verdict verdict = AttemptDecider.decide(new AttemptDecider.Input(
                    failure,
                    committed,
                    attempts,
                    attemptsMax,
                    repeats,
                    remainingMs,
                    waitMs,
                    200,
                    nextHere,
                    below,
                    targets.length - 1 - rung,
                    text,
                    repeatable,
                    budgetHere,
                    budgetBelow));
            switch (verdict) {
                case NEXT_TARGET -> {
                    assertThat(nextHere).isTrue();
                    retries++;
                    target++;
                    repeats = 0;
                }
                case SAME_TARGET -> {
                    assertThat(below < 0
                                    || !budgetBelow
                                    || remainingMs < below
                                    || attemptsMax - attempts > targets.length - 1 - rung)
                            .as("an attempt is left for each pool below")
                            .isTrue();
                    repeats++;
                    retries++;
                    remainingMs -= waitMs;
                    assertThat(repeats).isLessThanOrEqualTo(failure.sameTargetRetriesMax());
                }
                case NEXT_RUNG -> {
                    assertThat(below).isNotNegative();
                    assertThat(budgetBelow).isTrue();
                    rung++;
                    target = 0;
                    repeats = 0;
                }
                case TEXT_RUNG -> assertThat(text).isTrue();
                case TELL_INCOMPLETE -> assertThat(committed).isTrue();
                case GIVE_UP -> assertThat(committed).isFalse();
            }
            boolean another =
                    verdict == Verdict.NEXT_TARGET || verdict == Verdict.SAME_TARGET || verdict == Verdict.NEXT_RUNG;
            assertThat(!another || repeatable)
                    .as("nothing has its effect twice")
                    .isTrue();
            assertThat(retries).as("retries").isLessThanOrEqualTo(retriesMax);
            assertThat(!another || remainingMs >= 200)
                    .as("time for one more attempt")
                    .isTrue();
            return another;
        }
    }
}
