package io.sluice.data.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.api.QuotaFigures;
import io.sluice.plugins.api.QuotaFigures.Window;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.money.PriceBook;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.UpstreamQuota;
import org.junit.jupiter.api.Test;

class UpstreamQuotasTest {
    private static final CompiledTarget FREE = target("free", null, null);

    private long nowMs = 1_000_000;
    private final UpstreamQuotas quotas = new UpstreamQuotas(0.75, RateShares.ALONE, () -> nowMs);

    private static CompiledTarget target(String key, Integer requests, Integer tokens) {
        return new CompiledTarget(
                "p/m",
                ScopedId.platform("p"),
                ScopedId.platform("m"),
                "m",
                100,
                8_000,
                1_000,
                true,
                true,
                true,
                64,
                new UpstreamQuota(key, requests, tokens),
                PriceBook.EMPTY,
                null);
    }

    private static QuotaFigures requests(long limit, long remaining, long resetMs) {
        return new QuotaFigures(new Window(limit, remaining, resetMs), Window.UNKNOWN);
    }

    private int takes(CompiledTarget target, int calls, long tokens) {
        int taken = 0;
        for (int i = 0; i < calls; i++) {
            taken += quotas.tryTake(target, tokens) == null ? 0 : 1;
        }
        return taken;
    }

    @Test
    void threeQuartersOfAConfiguredLimitAreUsed() {
        CompiledTarget target = target("a", 100, null);

        assertThat(takes(target, 100, 10)).isEqualTo(75);
        assertThat(quotas.untilQuotaMs(target, 10)).isEqualTo(60_000);
        nowMs += 61_000;
        assertThat(quotas.untilQuotaMs(target, 10)).isZero();
    }

    @Test
    void tokensThatWereNotUsedAreThereForTheNextCall() {
        CompiledTarget target = target("a", null, 1_000);
        QuotaPermit first = quotas.tryTake(target, 700);

        assertThat(quotas.tryTake(target, 700)).isNull();
        quotas.ended(first, 40);

        assertThat(quotas.tryTake(target, 700)).isNotNull();
        assertThat(quotas.untilQuotaMs(target, 20)).isPositive();
    }

    @Test
    void aCallThatIsLargerThanTheLimitIsMadeWhereNothingElseWas() {
        CompiledTarget target = target("a", null, 1_000);

        assertThat(quotas.tryTake(target, 5_000)).isNotNull();
        assertThat(quotas.tryTake(target, 1)).isNull();
    }

    @Test
    void aCallThatWasNotSentCostsNothing() {
        CompiledTarget target = target("a", 4, 1_000);
        for (int i = 0; i < 10; i++) {
            quotas.unsent(quotas.tryTake(target, 500));
        }
        assertThat(takes(target, 1, 500)).isEqualTo(1);
    }

    @Test
    void targetsOfOneGroupShareAndOthersDoNot() {
        takes(target("group", 4, null), 3, 1);

        assertThat(quotas.untilQuotaMs(target("group", 4, null), 1)).isPositive();
        assertThat(quotas.untilQuotaMs(target("other", 4, null), 1)).isZero();
    }

    @Test
    void withoutALimitNothingIsKeptBack() {
        assertThat(takes(FREE, 10_000, 1_000)).isEqualTo(10_000);
        assertThat(quotas.untilQuotaMs(FREE, 1_000)).isZero();
    }

    @Test
    void anAccountThatSaysItIsEmptyIsOutUntilItsReset() {
        quotas.said(FREE, requests(60, 0, 30_000));

        assertThat(quotas.untilQuotaMs(FREE, 1)).isEqualTo(30_000);
        assertThat(quotas.tryTake(FREE, 1)).isNull();
        nowMs += 30_000;
        assertThat(quotas.untilQuotaMs(FREE, 1)).isZero();
    }

    @Test
    void theLastQuarterIsLeftToOthersUntilItHasFilledUpAgain() {
        quotas.said(FREE, requests(100, 10, 45_000));

        // 16 of the 90 that are missing, so that more than 25 are there
        assertThat(quotas.untilQuotaMs(FREE, 1)).isEqualTo(8_000);
    }

    @Test
    void anAnswerThatSaysThereIsEnoughEndsTheWait() {
        quotas.said(FREE, requests(100, 10, 45_000));
        quotas.said(FREE, requests(100, 90, 1_000));

        assertThat(quotas.untilQuotaMs(FREE, 1)).isZero();
    }

    @Test
    void noAnswerTakesAnAccountOutForLongerThanAMinute() {
        quotas.said(FREE, requests(100, 0, 86_400_000));

        assertThat(quotas.untilQuotaMs(FREE, 1)).isEqualTo(60_000);
    }

    @Test
    void aLimitThatTheProviderSaysHoldsLikeAConfiguredOne() {
        quotas.said(FREE, requests(40, 39, 1_500));

        assertThat(takes(FREE, 100, 1)).isEqualTo(30);
    }

    @Test
    void theLowerOfTwoLimitsHolds() {
        CompiledTarget target = target("a", 1_000, null);
        quotas.said(target, requests(40, 39, 1_500));

        assertThat(takes(target, 100, 1)).isEqualTo(30);
    }

    @Test
    void aRefusalWithATimeTakesTheAccountOutForThatTime() {
        quotas.refused(FREE, 7_000);

        assertThat(quotas.untilQuotaMs(FREE, 1)).isEqualTo(7_000);
    }

    @Test
    void aRefusalSlowsAConfiguredRateDownForAWhile() {
        CompiledTarget target = target("a", 100, null);
        quotas.refused(target, 0);

        assertThat(takes(target, 100, 1)).isEqualTo(52);
        nowMs += 61_000;
        assertThat(takes(target, 100, 1)).isEqualTo(75);
    }

    @Test
    void aRefusalOfAnUnknownLimitLeavesTheRateAlone() {
        takes(FREE, 200, 1);
        quotas.refused(FREE, 0);

        assertThat(quotas.untilQuotaMs(FREE, 1)).isZero();
        assertThat(takes(FREE, 500, 1)).isEqualTo(500);
    }

    /** It may be told of before its first call is counted. */
    @Test
    void anAccountThatIsJustKnownIsNotForgotten() {
        nowMs += 3 * 3_600_000;
        CompiledTarget target = target("a", 100, null);
        quotas.refused(target, 30_000);

        quotas.forgetUnused();

        assertThat(quotas.untilQuotaMs(target, 10)).isEqualTo(30_000);
    }

    @Test
    void anAccountThatNobodyCallsIsForgotten() {
        takes(target("a", 100, null), 1, 10);
        nowMs += 30 * 60_000;
        takes(target("b", 100, null), 1, 10);
        nowMs += 31 * 60_000;

        quotas.forgetUnused();

        assertThat(quotas.known()).isEqualTo(1);
        nowMs += 31 * 60_000;
        quotas.forgetUnused();
        assertThat(quotas.known()).isZero();
    }
}
