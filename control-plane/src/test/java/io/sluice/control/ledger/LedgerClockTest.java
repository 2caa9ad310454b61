package io.sluice.control.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerClockTest {
    private Instant own = Instant.parse("2026-03-28T12:00:00Z");
    private final LedgerClock clock = new LedgerClock(() -> own);

    @Test
    void aNodeThatIsAloneGoesByItsOwnClock() {
        clock.heard(Optional.empty());
        assertThat(clock.instant()).isEqualTo(own);
    }

    @Test
    void nodesThatShareAStoreGoByItsClock() {
        Instant there = own.minusSeconds(600);
        clock.heard(Optional.of(there));
        own = own.plusSeconds(5);
        assertThat(clock.instant()).isEqualTo(there.plusSeconds(5));
    }
}
