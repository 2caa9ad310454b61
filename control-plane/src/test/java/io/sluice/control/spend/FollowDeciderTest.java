package io.sluice.control.spend;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.spend.FollowDecider.Standing;
import io.sluice.control.spend.FollowDecider.Step;
import io.sluice.control.spend.SpendLog.Logged;
import io.sluice.control.spend.SpendLog.Page;
import io.sluice.control.spend.SpendLogEntry.Began;
import java.util.List;
import org.junit.jupiter.api.Test;

class FollowDeciderTest {
    private static final Standing EMPTY = new Standing(0, "mine", false);
    private static final Standing HISTORY = new Standing(0, "mine", true);
    private static final Standing AT_5 = new Standing(5, "e5", true);

    private static Logged entry(long position, String id) {
        return new Logged(position, id, SpendLogContract.adjusted("c"));
    }

    private static Step step(Standing at, long last, String idThere, Logged... next) {
        return FollowDecider.decide(at, new Page(last, idThere, List.of(next)));
    }

    @Test
    void aCopyThatHasAllWaits() {
        assertThat(step(EMPTY, 0, null)).isEqualTo(Step.NOTHING);
        assertThat(step(AT_5, 5, "e5")).isEqualTo(Step.NOTHING);
    }

    @Test
    void whatFollowsIsApplied() {
        assertThat(step(EMPTY, 1, null, entry(1, "e1"))).isEqualTo(Step.APPLY);
        assertThat(step(AT_5, 7, "e5", entry(6, "e6"))).isEqualTo(Step.APPLY);
        assertThat(step(AT_5, 7, null, entry(6, "e6"))).isEqualTo(Step.APPLY);
    }

    @Test
    void whereEntriesAreGoneAWholeCopyIsNeeded() {
        assertThat(step(EMPTY, 3, null, entry(2, "e2"))).isEqualTo(Step.FETCH);
        assertThat(step(AT_5, 9, null, entry(8, "e8"))).isEqualTo(Step.FETCH);
        assertThat(step(AT_5, 9, null)).isEqualTo(Step.FETCH);
    }

    @Test
    void aHistoryFromBeforeTheLogIsFetchedToo() {
        assertThat(step(EMPTY, 2, null, new Logged(1, "theirs", new Began("n1"))))
                .isEqualTo(Step.FETCH);
    }

    @Test
    void theFirstHistoryBeginsTheLogAndKnowsItsOwn() {
        assertThat(step(HISTORY, 0, null)).isEqualTo(Step.BEGIN);
        assertThat(step(HISTORY, 3, null, new Logged(1, "mine", new Began("n1"))))
                .isEqualTo(Step.BEGUN);
    }

    @Test
    void aSecondHistoryIsForPeopleToChoose() {
        assertThat(step(HISTORY, 3, null, new Logged(1, "theirs", new Began("n1"))))
                .isEqualTo(Step.FOREIGN);
        assertThat(step(HISTORY, 3, null, entry(1, "e1"))).isEqualTo(Step.FOREIGN);
        assertThat(step(HISTORY, 3, null, entry(2, "e2"))).isEqualTo(Step.FOREIGN);
    }

    @Test
    void aLogThatIsShorterOrAnotherOneIsNotFollowed() {
        assertThat(step(AT_5, 4, null)).isEqualTo(Step.LOST);
        assertThat(step(AT_5, 0, null)).isEqualTo(Step.LOST);
        assertThat(step(AT_5, 5, "other")).isEqualTo(Step.LOST);
        assertThat(step(AT_5, 7, "other", entry(6, "e6"))).isEqualTo(Step.LOST);
    }
}
