package io.sluice.tenants.money;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class PriceTest {
    /** P1 of the case list: input 1, output 2, cache read 0.10, cache write 1.25 per million tokens. */
    private static final Price P1 = price("1", "2", "0.10", "1.25");

    @Test
    void us01CachedTokensCostTheCacheRateOnce() {
        assertThat(P1.costOf(new TokenUsage(4_000, 16_000, 0, 1_000, 0, false))).isEqualTo(Money.of("0.0076"));
    }

    @Test
    void us03ReasoningTokensAreAPartOfTheAnswerAndCostOnce() {
        TokenUsage usage = new TokenUsage(64, 0, 0, 135 - 78, 78, false);
        assertThat(usage.outputTotal()).isEqualTo(135);
        assertThat(usage.promptTotal() + usage.outputTotal()).isEqualTo(199);
        assertThat(P1.costOf(usage)).isEqualTo(new Money(64 + 2 * 135));
    }

    @Test
    void st01TwentySixInAndFiveOut() {
        assertThat(P1.costOf(new TokenUsage(26, 0, 0, 5, 0, false))).isEqualTo(Money.of("0.000036"));
    }

    @Test
    void cacheWritesCostTheirOwnRate() {
        assertThat(P1.costOf(new TokenUsage(0, 0, 1_000_000, 0, 0, false))).isEqualTo(Money.of("1.25"));
    }

    @Test
    void absentCacheRatesMeanTheInputRate() {
        assertThat(price("3", "0", null, null).costOf(new TokenUsage(0, 1_000, 1_000, 0, 0, false)))
                .isEqualTo(new Money(6_000));
    }

    @Test
    void aFractionIsRoundedUpOncePerChargeAndNotPerClass() {
        Price tenth = price("0.1", "0.1", "0.1", "0.1");
        assertThat(tenth.costOf(new TokenUsage(1, 1, 1, 1, 1, false))).isEqualTo(new Money(1));
        assertThat(tenth.costOf(TokenUsage.NONE)).isEqualTo(Money.ZERO);
    }

    @Test
    void absurdAmountsStayAtTheLargestMoneyInsteadOfTurningNegative() {
        Price dear = price("999999999999", "999999999999", null, null);
        long most = TokenUsage.TOKENS_MAX;
        assertThat(dear.costOf(new TokenUsage(most, most, most, most, most, false)))
                .isEqualTo(new Money(Long.MAX_VALUE));
    }

    @Test
    void aNegativePriceIsRefused() {
        assertThatThrownBy(() -> price("1", "-0.000001", null, null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> price("1", "1", "-1", null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> price("1", "1", null, "-1")).isInstanceOf(IllegalArgumentException.class);
    }

    private static Price price(String input, String output, String cached, String write) {
        return new Price(
                Instant.EPOCH,
                Money.of(input),
                Money.of(output),
                cached == null ? null : Money.of(cached),
                write == null ? null : Money.of(write));
    }
}
