package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ToldTest {
    private static final Instant MIDNIGHT = Instant.parse("2026-11-30T00:00:00Z");
    private static final int MANY = 10_000;

    private static int changes(int hash, Instant from, int seconds) {
        int changes = 0;
        for (int second = 1; second <= seconds; second++) {
            Instant now = from.plusSeconds(second);
            changes += Told.turn(hash, now) != Told.turn(hash, now.minusSeconds(1)) ? 1 : 0;
        }
        return changes;
    }

    @Test
    void itIsTimeOnceInTenMinutesAndAtTheBeginOfADay() {
        for (int hash : new int[] {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 4711}) {
            assertThat(changes(hash, MIDNIGHT.plusSeconds(3_600), 600)).isEqualTo(1);
            assertThat(Told.turn(hash, MIDNIGHT)).isNotEqualTo(Told.turn(hash, MIDNIGHT.minusSeconds(1)));
        }
    }

    @Test
    void thousandsAreNotToldOfInTheSameSecond() {
        int together = 0;
        for (int second = 3_601; second <= 4_200; second++) {
            Instant now = MIDNIGHT.plusSeconds(second);
            int told = 0;
            for (int i = 0; i < MANY; i++) {
                int hash = ("key-" + i).hashCode();
                told += Told.turn(hash, now) != Told.turn(hash, now.minusSeconds(1)) ? 1 : 0;
            }
            together = Math.max(together, told);
        }
        assertThat(together).isLessThan(5 * MANY / 600);
    }

    @Test
    void turnsOfOneDayAndThoseAroundDiffer() {
        Set<Long> turns = new HashSet<>();
        for (int tenMinutes = 0; tenMinutes < 3 * 144; tenMinutes++) {
            turns.add(Told.turn(7, MIDNIGHT.plusSeconds(600L * tenMinutes)));
        }
        assertThat(turns).hasSize(3 * 144);
    }
}
