package io.sluice.control.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DateTimeTextTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-31T08:00:00Z",
                "2026-01-31T09:00:00+01:00",
                "2026-01-31T08:00Z",
                "2026-01-31T08:00:00.000Z",
                "2026-01-30T22:30:00-09:30"
            })
    void readsOneInstantInItsSpellings(String text) {
        assertThat(DateTimeText.parse(text)).contains(Instant.parse("2026-01-31T08:00:00Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "tomorrow",
                "2026-01-01",
                "2026-01-01T00:00:00",
                "2026-13-01T00:00:00Z",
                "2026-02-30T00:00:00Z",
                "2026-01-01T00:00:00Z ",
                "1767225600",
                "+10000-01-01T00:00:00Z",
                "+999999999-12-31T23:59:59Z",
                "-0001-01-01T00:00:00Z"
            })
    void takesNothingElseForAnInstant(String text) {
        assertThat(DateTimeText.parse(text)).isEmpty();
    }
}
