package io.sluice.tenants.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.Seeds;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final double ALMOST_ONE = Math.nextDown(1.0);

    @Test
    void theCeilingDoublesWithEachRepeat() {
        assertThat(Backoff.waitMs(0, ALMOST_ONE, 0)).isEqualTo(199);
        assertThat(Backoff.waitMs(1, ALMOST_ONE, 0)).isEqualTo(399);
        assertThat(Backoff.waitMs(2, ALMOST_ONE, 0)).isEqualTo(799);
    }

    @Test
    void fullJitterBeginsAtZero() {
        assertThat(Backoff.waitMs(5, 0, 0)).isZero();
    }

    @Test
    void theProvidersRetryAfterIsObeyedEvenAboveTheCap() {
        assertThat(Backoff.waitMs(0, 0, 1_500)).isEqualTo(1_500);
        assertThat(Backoff.waitMs(0, ALMOST_ONE, 90_000)).isEqualTo(90_000);
    }

    @Test
    void neverLongerThanTheCapNorNegative() {
        Seeds.check(10_000, random -> {
            int retry = random.nextInt(Integer.MAX_VALUE);
            assertThat(Backoff.waitMs(retry, random.nextDouble(), 0)).isBetween(0L, Backoff.CAP_MS);
        });
        assertThat(Backoff.waitMs(Integer.MAX_VALUE, ALMOST_ONE, 0)).isBetween(0L, Backoff.CAP_MS);
    }
}
