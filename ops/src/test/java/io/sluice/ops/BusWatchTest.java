package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class BusWatchTest {
    private static final Set<String> BOTH = Set.of("a", "b");
    private static final long LATE_MS = BusWatch.SILENT_MS_MAX + 1;

    @Test
    void waitsForAMemberThatIsNew() {
        BusWatch watch = BusWatch.NEW.of(BOTH, 1_000);

        assertThat(watch.mends(1_000 + BusWatch.SILENT_MS_MAX)).isFalse();
        assertThat(watch.mends(1_000 + LATE_MS)).isTrue();
    }

    @Test
    void isContentWhileEveryMemberIsHeard() {
        BusWatch watch = BusWatch.NEW.of(BOTH, 0);
        for (long nowMs = 0; nowMs < 60_000; nowMs += 1_000) {
            watch = watch.heard("a", nowMs).heard("b", nowMs).of(BOTH, nowMs);
            assertThat(watch.mends(nowMs)).isFalse();
        }
    }

    @Test
    void namesWhoIsSilent() {
        BusWatch watch = BusWatch.NEW.of(BOTH, 0).heard("a", LATE_MS);

        assertThat(watch.silent(LATE_MS)).containsExactly("b");
    }

    @Test
    void doesNotWaitForWhoIsNoMemberAnyMore() {
        BusWatch watch = BusWatch.NEW.of(BOTH, 0).of(Set.of("a"), 1_000).heard("a", LATE_MS);

        assertThat(watch.silent(LATE_MS)).isEmpty();
    }

    @Test
    void startsToWaitAnewForAMemberThatComesBack() {
        BusWatch watch =
                BusWatch.NEW.of(BOTH, 0).of(Set.of("a"), 1_000).of(BOTH, 20_000).heard("a", 20_000);

        assertThat(watch.silent(20_000)).isEmpty();
        assertThat(watch.silent(20_000 + LATE_MS)).contains("b");
    }

    @Test
    void waitsForAllAnewAfterItStalledItself() {
        long awakeMs = 60_000;
        BusWatch watch = looking(BusWatch.NEW.of(BOTH, 0), 1_000, 5_000).of(BOTH, awakeMs);
        assertThat(watch.silent(awakeMs)).isEmpty();
        assertThat(watch.mends(awakeMs)).isFalse();

        watch = looking(watch.heard("a", awakeMs + 3_000), awakeMs + 1_000, awakeMs + 5_000);
        assertThat(watch.silent(awakeMs + 5_000)).containsExactly("b");
        assertThat(watch.mends(awakeMs + 5_000)).isTrue();
    }

    @Test
    void whatOthersSaidWhileItStalledIsNoReasonToMend() {
        long awakeMs = 60_000;
        BusWatch watch = looking(BusWatch.NEW.of(BOTH, 0), 1_000, 5_000)
                .of(BOTH, awakeMs)
                .unheardBy("b", awakeMs + 10);
        assertThat(watch.mends(awakeMs + 1_000)).isFalse();

        watch = watch.unheardBy("b", awakeMs + BusWatch.MEND_MS_MIN);
        assertThat(watch.mends(awakeMs + BusWatch.MEND_MS_MIN)).isTrue();
    }

    @Test
    void aLookThatIsALittleLateExcusesNobody() {
        BusWatch watch = BusWatch.NEW.of(BOTH, 0);
        for (long nowMs = BusWatch.LATE_MS_MAX; nowMs <= 3 * BusWatch.LATE_MS_MAX; nowMs += BusWatch.LATE_MS_MAX) {
            watch = watch.heard("a", nowMs).of(BOTH, nowMs);
        }
        assertThat(watch.silent(3 * BusWatch.LATE_MS_MAX)).containsExactly("b");
    }

    /** Once a second, the last at {@code lastMs}. */
    private static BusWatch looking(BusWatch watch, long firstMs, long lastMs) {
        BusWatch looked = watch;
        for (long nowMs = firstMs; nowMs <= lastMs; nowMs += 1_000) {
            looked = looked.of(BOTH, nowMs);
        }
        return looked;
    }

    @Test
    void mendsAlsoWhereItHearsAllButIsNotHeard() {
        BusWatch watch = BusWatch.NEW.of(BOTH, 0).heard("a", LATE_MS).heard("b", LATE_MS);
        assertThat(watch.mends(LATE_MS)).isFalse();

        watch = watch.unheardBy("b", LATE_MS);
        assertThat(watch.mends(LATE_MS)).isTrue();
        assertThat(watch.silent(LATE_MS)).isEmpty();
        assertThat(watch.deaf(LATE_MS)).containsExactly("b");
        long laterMs = 2 * LATE_MS;
        assertThat(watch.heard("a", laterMs).heard("b", laterMs).mends(laterMs)).isFalse();
        assertThat(watch.of(Set.of("a"), LATE_MS).mends(LATE_MS)).isFalse();
    }

    @Test
    void givesWhatWasMadeAnewTimeToShow() {
        BusWatch watch = BusWatch.NEW.of(BOTH, 0).mended(LATE_MS);

        assertThat(watch.mends(LATE_MS + 1_000)).isFalse();
        assertThat(watch.mends(LATE_MS + BusWatch.MEND_MS_MIN)).isTrue();
    }
}
