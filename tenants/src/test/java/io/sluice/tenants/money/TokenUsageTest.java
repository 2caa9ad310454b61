package io.sluice.tenants.money;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TokenUsageTest {
    @Test
    void negativeFiguresCountAsNone() {
        assertThat(new TokenUsage(-1, -2, -3, -4, Long.MIN_VALUE, false)).isEqualTo(TokenUsage.NONE);
    }

    @Test
    void absurdFiguresAreCut() {
        long max = TokenUsage.TOKENS_MAX;
        assertThat(new TokenUsage(Long.MAX_VALUE, max + 1, max, Long.MAX_VALUE, Long.MAX_VALUE, true))
                .isEqualTo(new TokenUsage(max, max, max, max, max, true));
    }

    @Test
    void sumsOfAbsurdFiguresDoNotOverflow() {
        long max = Long.MAX_VALUE;
        TokenUsage most = new TokenUsage(max, max, max, max, max, false);
        assertThat(most.plus(most)).isEqualTo(most);
        assertThat(most.promptTotal()).isEqualTo(3 * TokenUsage.TOKENS_MAX);
        assertThat(most.outputTotal()).isEqualTo(2 * TokenUsage.TOKENS_MAX);
    }

    @Test
    void aSumIsEstimatedWhereAPartIs() {
        TokenUsage told = new TokenUsage(1, 2, 3, 4, 5, false);
        TokenUsage guessed = new TokenUsage(10, 20, 30, 40, 50, true);
        assertThat(told.plus(guessed)).isEqualTo(new TokenUsage(11, 22, 33, 44, 55, true));
        assertThat(told.plus(told).estimated()).isFalse();
    }
}
