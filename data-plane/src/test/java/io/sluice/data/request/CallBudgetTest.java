package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.upstream.CallTimes;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.routing.CompiledRung;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Requirements A5 and A6: what one attempt may take of the time that is left. */
class CallBudgetTest {
    private static final ScenarioSettings.Parsed SETTINGS = new ScenarioSettings.Parsed(
            4,
            Duration.ofSeconds(10),
            Duration.ofSeconds(5),
            Duration.ofSeconds(4),
            Duration.ofMinutes(2),
            Duration.ofSeconds(30),
            Duration.ZERO,
            Lane.REALTIME,
            Duration.ofSeconds(60));

    private static CallTimes times(long remainingMs, boolean more, long rungMs, int prompt, int max) {
        return CallBudget.times(SETTINGS, remainingMs, more, false, rung(rungMs, 200), prompt, max);
    }

    private static CallTimes retry(long remainingMs, long rungMs, long minRemainingMs) {
        return CallBudget.times(SETTINGS, remainingMs, false, true, rung(rungMs, minRemainingMs), 1_000, 100);
    }

    private static CompiledRung.Pool rung(long timeoutMs, long minRemainingMs) {
        return new CompiledRung.Pool("rung", null, timeoutMs, minRemainingMs);
    }

    @Test
    void aRetryGetsHalfOfTheTime() {
        assertThat(retry(60_000, 3_000, 200).totalMs()).isEqualTo(1_500);
        assertThat(retry(60_000, 0, 200).totalMs()).isEqualTo(5_000);
        assertThat(retry(60_000, 0, 200).firstTokenMs()).isEqualTo(2_000);
        assertThat(retry(60_000, 0, 200).streamTotalMs())
                .as("a stream that has begun is no retry any more")
                .isEqualTo(120_000);
    }

    @Test
    void aRetryIsNeverGivenLessThanTheRungNeedsNorMoreThanAFirstAttempt() {
        assertThat(retry(60_000, 3_000, 2_500).totalMs()).isEqualTo(2_500);
        assertThat(retry(60_000, 0, 2_500).firstTokenMs()).isEqualTo(2_500);
        assertThat(retry(60_000, 3_000, 9_000).totalMs()).isEqualTo(3_000);
        assertThat(retry(700, 3_000, 200).totalMs()).isEqualTo(700);
    }

    @Test
    void keepsHalfOfTheDeadlineForThoseWhoComeAfter() {
        assertThat(times(10_000, true, 0, 100, 1_000).totalMs()).isEqualTo(5_000);
        assertThat(times(10_000, false, 0, 100, 1_000).totalMs()).isEqualTo(10_000);
    }

    @Test
    void sharesAShortRestInHalves() {
        assertThat(times(600, true, 0, 100, 1_000).totalMs()).isEqualTo(300);
    }

    @Test
    void followsFromTokenCounts() {
        assertThat(times(60_000, false, 0, 1_000, 100).totalMs()).isEqualTo(10_000);
        assertThat(times(60_000, false, 0, 10, 1).totalMs()).isEqualTo(3_000);
        assertThat(times(600_000, false, 0, 0, 0).totalMs()).isEqualTo(80_000);
    }

    @Test
    void theRungsOwnTimeoutGoesFirst() {
        assertThat(times(60_000, false, 700, 1_000, 1_000).totalMs()).isEqualTo(700);
        assertThat(times(500, false, 700, 1_000, 1_000).totalMs()).isEqualTo(500);
    }

    @Test
    void theFirstTokenIsNeverWaitedForBeyondTheDeadline() {
        assertThat(times(10_000, false, 0, 10, 10).firstTokenMs()).isEqualTo(4_000);
        assertThat(times(1_000, false, 0, 10, 10).firstTokenMs()).isEqualTo(1_000);
    }

    @Test
    void neverExceedsWhatIsLeftAndNeverIsZero() {
        Random random = new Random(3);
        for (int i = 0; i < 10_000; i++) {
            long left = random.nextInt(20_000) - 100L;
            CallTimes times = times(
                    left,
                    random.nextBoolean(),
                    random.nextInt(3) * 1_000L,
                    random.nextInt(100_000),
                    random.nextInt(9_000));
            assertThat(times.totalMs()).isBetween(1L, Math.max(1, left));
            assertThat(times.firstTokenMs()).isBetween(1L, Math.max(1, left));
        }
    }
}
