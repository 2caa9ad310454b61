package io.sluice.control.shift;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.shift.ImpactDecider.Judgement;
import io.sluice.control.shift.ImpactDecider.Verdict;
import io.sluice.control.shift.ShiftInput.Candidate;
import io.sluice.tenants.shift.ShiftPhase;
import io.sluice.tenants.shift.ShiftState;
import io.sluice.tenants.shift.Trouble;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What holds of a shift whatever happens. A failure names its seed. */
class ShiftPropertyTest {
    private static final ShiftSettings SETTINGS = ShiftSettings.DEFAULT;
    private static final long HOLD = SETTINGS.hold().toMillis();

    private static void seeds(int count, Consumer<SplittableRandom> property) {
        for (long seed = 1; seed <= count; seed++) {
            try {
                property.accept(new SplittableRandom(seed));
            } catch (AssertionError broken) {
                throw new AssertionError("broken with seed " + seed + ": " + broken.getMessage(), broken);
            }
        }
    }

    private static Judgement judgement(SplittableRandom random, int worseOf) {
        int drawn = random.nextInt(worseOf);
        return new Judgement(drawn == 0 ? Verdict.WORSE : drawn == 1 ? Verdict.UNKNOWN : Verdict.GOOD, "drawn");
    }

    private static ShiftInput input(SplittableRandom random) {
        Judgement substitute = judgement(random, 50);
        List<Trouble> troubles = random.nextInt(3) == 0 ? List.of() : List.of(Trouble.LATENCY, Trouble.ERRORS);
        return new ShiftInput(
                random.nextInt(200) > 0,
                troubles,
                troubles.isEmpty() && random.nextInt(10) == 0,
                judgement(random, 100),
                1_000,
                List.of(new Candidate("second", substitute, substitute)));
    }

    private static ShiftState anyState(SplittableRandom random, long nowMs) {
        List<ShiftPhase> phases = List.of(ShiftPhase.values());
        ShiftPhase phase = phases.get(random.nextInt(phases.size()));
        int step = phase == ShiftPhase.HOLDING
                ? 5
                : phase == ShiftPhase.SHIFTING || phase == ShiftPhase.RETURNING ? random.nextInt(5) : 0;
        return new ShiftState(
                random.nextLong(1_000),
                phase,
                step,
                nowMs - random.nextLong(1_000_000),
                "second",
                List.of(Trouble.LATENCY, Trouble.ERRORS),
                "drawn",
                1_000,
                random.nextInt(8),
                Map.of());
    }

    private static Set<ShiftPhase> allowedAfter(ShiftPhase phase) {
        return switch (phase) {
            case OFF -> EnumSet.of(ShiftPhase.OFF, ShiftPhase.EVALUATING);
            case EVALUATING -> EnumSet.of(ShiftPhase.OFF, ShiftPhase.EVALUATING, ShiftPhase.SHIFTING);
            case SHIFTING -> EnumSet.of(ShiftPhase.SHIFTING, ShiftPhase.HOLDING, ShiftPhase.RESTING);
            case HOLDING -> EnumSet.of(ShiftPhase.HOLDING, ShiftPhase.RETURNING, ShiftPhase.RESTING);
            case RETURNING -> EnumSet.of(ShiftPhase.RETURNING, ShiftPhase.HOLDING, ShiftPhase.RESTING);
            case RESTING -> EnumSet.of(ShiftPhase.RESTING, ShiftPhase.OFF);
        };
    }

    /** One step up at most, and only after the hold; down at once. */
    private static void follows(ShiftState before, ShiftState after, long nowMs) {
        assertThat(after.phase()).isIn(allowedAfter(before.phase()));
        if (after.version() == before.version()) {
            assertThat(after).isSameAs(before);
            return;
        }
        assertThat(after.version()).isEqualTo(before.version() + 1);
        boolean climbs = after.phase() == ShiftPhase.SHIFTING
                || (before.phase() == ShiftPhase.SHIFTING && after.phase() == ShiftPhase.HOLDING);
        if (climbs) {
            double reached = before.share();
            double next = ShiftState.STEPS.stream()
                    .filter(share -> share > reached)
                    .findFirst()
                    .orElseThrow();
            assertThat(after.share()).isEqualTo(next);
        }
        boolean steps = before.phase() == ShiftPhase.SHIFTING || before.phase() == ShiftPhase.RETURNING;
        boolean goesOn = after.phase() == before.phase()
                || (before.phase() == ShiftPhase.SHIFTING && after.phase() == ShiftPhase.HOLDING);
        if (steps && goesOn) {
            assertThat(nowMs - before.sinceMs()).isGreaterThanOrEqualTo(HOLD);
        }
        if (after.phase() == ShiftPhase.RETURNING && before.phase() == ShiftPhase.RETURNING) {
            assertThat(after.step()).isEqualTo(before.step() + 1);
        }
    }

    @Test
    void noShareIsEverAboveItsStepAndNoStepShorterThanItsHold() {
        seeds(2_000, random -> {
            long now = 1_000_000;
            ShiftState state = random.nextBoolean() ? ShiftState.fresh(now) : anyState(random, now);
            for (int i = 0; i < 2_000; i++) {
                now += random.nextInt(1, 3_000);
                ShiftState next = ShiftDecider.decide(state, input(random), now, SETTINGS);
                follows(state, next, now);
                state = next;
            }
        });
    }

    @Test
    void anotherControllerGoesOnFromAnyStateByTheSameRules() {
        seeds(2_000, random -> {
            long now = 1_000_000;
            ShiftState stored = anyState(random, now);
            ShiftState state = stored.resumed(random.nextLong(2_000), now);
            assertThat(state.share()).isEqualTo(stored.share());
            assertThat(state.version()).isGreaterThan(stored.version());
            assertThat(state.sinceMs()).isEqualTo(now);
            for (int i = 0; i < 500; i++) {
                now += 1_000;
                ShiftState next = ShiftDecider.decide(state, input(random), now, SETTINGS);
                follows(state, next, now);
                state = next;
            }
        });
    }

    @Test
    void fromAnyStateASubstituteThatTurnsWorseHasNoTrafficAMinuteLater() {
        seeds(300, random -> {
            ShiftWorld world = new ShiftWorld(SETTINGS);
            world.callsPerSecond = random.nextInt(20, 200);
            world.pass(200);
            world.primary = new ShiftWorld.Behaviour(3_000, 0.25);
            ShiftState state = anyState(random, world.now);
            world.replaceController(state);
            world.pass(random.nextInt(1, 200));
            // Where hardly anything is shifted, a minute brings too few calls to know anything.
            if (world.callsPerSecond * world.state().share() < 0.5) {
                return;
            }
            world.substitute = random.nextBoolean()
                    ? new ShiftWorld.Behaviour(800, 1.0 / random.nextInt(1, 4))
                    : new ShiftWorld.Behaviour(random.nextInt(2_500, 60_000), 0);
            world.pass(60);
            assertThat(world.state().share()).as(world.state().toString()).isZero();
        });
    }
}
