package io.sluice.data.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimerWheelTest {
    private final TimerWheel wheel = new TimerWheel();
    private final List<String> ran = new ArrayList<>();

    /** A timer as it should be. */
    private static final class Expected {
        final long dueMs;
        TimerWheel.Timer timer;
        boolean cancelled;
        long ranAtMs = -1;

        Expected(long dueMs) {
            this.dueMs = dueMs;
        }
    }

    @Test
    void eachTimerRunsOnceInTimeUnlessItIsCancelled() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            TimerWheel turning = new TimerWheel();
            List<Expected> all = new ArrayList<>();
            long[] nowMs = {random.nextInt(100_000)};
            long stepMax = random.nextInt(10) == 0 ? 20_000 : 50;
            turning.advance(nowMs[0]);
            for (int step = 0; step < 400; step++) {
                for (int i = random.nextInt(4); i > 0; i--) {
                    Expected timer = new Expected(nowMs[0] + random.nextInt(random.nextBoolean() ? 100 : 30_000));
                    timer.timer = turning.set(nowMs[0], timer.dueMs - nowMs[0], () -> {
                        assertThat(timer.ranAtMs).as("seed").isEqualTo(-1);
                        timer.ranAtMs = nowMs[0];
                    });
                    all.add(timer);
                }
                if (!all.isEmpty() && random.nextInt(3) == 0) {
                    Expected one = all.get(random.nextInt(all.size()));
                    one.cancelled |= one.ranAtMs < 0;
                    one.timer.cancel();
                }
                long before = nowMs[0];
                nowMs[0] += random.nextLong(stepMax + 1);
                turning.advance(nowMs[0]);
                for (Expected timer : all) {
                    boolean mustHaveRun = !timer.cancelled && timer.dueMs + TimerWheel.TICK_MS <= before;
                    boolean mayHaveRun = !timer.cancelled && timer.dueMs <= nowMs[0];
                    boolean hasRun = timer.ranAtMs >= 0;
                    assertThat(hasRun)
                            .as("seed " + seed + ", due " + timer.dueMs + ", now " + nowMs[0])
                            .isEqualTo(hasRun ? mayHaveRun : mustHaveRun);
                }
            }
            long waiting = all.stream()
                    .filter(each -> !each.cancelled && each.ranAtMs < 0)
                    .count();
            assertThat(turning.size()).as("seed " + seed).isEqualTo((int) waiting);
        }
    }

    @Test
    void whatATimerSetsAnewWaitsForTheNextLookHoweverLateThisOneIs() {
        wheel.set(0, 10, () -> {
            ran.add("first");
            wheel.set(15_000, 1, () -> ran.add("second"));
        });
        wheel.advance(15_000);
        assertThat(ran).containsExactly("first");
        wheel.advance(15_010);
        assertThat(ran).containsExactly("first", "second");
    }

    @Test
    void aTimerMayCancelOthersThatAreDueWithIt() {
        TimerWheel.Timer[] other = new TimerWheel.Timer[2];
        other[0] = wheel.set(0, 10, () -> {
            ran.add("a");
            other[1].cancel();
        });
        other[1] = wheel.set(0, 10, () -> {
            ran.add("b");
            other[0].cancel();
        });
        wheel.advance(10);
        assertThat(ran).hasSize(1);
        assertThat(wheel.size()).isZero();
    }

    @Test
    void oneThatThrowsKeepsNoOtherFromItsTime() {
        wheel.set(0, 10, () -> ran.add("before"));
        wheel.set(0, 10, () -> {
            throw new IllegalStateException("a bug");
        });
        wheel.set(0, 10, () -> ran.add("after"));
        wheel.set(0, 20, () -> ran.add("next tick"));

        assertThatThrownBy(() -> wheel.advance(20)).hasMessage("a bug");
        assertThat(ran).containsExactlyInAnyOrder("before", "after", "next tick");
    }
}
