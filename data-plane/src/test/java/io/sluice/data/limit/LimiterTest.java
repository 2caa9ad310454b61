package io.sluice.data.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.limit.Limiter.Rule;
import io.sluice.data.limit.Limiter.Taken;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.limit.LimitFacts;
import io.sluice.tenants.limit.LimitKey;
import io.sluice.tenants.limit.LimitKind;
import io.sluice.tenants.limit.LimitLevel;
import io.sluice.tenants.limit.LimitVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LimiterTest {
    private static final TenantId ACME = new TenantId("acme");

    private long nowMs = 1_000_000;
    private final LimitCounters counters = new LimitCounters(3);
    private final Limiter limiter = new Limiter(counters, RateShares.ALONE, () -> nowMs);

    private static Rule rule(LimitLevel level, String subject, Integer requests, Integer tokens, Integer running) {
        return new Rule(new LimitKey(ACME, level, subject), new LimitsConfig(requests, tokens, running));
    }

    private static Rule key(Integer requests, Integer tokens, Integer running) {
        return rule(LimitLevel.KEY, "k", requests, tokens, running);
    }

    private static Rule tenant(Integer requests, Integer tokens, Integer running) {
        return rule(LimitLevel.TENANT, "", requests, tokens, running);
    }

    private Taken take(List<Rule> rules, long tokens) {
        return limiter.take(limiter.rules(rules), List.of(), tokens);
    }

    @Test
    void chargesNoLevelWhereOneRefuses() {
        List<Rule> both = List.of(key(10, 1_000, 10), tenant(1, null, null));
        take(List.of(tenant(1, null, null)), 0);

        assertThat(take(both, 100).refused().level()).isEqualTo(LimitLevel.TENANT);

        Taken alone = take(List.of(key(10, 1_000, 10)), 1);
        assertThat(alone.input().facts()).allMatch(each -> each.used() == 0);
    }

    @Test
    void aRuleThatIsFoundTwiceCountsOnce() {
        List<Rule> twice = List.of(tenant(2, null, null), tenant(2, null, null));

        assertThat(take(twice, 0).figures().requests().remaining()).isEqualTo(1);
        assertThat(take(twice, 0).figures().requests().remaining()).isZero();
        assertThat(take(twice, 0).refused()).isNotNull();
    }

    @Test
    void rulesOfDifferentSubjectsShareNothing() {
        take(List.of(rule(LimitLevel.SCENARIO, "x", 1, null, null)), 0);

        assertThat(take(List.of(rule(LimitLevel.APP, "x", 1, null, null)), 0).refused())
                .isNull();
        assertThat(take(List.of(rule(LimitLevel.SCENARIO, "y", 1, null, null)), 0)
                        .refused())
                .isNull();
        Rule otherTenants = new Rule(
                new LimitKey(new TenantId("other"), LimitLevel.SCENARIO, "x"), new LimitsConfig(1, null, null));
        assertThat(take(List.of(otherTenants), 0).refused()).isNull();
    }

    @Test
    void eachLevelRefusesByItself() {
        for (LimitLevel level : LimitLevel.values()) {
            Rule rule = rule(level, "one of " + level, 1, null, null);
            take(List.of(rule), 0);
            assertThat(take(List.of(rule), 0).refused().level()).isEqualTo(level);
        }
    }

    @Test
    void aPlaceIsGivenBackOnceHoweverOftenTheRequestEnds() {
        LimitPermit permit = take(List.of(key(null, null, 2)), 0).permit();
        take(List.of(key(null, null, 2)), 0);
        permit.end();
        permit.end();
        permit.undo();

        assertThat(take(List.of(key(null, null, 2)), 0).refused()).isNull();
        assertThat(take(List.of(key(null, null, 2)), 0).refused())
                .isEqualTo(new LimitVerdict(LimitLevel.KEY, LimitKind.CONCURRENCY, 2, 1_000));
    }

    @Test
    void tokensAreSettledToWhatWasUsed() {
        Taken taken = take(List.of(key(null, 1_000, null)), 900);
        taken.permit().used(100);
        taken.permit().end();

        assertThat(take(List.of(key(null, 1_000, null)), 1)
                        .input()
                        .facts()
                        .get(0)
                        .used())
                .isEqualTo(100);
    }

    @Test
    void tokensUsedBeyondTheExpectedMakeLaterRequestsWait() {
        Taken taken = take(List.of(key(null, 100, null)), 10);
        taken.permit().used(133);
        taken.permit().end();

        assertThat(take(List.of(key(null, 100, null)), 1).refused().kind()).isEqualTo(LimitKind.TOKENS);
    }

    @Test
    void aRequestThatUsedNothingGivesAllItsTokensBack() {
        take(List.of(key(null, 100, null)), 100).permit().end();

        assertThat(take(List.of(key(null, 100, null)), 100).refused()).isNull();
    }

    @Test
    void aRequestThatNeverWasCostsNothing() {
        take(List.of(key(1, 100, 1)), 100).permit().undo();

        assertThat(take(List.of(key(1, 100, 1)), 100).refused()).isNull();
    }

    @Test
    void aRequestInVainIsOneRequestAndTakesNoPlace() {
        List<Rule> rules = List.of(key(2, 100, 1));
        LimitPermit running = take(rules, 10).permit();

        assertThat(limiter.count(limiter.rulesInVain(rules)).refused()).isNull();
        assertThat(limiter.count(limiter.rulesInVain(rules)).refused().kind()).isEqualTo(LimitKind.REQUESTS);
        running.end();
    }

    @Test
    void theTightestLevelIsShown() {
        Taken taken = take(List.of(key(10, 5_000, null), tenant(500, 600, null)), 100);

        assertThat(taken.figures().requests()).isEqualTo(new RateFigures.Figure(10, 9, 61_000));
        assertThat(taken.figures().tokens()).isEqualTo(new RateFigures.Figure(600, 500, 61_000));
    }

    @Test
    void whatIsNotLimitedIsNotShown() {
        RateFigures figures = take(List.of(key(null, null, 3)), 100).figures();

        assertThat(figures).isEqualTo(new RateFigures(null, null));
    }

    @Test
    void endUsersAreForgottenWhenTheyAreTooMany() {
        for (int user = 0; user < 100; user++) {
            counters.of(new LimitKey(ACME, LimitLevel.END_USER, "u" + user));
        }
        assertThat(counters.endUsers(ACME)).isLessThanOrEqualTo(3);
    }

    @Test
    void anEndUserStandsBehindWhatIsNarrower() {
        RuleSet set = limiter.rules(List.of(key(9, null, 9), rule(LimitLevel.APP, "web", 9, null, null)));
        List<Rule> user = List.of(rule(LimitLevel.END_USER, "u", 1, 10, null));

        assertThat(limiter.take(set, user, 5).input().facts())
                .extracting(LimitFacts::level)
                .containsExactly(
                        LimitLevel.KEY, LimitLevel.KEY, LimitLevel.END_USER, LimitLevel.END_USER, LimitLevel.APP);
        assertThat(limiter.take(set, user, 5).refused().level()).isEqualTo(LimitLevel.END_USER);
        assertThat(limiter.take(set, List.of(), 5).refused()).isNull();
    }

    @Test
    void aLimitThatIsChangedKeepsWhatWasCounted() {
        take(List.of(key(1, null, null)), 0);

        assertThat(take(List.of(key(1, null, null)), 0).refused()).isNotNull();
        assertThat(take(List.of(key(2, null, null)), 0).refused()).isNull();
    }

    @Test
    void aCounterIsForgottenWhenItCountsNothing() {
        LimitPermit running =
                take(List.of(key(5, null, 5), tenant(5, 5, null)), 1).permit();
        nowMs += 62_000;
        counters.forgetUnused(nowMs);
        assertThat(counters.named()).as("a request of the key runs").isEqualTo(1);

        running.end();
        counters.forgetUnused(nowMs);
        assertThat(counters.named()).isZero();
    }

    @Test
    void rulesThatAreKeptCountTogetherAfterTheirCountersWereForgotten() {
        RuleSet one = limiter.rules(List.of(key(2, null, null)));
        RuleSet other = limiter.rules(List.of(key(2, null, null)));
        limiter.take(one, List.of(), 0);
        nowMs += 62_000;
        counters.forgetUnused(nowMs);

        assertThat(limiter.take(one, List.of(), 0).refused()).isNull();
        assertThat(limiter.take(other, List.of(), 0).refused()).isNull();
        assertThat(limiter.take(one, List.of(), 0).refused()).isNotNull();
        assertThat(limiter.take(other, List.of(), 0).refused()).isNotNull();
    }

    /** A request that takes from a counter while it is forgotten is counted in the next one. */
    @Test
    void noMoreThanTheLimitPassesWhileCountersAreForgotten() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread forgets = new Thread(() -> {
            while (!over.get()) {
                counters.forgetUnused(nowMs);
            }
        });
        forgets.start();
        try {
            int all = 0;
            for (int round = 0; round < 2_000; round++) {
                Rule rule = rule(LimitLevel.KEY, "k" + round, 1, null, null);
                AtomicInteger admitted = new AtomicInteger();
                List<Thread> callers = List.of(caller(rule, admitted), caller(rule, admitted));
                callers.forEach(Thread::start);
                for (Thread caller : callers) {
                    caller.join();
                }
                assertThat(admitted.get()).as("round %d", round).isLessThanOrEqualTo(1);
                all += admitted.get();
            }
            assertThat(all).as("and mostly it can be used").isGreaterThan(1_000);
        } finally {
            over.set(true);
            forgets.join();
        }
    }

    private Thread caller(Rule rule, AtomicInteger admitted) {
        RuleSet set = limiter.rules(List.of(rule));
        return new Thread(() -> {
            for (int n = 0; n < 3; n++) {
                if (limiter.take(set, List.of(), 0).refused() == null) {
                    admitted.incrementAndGet();
                }
            }
        });
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    /** Whatever ends requests have, and however they race: no more than the limits pass, and at the end nothing runs. */
    @ParameterizedTest
    @MethodSource("seeds")
    void afterAThousandMixedEndsNothingRuns(long seed) throws Exception {
        List<Rule> rules = List.of(key(200, 5_000, 7), tenant(300, 4_000, 9));
        Limiter shared = new Limiter(new LimitCounters(3), RateShares.ALONE, () -> 5_000_000);
        RuleSet set = shared.rules(rules);
        AtomicInteger admitted = new AtomicInteger();
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            SplittableRandom random = new SplittableRandom(seed * 4 + i);
            threads.add(new Thread(() -> {
                List<LimitPermit> held = new ArrayList<>();
                for (int n = 0; n < 250; n++) {
                    Taken taken = shared.take(set, List.of(), random.nextInt(1, 40));
                    if (taken.permit() != null) {
                        admitted.incrementAndGet();
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        held.add(taken.permit());
                    }
                    if (!held.isEmpty() && random.nextBoolean()) {
                        LimitPermit ends = held.remove(random.nextInt(held.size()));
                        running.decrementAndGet();
                        ends.used(random.nextInt(20));
                        ends.end();
                    }
                }
                running.addAndGet(-held.size());
                held.forEach(LimitPermit::end);
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(admitted.get()).isBetween(1, 200);
        assertThat(most.get()).isLessThanOrEqualTo(7);
        assertThat(shared.take(shared.rules(List.of(key(null, null, 7))), List.of(), 0)
                        .input()
                        .facts()
                        .get(0)
                        .used())
                .isZero();
    }
}
