package io.sluice.tenants.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContextDeciderTest {
    private static ContextCut byCount(int turns, int turnsMax) {
        return ContextDecider.decide(new ContextInput(turnsMax, 0, turns * 10L, Collections.nCopies(turns, 10L)));
    }

    private static ContextCut bySize(long bytesMax, long fixed, Long... turns) {
        long bytes = fixed;
        for (long turn : turns) {
            bytes += turn;
        }
        return ContextDecider.decide(new ContextInput(0, bytesMax, bytes, List.of(turns)));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 0",
        "2, 1, 1",
        "9, 1, 8", // one turn
        "3, 3, 0",
        "4, 3, 1",
        "5, 3, 2", // steps of one
        "10, 10, 0",
        "11, 10, 5",
        "15, 10, 5",
        "16, 10, 10",
        "20, 10, 10",
        "21, 10, 15"
    })
    void turnsAreCutInStepsOfHalfTheLimit(int turns, int turnsMax, int dropped) {
        assertThat(byCount(turns, turnsMax)).isEqualTo(new ContextCut(true, dropped, dropped));
    }

    @Test
    void withoutALimitNothingIsCut() {
        assertThat(byCount(5_000, 0)).isEqualTo(new ContextCut(true, 0, 0));
    }

    @Test
    void aTurnThatHasToStayIsNotCounted() {
        ContextCut cut = ContextDecider.decide(new ContextInput(1, 0, 100, List.of(20L, 0L, 20L, 20L)));

        assertThat(cut).isEqualTo(new ContextCut(true, 3, 2));
    }

    @Test
    void aPromptOfJustTheSizeStays() {
        assertThat(bySize(100, 40, 30L, 30L)).isEqualTo(new ContextCut(true, 0, 0));
    }

    @Test
    void oneByteTooManyCostsAQuarterOfTheRoom() {
        assertThat(bySize(100, 0, 11L, 10L, 10L, 10L, 10L, 10L, 10L, 10L, 10L, 10L))
                .isEqualTo(new ContextCut(true, 3, 3));
    }

    @Test
    void aLongTurnStaysAsLongAsItFits() {
        assertThat(bySize(100, 0, 10L, 85L, 10L)).isEqualTo(new ContextCut(true, 1, 1));
    }

    @Test
    void theNewestTurnStaysWhereItFitsAlone() {
        assertThat(bySize(100, 40, 50L, 60L)).isEqualTo(new ContextCut(true, 1, 1));
    }

    @Test
    void aNewestTurnThatIsTooLongDoesNotFit() {
        assertThat(bySize(100, 40, 50L, 61L).fits()).isFalse();
        assertThat(bySize(100, 0, 101L).fits()).isFalse();
    }

    @Test
    void whatAlwaysStaysMayLeaveNoRoomAtAll() {
        assertThat(bySize(100, 400, 1L, 1L).fits()).isFalse();
    }

    @Test
    void aConversationHasATurn() {
        assertThatThrownBy(() -> new ContextInput(1, 0, 0, List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
