package io.sluice.data.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.limit.Limiter.Rule;
import io.sluice.data.limit.Limiter.Taken;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.limit.LimitKey;
import io.sluice.tenants.limit.LimitKind;
import io.sluice.tenants.limit.LimitLevel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedRatesTest {
    private static final TenantId ACME = new TenantId("acme");

    private long nowMs = 1_000_000;
    private final MemoryRateAuthority authority = new MemoryRateAuthority(() -> nowMs);
    private final List<Node> nodes = new ArrayList<>();

    private final class Node {
        final LimitCounters counters = new LimitCounters(10);
        int known;
        final SharedRates shares;
        final Limiter limiter;

        Node(String name, int of) {
            known = of;
            shares = new SharedRates(authority.of(name), counters, () -> known, () -> nowMs);
            limiter = new Limiter(counters, shares, () -> nowMs);
        }

        Taken take(Rule rule) {
            RuleSet rules = limiter.rules(List.of(rule));
            Taken taken = limiter.take(rules, List.of(), 0);
            if (taken.refused() != null
                    && !taken.lacking().isEmpty()
                    && limiter.draw(taken.lacking()).result()) {
                return limiter.take(rules, List.of(), 0);
            }
            return taken;
        }

        boolean admits(Rule rule) {
            return take(rule).refused() == null;
        }
    }

    private void nodes(int count) {
        for (int i = 0; i < count; i++) {
            nodes.add(new Node("node-" + i, count));
        }
    }

    private static Rule requests(int limit) {
        return new Rule(new LimitKey(ACME, LimitLevel.TENANT, ""), new LimitsConfig(limit, null, null));
    }

    private static Rule running(int limit) {
        return new Rule(new LimitKey(ACME, LimitLevel.TENANT, ""), new LimitsConfig(null, null, limit));
    }

    private void pass(long ms) {
        for (long end = nowMs + ms; nowMs < end; nowMs += 1_000) {
            nodes.forEach(node -> node.shares.tick());
        }
    }

    @Test
    void tenToEachOfTwoNodesAtOnceAdmitsExactlyTheLimit() {
        nodes(2);
        int admitted = 0;
        for (int i = 0; i < 10; i++) {
            admitted += nodes.get(0).admits(requests(10)) ? 1 : 0;
            admitted += nodes.get(1).admits(requests(10)) ? 1 : 0;
        }
        assertThat(admitted).isEqualTo(10);
    }

    @Test
    void tenThatWaitAtEachOfTwoNodesForOneAnswerGetTheLimitToo() {
        Deque<Runnable> questions = new ArrayDeque<>();
        List<Future<Boolean>> decided = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            RateAuthority authority = later(this.authority.of("node-" + i), questions);
            LimitCounters counters = new LimitCounters(10);
            SharedRates shares = new SharedRates(authority, counters, () -> 2, () -> nowMs);
            Limiter limiter = new Limiter(counters, shares, () -> nowMs);
            for (int request = 0; request < 10; request++) {
                RuleSet rules = limiter.rules(List.of(requests(10)));
                Taken taken = limiter.take(rules, List.of(), 0);
                decided.add(limiter.draw(taken.lacking())
                        .map(again -> again && limiter.take(rules, List.of(), 0).refused() == null));
            }
        }
        while (!questions.isEmpty()) {
            questions.poll().run();
        }
        assertThat(decided)
                .allMatch(Future::succeeded)
                .filteredOn(Future::result)
                .hasSize(10);
    }

    /** Answers when {@code questions} are run. */
    private static RateAuthority later(RateAuthority authority, Deque<Runnable> questions) {
        return asks -> {
            Promise<List<RateAuthority.Share>> answer = Promise.promise();
            questions.add(() -> authority.settle(asks).onComplete(answer));
            return answer.future();
        };
    }

    @Test
    void oneNodeThatHasAllTheTrafficHasAllOfTheLimit() {
        nodes(3);
        int admitted = 0;
        for (int i = 0; i < 200; i++) {
            admitted += nodes.get(1).admits(requests(100)) ? 1 : 0;
        }
        assertThat(admitted).isEqualTo(100);
    }

    @Test
    void whatOneNodeDoesNotUseAnyMoreAnotherMayUseAfterItsMinute() {
        nodes(2);
        for (int i = 0; i < 10; i++) {
            assertThat(nodes.get(0).admits(requests(10))).isTrue();
        }
        assertThat(nodes.get(1).admits(requests(10))).isFalse();
        pass(64_000);
        for (int i = 0; i < 10; i++) {
            assertThat(nodes.get(1).admits(requests(10))).isTrue();
        }
        assertThat(nodes.get(0).admits(requests(10))).isFalse();
    }

    @Test
    void callersAreToldWhatIsLeftOfTheWholeLimit() {
        nodes(2);
        for (int i = 0; i < 30; i++) {
            nodes.get(0).admits(requests(100));
        }
        pass(8_000);
        assertThat(nodes.get(1).take(requests(100)).figures().requests().remaining())
                .isEqualTo(69);
    }

    @Test
    void aNodeThatDiedLeavesItsShareWhenItsMinuteIsOver() {
        nodes(2);
        for (int i = 0; i < 10; i++) {
            nodes.get(0).admits(requests(10));
        }
        nodes.remove(0);
        pass(60_000);
        assertThat(nodes.get(0).admits(requests(10))).isFalse();
        pass(32_000);
        assertThat(nodes.get(0).admits(requests(10))).isTrue();
    }

    @Test
    void runningRequestsAreSharedLikewise() {
        nodes(2);
        List<Taken> running = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Taken taken = nodes.get(i % 2).take(running(4));
            if (taken.refused() == null) {
                running.add(taken);
            }
        }
        assertThat(running).hasSize(4);
        running.forEach(each -> each.permit().end());
        pass(4_000);
        for (int i = 0; i < 4; i++) {
            assertThat(nodes.get(0).admits(running(4))).isTrue();
        }
    }

    @Test
    void whileTheAuthorityIsAwayEachNodeHasAnEqualPartOrItsLastShare() {
        nodes(2);
        for (int i = 0; i < 8; i++) {
            assertThat(nodes.get(0).admits(requests(10))).isTrue();
        }
        authority.away(true);
        int more = 0;
        for (int i = 0; i < 20; i++) {
            more += nodes.get(1).admits(requests(10)) ? 1 : 0;
            nowMs += 200;
        }
        assertThat(more).isEqualTo(5);
        authority.away(false);
        pass(65_000);
        int after = 0;
        for (int i = 0; i < 20; i++) {
            after += nodes.get(i % 2).admits(requests(10)) ? 1 : 0;
        }
        assertThat(after).isEqualTo(10);
    }

    @Test
    void aNodeThatIsCutOffFromAllDoesNotTakeItselfForTheOnlyOne() {
        nodes(3);
        Node cut = nodes.get(2);
        assertThat(cut.admits(requests(30))).isTrue();
        authority.away(true);
        cut.known = 1;
        int more = 0;
        for (int i = 0; i < 60; i++) {
            more += cut.admits(requests(30)) ? 1 : 0;
            nowMs += 200;
        }
        assertThat(more).isEqualTo(9);
        assertThat(cut.shares.ofAccount("account", LimitKind.REQUESTS, 30)).isEqualTo(10);
        authority.away(false);
        pass(65_000);
        assertThat(cut.shares.ofAccount("account", LimitKind.REQUESTS, 30)).isEqualTo(30);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void inNoMinuteMoreThanTheLimitIsAdmittedByAllTogether(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        nodes(3);
        int limit = 1 + random.nextInt(60);
        Deque<Long> admitted = new ArrayDeque<>();
        long nextTick = nowMs;
        int all = 0;
        for (int step = 0; step < 6_000; step++) {
            nowMs += random.nextInt(120);
            if (nowMs >= nextTick) {
                nextTick = nowMs + 1_000;
                nodes.forEach(node -> node.shares.tick());
            }
            Node node = nodes.get(step / 700 % 2 == 0 ? random.nextInt(3) : step / 700 % 3);
            if (node.admits(requests(limit))) {
                all++;
                admitted.add(nowMs);
            }
            while (!admitted.isEmpty() && admitted.peek() <= nowMs - 60_000) {
                admitted.poll();
            }
            assertThat(admitted.size()).as("seed %d step %d", seed, step).isLessThanOrEqualTo(limit);
        }
        assertThat(all)
                .as("seed %d, limit %d: the limit can be used", seed, limit)
                .isGreaterThan(3 * limit);
    }
}
