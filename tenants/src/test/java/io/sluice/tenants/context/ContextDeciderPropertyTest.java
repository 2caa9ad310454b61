package io.sluice.tenants.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContextDeciderPropertyTest {
    /** Whatever the turns are: no limit is passed, the beginning never moves back, and no cut is larger than its step asks for. */
    @Test
    void aGrowingConversationIsHeldToItsLimitsAndItsBeginningOnlyMovesOn() {
        Seeds.check(2_000, random -> {
            int turnsMax = random.nextInt(15);
            long bytesMax = random.nextInt(3) == 0 ? 0 : random.nextInt(300, 2_000);
            long fixed = random.nextInt(200);
            long longest = random.nextInt(2, 100);
            List<Long> turns = new ArrayList<>();
            int from = 0;
            int moves = 0;
            for (int n = 0; n < 80; n++) {
                turns.add(random.nextLong(1, longest));
                ContextInput input = new ContextInput(turnsMax, bytesMax, fixed + sum(turns, 0), turns);
                ContextCut cut = ContextDecider.decide(input);
                long kept = sum(turns, cut.keptFrom());

                assertThat(cut.fits()).isTrue();
                assertThat(cut.keptFrom()).isBetween(from, turns.size() - 1);
                assertThat(turnsMax == 0 || turns.size() - cut.keptFrom() <= turnsMax)
                        .isTrue();
                assertThat(bytesMax == 0 || fixed + kept <= bytesMax).isTrue();

                moves += cut.keptFrom() > from ? 1 : 0;
                from = cut.keptFrom();
            }
            int byCount = turnsMax == 0 ? 0 : 80 / Math.max(1, turnsMax / 2);
            long bySize = bytesMax == 0 ? 0 : 2 * (sum(turns, 0) * 4 / (bytesMax - fixed) + 1);
            assertThat((long) moves).isLessThanOrEqualTo(byCount + bySize);
        });
    }

    private static long sum(List<Long> turns, int from) {
        return turns.subList(from, turns.size()).stream()
                .mapToLong(each -> each)
                .sum();
    }
}
