package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ops.PulseActor.Pulses;
import org.junit.jupiter.api.Test;

class PulsesTest {
    private final Pulses pulses = new Pulses(2, 0);

    @Test
    void livesWhileEveryLoopBeats() {
        pulses.beat(0, 5_000_000_000L);
        pulses.beat(1, 6_000_000_000L);

        assertThat(pulses.alive(14_000_000_000L)).isTrue();
    }

    @Test
    void isDeadOnceOneLoopIsSilentForTooLong() {
        pulses.beat(0, 10_000_000_000L);

        assertThat(pulses.alive(Pulses.SILENCE_NS_MAX + 1)).isFalse();
    }
}
