package io.sluice.tenants.recall;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.Seeds;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.recall.IdempotencyDecider.End;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.sluice.tenants.recall.IdempotencyDecider.Input;
import io.sluice.tenants.recall.IdempotencyDecider.Standing;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The life of one name under repeats, other requests, lost answers and crashes, in any order. */
class IdempotencyPropertyTest {
    @Test
    void nothingThatWritesRunsTwiceAndEveryReplayIsTheFirstAnswer() {
        Seeds.check(2_000, random -> new Life(random).live(40));
    }

    private static final List<RequestKind> KINDS = List.of(RequestKind.values());

    /** One name, its record on disk and the request that runs for it. */
    private static final class Life {
        private final SplittableRandom random;
        private final RequestKind kind;
        private Standing onDisk = Standing.ABSENT;
        private boolean begunOnDisk;
        private boolean running;
        private int owner;
        private int answers;
        private int kept;
        private int effects;

        Life(SplittableRandom random) {
            this.random = random;
            kind = KINDS.get(random.nextInt(KINDS.size()));
        }

        void live(int steps) {
            for (int i = 0; i < steps; i++) {
                switch (random.nextInt(4)) {
                    case 0 -> crash();
                    case 1 -> end();
                    default -> request(random.nextInt(3));
                }
            }
        }

        private Standing standing() {
            return running ? Standing.RUNNING : begunOnDisk ? Standing.UNKNOWN : onDisk;
        }

        private void request(int body) {
            Standing before = standing();
            Verdict verdict = IdempotencyDecider.decide(new Input(before, body == owner, kind, random.nextBoolean()));
            if (body != owner && before != Standing.ABSENT) {
                assertThat(verdict).isEqualTo(Verdict.TELL_REUSED);
            }
            if (verdict.begins()) {
                assertThat(running).as("two at once").isFalse();
                assertThat(before).isNotIn(Standing.KEPT, Standing.TOO_LARGE);
                assertThat(effects == 0 || kind == RequestKind.READ)
                        .as("a second effect of %s", kind)
                        .isTrue();
                owner = body;
                running = true;
                begunOnDisk = true;
                effects += random.nextBoolean() ? 1 : 0;
            }
            if (verdict == Verdict.REPLAY) {
                assertThat(kept).as("the first answer that was kept").isEqualTo(1);
            }
        }

        private void end() {
            if (!running) {
                return;
            }
            boolean answered = random.nextBoolean();
            boolean standIn = answered && random.nextInt(4) == 0;
            boolean byModel = answered && !standIn;
            effects += byModel && effects == 0 ? 1 : 0;
            // An upstream that acted may look as if it had not only where it has not.
            boolean effectPossible = effects > 0 || random.nextBoolean();
            Fate fate = IdempotencyDecider.end(new End(answered, random.nextInt(4) > 0, effectPossible, kind, standIn));
            running = false;
            begunOnDisk = false;
            onDisk = switch (fate) {
                case KEEP -> Standing.KEPT;
                case KEEP_NOTE -> Standing.TOO_LARGE;
                case MARK_UNKNOWN -> Standing.UNKNOWN;
                case FREE -> Standing.ABSENT;
            };
            answers += byModel ? 1 : 0;
            assertThat(answers).as("first answers").isLessThanOrEqualTo(1);
            kept += fate == Fate.KEEP ? 1 : 0;
        }

        private void crash() {
            running = false;
        }
    }
}
