package io.sluice.tenants.routing;

import static io.sluice.tenants.routing.AttemptDecider.Verdict.GIVE_UP;
import static io.sluice.tenants.routing.AttemptDecider.Verdict.NEXT_RUNG;
import static io.sluice.tenants.routing.AttemptDecider.Verdict.NEXT_TARGET;
import static io.sluice.tenants.routing.AttemptDecider.Verdict.SAME_TARGET;
import static io.sluice.tenants.routing.AttemptDecider.Verdict.TELL_INCOMPLETE;
import static io.sluice.tenants.routing.AttemptDecider.Verdict.TEXT_RUNG;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.routing.AttemptDecider.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AttemptDeciderTest {
    /** A first failure with everything still possible: another target, a repeat, a pool and a text below. */
    private static final Given OPEN =
            new Given(FailureClass.NETWORK, false, 1, 4, 0, 5_000, 100, 200, true, 300, true, true, true, true);

    @ParameterizedTest
    @EnumSource(FailureClass.class)
    void rule1AnAnswerThatHadBegunIsNeverRepeated(FailureClass failure) {
        assertThat(OPEN.failure(failure).committed(true).verdict()).isEqualTo(TELL_INCOMPLETE);
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            names = {"CONTENT_FILTER", "BAD_REQUEST", "CANCELLED"})
    void rule2NoOtherTargetHelpsSoNotEvenTheTextAnswers(FailureClass failure) {
        assertThat(OPEN.failure(failure).verdict()).isEqualTo(GIVE_UP);
    }

    @ParameterizedTest
    @EnumSource(FailureClass.class)
    void rule3WhatMayHaveHadAnEffectIsNotSentAgain(FailureClass failure) {
        assertThat(OPEN.failure(failure).repeatable(false).verdict()).isEqualTo(GIVE_UP);
    }

    @ParameterizedTest
    @EnumSource(
            value = FailureClass.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"CONTENT_FILTER", "BAD_REQUEST", "CANCELLED"})
    void rule4AnotherTargetComesBeforeARepeat(FailureClass failure) {
        assertThat(OPEN.failure(failure).verdict()).isEqualTo(NEXT_TARGET);
    }

    @Test
    void rule4NeedsTheRungsLeastTimeAndNotAMillisecondMore() {
        assertThat(OPEN.hereMin(5_000).verdict()).isEqualTo(NEXT_TARGET);
        assertThat(OPEN.hereMin(5_001).verdict()).isEqualTo(NEXT_RUNG);
    }

    @Test
    void rule5TheSameTargetWhereNoOtherIsLeft() {
        assertThat(OPEN.nextHere(false).verdict()).isEqualTo(SAME_TARGET);
    }

    @ParameterizedTest
    @EnumSource(FailureClass.class)
    void rule5RepeatsOnlyAsOftenAsTheClassAllows(FailureClass failure) {
        Given alone = OPEN.failure(failure).nextHere(false).below(-1).text(false);
        for (int repeats = 0; repeats < 4; repeats++) {
            boolean allowed = repeats < failure.sameTargetRetriesMax();
            assertThat(alone.repeats(repeats).verdict()).isEqualTo(allowed ? SAME_TARGET : GIVE_UP);
        }
    }

    @Test
    void rule5CountsTheWaitAgainstTheDeadline() {
        assertThat(OPEN.nextHere(false).waiting(4_800).verdict()).isEqualTo(SAME_TARGET);
        assertThat(OPEN.nextHere(false).waiting(4_801).verdict()).isEqualTo(NEXT_RUNG);
    }

    @Test
    void rule4KeepsTheLastAttemptForAPoolBelowThatMayBeCalled() {
        assertThat(OPEN.used(2).verdict()).isEqualTo(NEXT_TARGET);
        assertThat(AttemptDecider.decide(OPEN.used(2).above(3))).isEqualTo(NEXT_TARGET);
        assertThat(OPEN.used(3).verdict()).isEqualTo(NEXT_RUNG);
        assertThat(OPEN.used(3).budgetBelow(false).verdict()).isEqualTo(NEXT_TARGET);
        assertThat(OPEN.used(3).below(5_001).verdict()).isEqualTo(NEXT_TARGET);
    }

    @Test
    void rule5KeepsAnAttemptForEachPoolBelowThatMayBeCalled() {
        Given last = OPEN.nextHere(false);
        assertThat(AttemptDecider.decide(last.above(2))).isEqualTo(SAME_TARGET);
        assertThat(AttemptDecider.decide(last.above(3))).isEqualTo(NEXT_RUNG);
        assertThat(AttemptDecider.decide(last.used(2).above(1))).isEqualTo(SAME_TARGET);
        assertThat(AttemptDecider.decide(last.used(2).above(2))).isEqualTo(NEXT_RUNG);
        assertThat(AttemptDecider.decide(last.used(2).budgetBelow(false).above(2)))
                .isEqualTo(SAME_TARGET);
        assertThat(AttemptDecider.decide(last.used(2).below(5_001).above(2))).isEqualTo(SAME_TARGET);
    }

    @Test
    void rule6ThePoolBelowWhereThisRungIsDone() {
        assertThat(OPEN.nextHere(false).repeats(2).verdict()).isEqualTo(NEXT_RUNG);
    }

    @Test
    void rule6NeedsTheLowerRungsLeastTime() {
        Given done = OPEN.nextHere(false).repeats(2);
        assertThat(done.below(5_000).verdict()).isEqualTo(NEXT_RUNG);
        assertThat(done.below(5_001).verdict()).isEqualTo(TEXT_RUNG);
        assertThat(done.below(0).remaining(0).verdict()).isEqualTo(NEXT_RUNG);
    }

    @Test
    void rule7TheTextNeedsNeitherAttemptsNorTime() {
        assertThat(OPEN.used(4).verdict()).isEqualTo(TEXT_RUNG);
        assertThat(OPEN.remaining(0).verdict()).isEqualTo(TEXT_RUNG);
        assertThat(OPEN.remaining(-50).used(9).below(-1).verdict()).isEqualTo(TEXT_RUNG);
    }

    @Test
    void rule8GivesUpWhereNothingIsLeft() {
        assertThat(OPEN.used(4).text(false).verdict()).isEqualTo(GIVE_UP);
        assertThat(OPEN.remaining(100).text(false).verdict()).isEqualTo(GIVE_UP);
        assertThat(OPEN.nextHere(false).repeats(2).below(-1).text(false).verdict())
                .isEqualTo(GIVE_UP);
    }

    @Test
    void rules4And5NeedThisPoolsRetryBudget() {
        assertThat(OPEN.budgetHere(false).verdict()).isEqualTo(NEXT_RUNG);
        assertThat(OPEN.budgetHere(false).below(-1).verdict()).isEqualTo(TEXT_RUNG);
        assertThat(OPEN.budgetHere(false).nextHere(false).below(-1).text(false).verdict())
                .isEqualTo(GIVE_UP);
    }

    @Test
    void rule6NeedsTheRetryBudgetOfThePoolBelow() {
        Given done = OPEN.nextHere(false).repeats(2);
        assertThat(done.budgetHere(false).verdict()).isEqualTo(NEXT_RUNG);
        assertThat(done.budgetBelow(false).verdict()).isEqualTo(TEXT_RUNG);
        assertThat(done.budgetBelow(false).text(false).verdict()).isEqualTo(GIVE_UP);
        assertThat(OPEN.budgetBelow(false).verdict())
                .as("this pool's own is there")
                .isEqualTo(NEXT_TARGET);
    }

    @Test
    void theRetryBudgetIsNamedOnlyWhereItMadeTheDifference() {
        Given spent = OPEN.budgetHere(false).budgetBelow(false);
        assertThat(OPEN.input().stoppedByRetryBudget()).isFalse();
        assertThat(spent.input().stoppedByRetryBudget()).isTrue();
        assertThat(spent.used(4).input().stoppedByRetryBudget()).isFalse();
        assertThat(spent.repeatable(false).input().stoppedByRetryBudget()).isFalse();
        assertThat(spent.remaining(0).input().stoppedByRetryBudget()).isFalse();
    }

    /** The whole table: what follows each class in each situation, as a reader of requirement A1 would write it. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            # class            , committed      , effect , open       , lastHere   , spentHere, spentBoth, usedUp   , noTime   , alone
            NETWORK            , TELL_INCOMPLETE, GIVE_UP, NEXT_TARGET, SAME_TARGET, NEXT_RUNG, TEXT_RUNG, TEXT_RUNG, TEXT_RUNG, GIVE_UP
            UPSTREAM_INTERNAL  , TELL_INCOMPLETE, GIVE_UP, NEXT_TARGET, SAME_TARGET, NEXT_RUNG, TEXT_RUNG, TEXT_RUNG, TEXT_RUNG, GIVE_UP
            OUT_OF_MEMORY      , TELL_INCOMPLETE, GIVE_UP, NEXT_TARGET, NEXT_RUNG  , NEXT_RUNG, TEXT_RUNG, TEXT_RUNG, TEXT_RUNG, GIVE_UP
            RATE_LIMITED       , TELL_INCOMPLETE, GIVE_UP, NEXT_TARGET, NEXT_RUNG  , NEXT_RUNG, TEXT_RUNG, TEXT_RUNG, TEXT_RUNG, GIVE_UP
            QUOTA_EXHAUSTED    , TELL_INCOMPLETE, GIVE_UP, NEXT_TARGET, NEXT_RUNG  , NEXT_RUNG, TEXT_RUNG, TEXT_RUNG, TEXT_RUNG, GIVE_UP
            CONTEXT_LENGTH     , TELL_INCOMPLETE, GIVE_UP, NEXT_TARGET, NEXT_RUNG  , NEXT_RUNG, TEXT_RUNG, TEXT_RUNG, TEXT_RUNG, GIVE_UP
            CONTENT_FILTER     , TELL_INCOMPLETE, GIVE_UP, GIVE_UP    , GIVE_UP    , GIVE_UP  , GIVE_UP  , GIVE_UP  , GIVE_UP  , GIVE_UP
            BAD_REQUEST        , TELL_INCOMPLETE, GIVE_UP, GIVE_UP    , GIVE_UP    , GIVE_UP  , GIVE_UP  , GIVE_UP  , GIVE_UP  , GIVE_UP
            AUTH               , TELL_INCOMPLETE, GIVE_UP, NEXT_TARGET, NEXT_RUNG  , NEXT_RUNG, TEXT_RUNG, TEXT_RUNG, TEXT_RUNG, GIVE_UP
            OVERLOADED         , TELL_INCOMPLETE, GIVE_UP, NEXT_TARGET, NEXT_RUNG  , NEXT_RUNG, TEXT_RUNG, TEXT_RUNG, TEXT_RUNG, GIVE_UP
            TIMEOUT_FIRST_TOKEN, TELL_INCOMPLETE, GIVE_UP, NEXT_TARGET, NEXT_RUNG  , NEXT_RUNG, TEXT_RUNG, TEXT_RUNG, TEXT_RUNG, GIVE_UP
            TIMEOUT_TOTAL      , TELL_INCOMPLETE, GIVE_UP, NEXT_TARGET, NEXT_RUNG  , NEXT_RUNG, TEXT_RUNG, TEXT_RUNG, TEXT_RUNG, GIVE_UP
            SEMANTIC           , TELL_INCOMPLETE, GIVE_UP, NEXT_TARGET, NEXT_RUNG  , NEXT_RUNG, TEXT_RUNG, TEXT_RUNG, TEXT_RUNG, GIVE_UP
            CANCELLED          , TELL_INCOMPLETE, GIVE_UP, GIVE_UP    , GIVE_UP    , GIVE_UP  , GIVE_UP  , GIVE_UP  , GIVE_UP  , GIVE_UP
            """)
    void everyClassInEverySituation(
            FailureClass failure,
            Verdict committed,
            Verdict effect,
            Verdict open,
            Verdict lastHere,
            Verdict spentHere,
            Verdict spentBoth,
            Verdict usedUp,
            Verdict noTime,
            Verdict alone) {
        Given given = OPEN.failure(failure);
        assertThat(given.committed(true).verdict()).isEqualTo(committed);
        assertThat(given.repeatable(false).verdict()).isEqualTo(effect);
        assertThat(given.verdict()).isEqualTo(open);
        assertThat(given.nextHere(false).verdict()).isEqualTo(lastHere);
        assertThat(given.budgetHere(false).verdict()).isEqualTo(spentHere);
        assertThat(given.budgetHere(false).budgetBelow(false).verdict()).isEqualTo(spentBoth);
        assertThat(given.used(4).verdict()).isEqualTo(usedUp);
        assertThat(given.remaining(0).verdict()).isEqualTo(noTime);
        assertThat(given.nextHere(false).repeats(2).below(-1).text(false).verdict())
                .isEqualTo(alone);
    }

    @Test
    void noAttemptBeyondTheBudgetWhateverElseIsLeft() {
        assertThat(OPEN.used(3).verdict()).isEqualTo(NEXT_RUNG);
        assertThat(OPEN.used(3).below(-1).verdict()).isEqualTo(NEXT_TARGET);
        assertThat(OPEN.used(4).verdict()).isNotIn(NEXT_TARGET, SAME_TARGET, NEXT_RUNG);
        assertThat(OPEN.used(5).verdict()).isNotIn(NEXT_TARGET, SAME_TARGET, NEXT_RUNG);
    }

    private record Given(
            FailureClass failure,
            boolean committed,
            int used,
            int max,
            int repeats,
            long remaining,
            long waiting,
            long hereMin,
            boolean nextHere,
            long below,
            boolean text,
            boolean repeatable,
            boolean budgetHere,
            boolean budgetBelow) {
        AttemptDecider.Input input() {
            return above(1);
        }

        /** With so many pools below that may be called. */
        AttemptDecider.Input above(int poolsBelow) {
            return new AttemptDecider.Input(
                    failure,
                    committed,
                    used,
                    max,
                    repeats,
                    remaining,
                    waiting,
                    hereMin,
                    nextHere,
                    below,
                    below < 0 ? 0 : poolsBelow,
                    text,
                    repeatable,
                    budgetHere,
                    budgetBelow);
        }

        AttemptDecider.Verdict verdict() {
            return AttemptDecider.decide(input());
        }

        Given failure(FailureClass other) {
            return new Given(
                    other,
                    committed,
                    used,
                    max,
                    repeats,
                    remaining,
                    waiting,
                    hereMin,
                    nextHere,
                    below,
                    text,
                    repeatable,
                    budgetHere,
                    budgetBelow);
        }

        Given committed(boolean other) {
            return new Given(
                    failure,
                    other,
                    used,
                    max,
                    repeats,
                    remaining,
                    waiting,
                    hereMin,
                    nextHere,
                    below,
                    text,
                    repeatable,
                    budgetHere,
                    budgetBelow);
        }

        Given used(int other) {
            return new Given(
                    failure,
                    committed,
                    other,
                    max,
                    repeats,
                    remaining,
                    waiting,
                    hereMin,
                    nextHere,
                    below,
                    text,
                    repeatable,
                    budgetHere,
                    budgetBelow);
        }

        Given repeats(int other) {
            return new Given(
                    failure,
                    committed,
                    used,
                    max,
                    other,
                    remaining,
                    waiting,
                    hereMin,
                    nextHere,
                    below,
                    text,
                    repeatable,
                    budgetHere,
                    budgetBelow);
        }

        Given remaining(long other) {
            return new Given(
                    failure,
                    committed,
                    used,
                    max,
                    repeats,
                    other,
                    waiting,
                    hereMin,
                    nextHere,
                    below,
                    text,
                    repeatable,
                    budgetHere,
                    budgetBelow);
        }

        Given waiting(long other) {
            return new Given(
                    failure,
                    committed,
                    used,
                    max,
                    repeats,
                    remaining,
                    other,
                    hereMin,
                    nextHere,
                    below,
                    text,
                    repeatable,
                    budgetHere,
                    budgetBelow);
        }

        Given hereMin(long other) {
            return new Given(
                    failure,
                    committed,
                    used,
                    max,
                    repeats,
                    remaining,
                    waiting,
                    other,
                    nextHere,
                    below,
                    text,
                    repeatable,
                    budgetHere,
                    budgetBelow);
        }

        Given nextHere(boolean other) {
            return new Given(
                    failure,
                    committed,
                    used,
                    max,
                    repeats,
                    remaining,
                    waiting,
                    hereMin,
                    other,
                    below,
                    text,
                    repeatable,
                    budgetHere,
                    budgetBelow);
        }

        Given below(long other) {
            return new Given(
                    failure,
                    committed,
                    used,
                    max,
                    repeats,
                    remaining,
                    waiting,
                    hereMin,
                    nextHere,
                    other,
                    text,
                    repeatable,
                    budgetHere,
                    budgetBelow);
        }

        Given text(boolean other) {
            return new Given(
                    failure,
                    committed,
                    used,
                    max,
                    repeats,
                    remaining,
                    waiting,
                    hereMin,
                    nextHere,
                    below,
                    other,
                    repeatable,
                    budgetHere,
                    budgetBelow);
        }

        Given repeatable(boolean other) {
            return new Given(
                    failure,
                    committed,
                    used,
                    max,
                    repeats,
                    remaining,
                    waiting,
                    hereMin,
                    nextHere,
                    below,
                    text,
                    other,
                    budgetHere,
                    budgetBelow);
        }

        Given budgetHere(boolean other) {
            return new Given(
                    failure,
                    committed,
                    used,
                    max,
                    repeats,
                    remaining,
                    waiting,
                    hereMin,
                    nextHere,
                    below,
                    text,
                    repeatable,
                    other,
                    budgetBelow);
        }

        Given budgetBelow(boolean other) {
            return new Given(
                    failure,
                    committed,
                    used,
                    max,
                    repeats,
                    remaining,
                    waiting,
                    hereMin,
                    nextHere,
                    below,
                    text,
                    repeatable,
                    budgetHere,
                    other);
        }
    }
}
