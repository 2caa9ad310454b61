package io.sluice.plugins.openai;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.api.QuotaFigures;
import io.sluice.plugins.api.QuotaFigures.Window;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QuotaHeadersTest {
    private static final Instant NOW = Instant.parse("2026-01-31T08:00:00Z");

    private static QuotaFigures read(Map<String, String> headers) {
        return QuotaHeaders.read(headers::get, NOW);
    }

    @Test
    void readsOpenAis() {
        assertThat(read(Map.of(
                        "x-ratelimit-limit-requests", "60",
                        "x-ratelimit-remaining-requests", "59",
                        "x-ratelimit-reset-requests", "1s",
                        "x-ratelimit-limit-tokens", "150000",
                        "x-ratelimit-remaining-tokens", "149984",
                        "x-ratelimit-reset-tokens", "0m20ms")))
                .isEqualTo(new QuotaFigures(new Window(60, 59, 1_000), new Window(150_000, 149_984, 20)));
    }

    @Test
    void readsAnthropics() {
        assertThat(read(Map.of(
                        "anthropic-ratelimit-requests-limit", "50",
                        "anthropic-ratelimit-requests-remaining", "0",
                        "anthropic-ratelimit-requests-reset", "2026-01-31T08:00:12Z",
                        "anthropic-ratelimit-tokens-limit", "100000",
                        "anthropic-ratelimit-tokens-remaining", "99000",
                        "anthropic-ratelimit-tokens-reset", "2026-01-31T08:00:01Z")))
                .isEqualTo(new QuotaFigures(new Window(50, 0, 12_000), new Window(100_000, 99_000, 1_000)));
    }

    @Test
    void ofAnthropicsTokensInAndOutTheScarcerCount() {
        assertThat(read(Map.of(
                                "anthropic-ratelimit-input-tokens-limit", "100000",
                                "anthropic-ratelimit-input-tokens-remaining", "90000",
                                "anthropic-ratelimit-input-tokens-reset", "2026-01-31T08:00:01Z",
                                "anthropic-ratelimit-output-tokens-limit", "8000",
                                "anthropic-ratelimit-output-tokens-remaining", "100",
                                "anthropic-ratelimit-output-tokens-reset", "2026-01-31T08:00:30Z"))
                        .tokens())
                .isEqualTo(new Window(8_000, 100, 30_000));
    }

    @Test
    void readsThoseWithOneLimit() {
        assertThat(read(Map.of("x-ratelimit-limit", "20", "x-ratelimit-remaining", "3", "x-ratelimit-reset", "8"))
                        .requests())
                .isEqualTo(new Window(20, 3, 8_000));
    }

    @Test
    void unknownFiguresAreNone() {
        assertThat(read(Map.of()).saysNothing()).isTrue();
        assertThat(read(Map.of("x-ratelimit-limit-requests", "-1", "x-ratelimit-remaining-requests", "0"))
                        .saysNothing())
                .isTrue();
        assertThat(read(Map.of("x-ratelimit-limit-tokens", "0", "x-ratelimit-remaining-tokens", "0"))
                        .saysNothing())
                .isTrue();
        assertThat(read(Map.of("x-ratelimit-remaining-requests", "many")).saysNothing())
                .isTrue();
    }

    @Test
    void aResetThatNobodyCanReadIsNone() {
        assertThat(read(Map.of("x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "Tomorrow"))
                        .requests()
                        .resetMs())
                .isNotPositive();
        assertThat(read(Map.of("x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "soonT"))
                        .requests()
                        .resetMs())
                .isNotPositive();
    }

    @Test
    void aResetInThePastOrFarAwayIsBounded() {
        assertThat(read(Map.of(
                                "anthropic-ratelimit-requests-limit", "5",
                                "anthropic-ratelimit-requests-remaining", "0",
                                "anthropic-ratelimit-requests-reset", "2026-01-31T07:00:00Z"))
                        .requests()
                        .resetMs())
                .isZero();
        assertThat(read(Map.of(
                                "x-ratelimit-limit-requests", "5",
                                "x-ratelimit-remaining-requests", "0",
                                "x-ratelimit-reset-requests", "24h0m0s"))
                        .requests()
                        .resetMs())
                .isEqualTo(60_000);
    }
}
