package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateHeadersTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0s",
        "20, 20ms",
        "999, 999ms",
        "1000, 1s",
        "1500, 1.5s",
        "59050, 59.05s",
        "60000, 1m0s",
        "61000, 1m1s",
        "60001, 1m0.001s",
        "360000, 6m0s"
    })
    void durationsAreWrittenAsGoDoes(long ms, String text) {
        assertThat(RateHeaders.duration(ms)).isEqualTo(text);
    }
}
