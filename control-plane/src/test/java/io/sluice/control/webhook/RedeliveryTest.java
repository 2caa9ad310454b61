package io.sluice.control.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RedeliveryTest {
    private static final Instant EVENT = Instant.parse("2026-11-30T12:00:00Z");

    @Test
    void theWaitDoublesUpToAnHour() {
        assertThat(Redelivery.next(EVENT, 1, EVENT)).contains(EVENT.plusSeconds(2));
        assertThat(Redelivery.next(EVENT, 2, EVENT)).contains(EVENT.plusSeconds(4));
        assertThat(Redelivery.next(EVENT, 11, EVENT)).contains(EVENT.plusSeconds(2_048));
        assertThat(Redelivery.next(EVENT, 12, EVENT)).contains(EVENT.plusSeconds(3_600));
        assertThat(Redelivery.next(EVENT, Integer.MAX_VALUE, EVENT)).contains(EVENT.plusSeconds(3_600));
    }

    @Test
    void afterADayItIsGivenUp() {
        Instant now = EVENT;
        int attempts = 1;
        for (Optional<Instant> next = Redelivery.next(EVENT, attempts, now);
                next.isPresent();
                next = Redelivery.next(EVENT, ++attempts, now)) {
            now = next.get();
        }
        assertThat(Duration.between(EVENT, now)).isBetween(Duration.ofHours(23), Duration.ofHours(24));
        assertThat(attempts).isBetween(30, 40);
    }
}
