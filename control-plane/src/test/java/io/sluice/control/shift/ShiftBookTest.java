package io.sluice.control.shift;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.shift.ScenarioShift;
import io.sluice.tenants.shift.ShiftPhase;
import io.sluice.tenants.shift.ShiftState;
import io.sluice.tenants.shift.Trouble;
import org.junit.jupiter.api.Test;

/** A scenario's calls over simulated time, second by second. */
class ShiftBookTest {
    private final ShiftWorld world = new ShiftWorld(ShiftSettings.DEFAULT);

    private void warm() {
        world.pass(240);
        assertThat(world.standing().baselineP95Ms()).isPositive();
        assertThat(world.state().phase()).isEqualTo(ShiftPhase.OFF);
    }

    private void until(ShiftPhase phase) {
        for (int i = 0; world.state().phase() != phase; i++) {
            assertThat(i).as("seconds until " + phase + ": " + world.state()).isLessThan(3_600);
            world.pass(1);
        }
    }

    @Test
    void aFirstRungThatIsSlowAndFailsLosesItsTrafficAndGetsItBackWhenItIsWell() {
        warm();
        world.primary = new ShiftWorld.Behaviour(3_000, 0.2);
        long since = world.now;
        until(ShiftPhase.SHIFTING);
        assertThat(world.now - since).isBetween(75_000L, 95_000L);
        assertThat(world.state().troubles()).containsExactly(Trouble.LATENCY, Trouble.ERRORS);
        until(ShiftPhase.HOLDING);

        world.primary = ShiftWorld.Behaviour.WELL;
        until(ShiftPhase.RETURNING);
        until(ShiftPhase.RESTING);
        assertThat(world.state().reason()).isEqualTo("the first rung is well again");
        until(ShiftPhase.OFF);
    }

    @Test
    void aSlowFirstRungAloneIsSlowedButNotShifted() {
        warm();
        world.primary = new ShiftWorld.Behaviour(3_000, 0);
        world.pass(120);
        assertThat(world.standing().troubles()).containsExactly(Trouble.LATENCY);
        assertThat(world.state().phase()).isEqualTo(ShiftPhase.OFF);
        assertThat(world.state().weight(ShiftWorld.FIRST_POOL, "p/m")).isEqualTo(0.3);
        assertThat(world.state().weight(ShiftWorld.SECOND_POOL, "p/m")).isEqualTo(1);
    }

    @Test
    void aSlowScenarioDoesNotHurtAnotherOnTheSamePool() {
        warm();
        world.primary = new ShiftWorld.Behaviour(3_000, 0.3);
        until(ShiftPhase.HOLDING);
        assertThat(world.stateOf("other").idle()).isTrue();
        assertThat(world.stateOf("other").phase()).isEqualTo(ShiftPhase.OFF);
    }

    @Test
    void aSubstituteThatTurnsBadLosesAllTrafficWithinAMinute() {
        warm();
        world.primary = new ShiftWorld.Behaviour(3_000, 0.2);
        until(ShiftPhase.SHIFTING);
        world.pass(100);
        assertThat(world.state().share()).isPositive();
        world.substitute = new ShiftWorld.Behaviour(1_000, 0.5);
        world.pass(60);
        assertThat(world.state().share()).isZero();
        assertThat(world.state().reason()).startsWith("the substitute second is worse");
    }

    @Test
    void aTroubleThatOutlastsTheRestIsStillOne() {
        warm();
        world.primary = new ShiftWorld.Behaviour(3_000, 0.2);
        until(ShiftPhase.SHIFTING);
        world.substitute = new ShiftWorld.Behaviour(1_000, 0.5);
        until(ShiftPhase.RESTING);
        world.substitute = ShiftWorld.Behaviour.WELL;
        until(ShiftPhase.OFF);
        world.pass(10);
        assertThat(world.state().phase()).isEqualTo(ShiftPhase.SHIFTING);
    }

    @Test
    void aFirstRungThatStaysSlowerWithoutFailingHasANewUsualInTheEnd() {
        warm();
        world.primary = new ShiftWorld.Behaviour(3_000, 0.2);
        until(ShiftPhase.HOLDING);
        world.primary = new ShiftWorld.Behaviour(2_000, 0);
        world.substitute = new ShiftWorld.Behaviour(1_000, 0.5);
        until(ShiftPhase.OFF);
        world.pass(14 * 60);
        assertThat(world.standing().troubles()).containsExactly(Trouble.LATENCY);
        world.pass(3 * 60);
        assertThat(world.standing().troubles()).isEmpty();
    }

    @Test
    void anotherControllerGoesOnWhereTheFirstOneWasKilled() {
        warm();
        world.primary = new ShiftWorld.Behaviour(3_000, 0.2);
        until(ShiftPhase.SHIFTING);
        world.pass(40);
        ShiftState stored = world.state();
        world.replaceController(stored);
        world.pass(1);
        assertThat(world.state().share()).isEqualTo(stored.share());
        assertThat(world.state().version()).isGreaterThan(stored.version());
        assertThat(world.state().sinceMs()).isGreaterThan(stored.sinceMs());
        until(ShiftPhase.HOLDING);
    }

    @Test
    void whatAnotherControllerPublishedLaterHolds() {
        warm();
        world.primary = new ShiftWorld.Behaviour(3_000, 0.2);
        world.pass(20);
        ShiftState newer = ShiftState.fresh(world.state().version() + 10)
                .withSubstitute("second")
                .moved(ShiftPhase.SHIFTING, 2, "why", world.now);
        world.book.heard(new ScenarioShift(ShiftWorld.CHAT, newer));
        world.pass(1);
        assertThat(world.state().share()).isEqualTo(0.10);
        assertThat(world.state().version()).isGreaterThan(newer.version());
    }

    @Test
    void aScenarioThatIsNotItsOwnIsWatchedAndLeftAlone() {
        world.mine = key -> false;
        world.pass(240);
        world.primary = new ShiftWorld.Behaviour(3_000, 0.2);
        world.pass(120);
        assertThat(world.standing().troubles()).hasSize(2);
        assertThat(world.state().phase()).isEqualTo(ShiftPhase.OFF);
        assertThat(world.book.told()).isEmpty();
    }

    @Test
    void anotherSensitivityLearnsAnewWhatIsUsual() {
        warm();
        world.strict();
        world.pass(ShiftBook.TURNS);
        assertThat(world.standing().baselineP95Ms()).isZero();
    }

    @Test
    void aScenarioThatIsGoneIsToldOnceMoreAndForgotten() {
        warm();
        world.primary = new ShiftWorld.Behaviour(3_000, 0.2);
        until(ShiftPhase.SHIFTING);
        world.removeScenarios();
        world.pass(1);
        assertThat(world.changes).last().satisfies(change -> {
            assertThat(change.gone()).isTrue();
            assertThat(change.after().share()).isZero();
        });
        assertThat(world.book.told()).isEmpty();
        int before = world.changes.size();
        world.pass(1_200);
        assertThat(world.changes).hasSize(before);
    }

    @Test
    void aFirstRungOnAnotherPoolEndsAShiftOfTheOld() {
        warm();
        world.primary = new ShiftWorld.Behaviour(3_000, 0.2);
        until(ShiftPhase.HOLDING);
        world.otherFirstPool();
        world.pass(1);
        assertThat(world.state().phase()).isEqualTo(ShiftPhase.RESTING);
        assertThat(world.state().reason()).isEqualTo("the first rung was changed");
    }
}
