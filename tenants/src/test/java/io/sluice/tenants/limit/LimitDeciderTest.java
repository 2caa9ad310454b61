package io.sluice.tenants.limit;

import static io.sluice.tenants.limit.LimitKind.CONCURRENCY;
import static io.sluice.tenants.limit.LimitKind.REQUESTS;
import static io.sluice.tenants.limit.LimitKind.TOKENS;
import static io.sluice.tenants.limit.LimitLevel.KEY;
import static io.sluice.tenants.limit.LimitLevel.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.Seeds;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitDeciderTest {
    private static LimitFacts facts(LimitLevel level, LimitKind kind, int limit, long used, long freeMs) {
        return new LimitFacts(level, kind, limit, limit, used, freeMs);
    }

    private static LimitVerdict decide(long tokens, LimitFacts... facts) {
        return LimitDecider.decide(new LimitInput(tokens, List.of(facts)));
    }

    @Test
    void admitsWhatFitsEveryLimit() {
        assertThat(decide(
                        10,
                        facts(KEY, REQUESTS, 2, 1, 0),
                        facts(KEY, TOKENS, 100, 90, 0),
                        facts(TENANT, CONCURRENCY, 1, 0, 0)))
                .isNull();
    }

    @Test
    void refusesWhatOneLimitRefuses() {
        assertThat(decide(10, facts(KEY, REQUESTS, 2, 0, 0), facts(TENANT, TOKENS, 100, 91, 7_000)))
                .isEqualTo(new LimitVerdict(TENANT, TOKENS, 100, 7_000));
    }

    @Test
    void namesTheLimitThatTakesLongest() {
        assertThat(decide(1, facts(KEY, REQUESTS, 2, 2, 3_000), facts(TENANT, REQUESTS, 9, 9, 5_000)))
                .isEqualTo(new LimitVerdict(TENANT, REQUESTS, 9, 5_000));
    }

    @Test
    void saysThatWaitingDoesNotHelpWhereTheRequestAloneIsTooMuch() {
        LimitVerdict verdict = decide(133, facts(KEY, TOKENS, 100, 0, 0), facts(TENANT, REQUESTS, 1, 1, 9_000));
        assertThat(verdict.neverFits()).isTrue();
        assertThat(verdict.kind()).isEqualTo(TOKENS);
    }

    @Test
    void aNodeThatHasNotEnoughOfALimitAsksToComeBack() {
        LimitVerdict verdict =
                LimitDecider.decide(new LimitInput(50, List.of(new LimitFacts(KEY, TOKENS, 100, 40, 0, 61_000))));
        assertThat(verdict).isEqualTo(new LimitVerdict(KEY, TOKENS, 100, 61_000));
    }

    @Test
    void theTightestLimitsOfEachKindDecideAsAllOfThem() {
        Seeds.check(2_000, random -> {
            List<LimitFacts> all = new ArrayList<>();
            for (int i = random.nextInt(8); i >= 0; i--) {
                int limit = 1 + random.nextInt(200);
                int share = random.nextInt(limit + 1);
                all.add(new LimitFacts(
                        random.nextBoolean() ? KEY : TENANT,
                        List.of(REQUESTS, TOKENS, CONCURRENCY).get(random.nextInt(3)),
                        limit,
                        share,
                        random.nextInt(220),
                        random.nextInt(60_000)));
            }
            LimitInput input = new LimitInput(random.nextInt(100), all);
            LimitInput tightest = input.tightest();

            assertThat(all).containsAll(tightest.facts());
            assertThat(tightest.facts()).extracting(LimitFacts::kind).doesNotHaveDuplicates();
            assertThat(LimitDecider.decide(tightest) == null).isEqualTo(LimitDecider.decide(input) == null);
        });
    }

    @Test
    void askingAgainIsNeverWorthItAtOnce() {
        assertThat(decide(1, facts(KEY, REQUESTS, 1, 1, 0)).retryAfterMs()).isEqualTo(1);
    }

    @Test
    void whatWasUsedBeyondALimitLeavesNothing() {
        assertThat(facts(KEY, TOKENS, 100, 133, 0).remaining()).isZero();
    }
}
