package io.sluice.plugins.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.bus.Peers.Answers;
import io.sluice.tenants.NodeRole;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.FindDecision;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PeersTest {
    /** Three nodes, of which this is the first. */
    private record Three() implements Owners {
        @Override
        public String node() {
            return "a";
        }

        @Override
        public Optional<String> ownerOf(String key) {
            return Optional.of("a");
        }

        @Override
        public Set<String> nodes() {
            return Set.of("a", "b", "c");
        }

        @Override
        public Set<String> nodes(NodeRole role) {
            return role == NodeRole.DATA ? Set.of("b") : Set.of("a", "c");
        }
    }

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);
    private final AtomicLong nowMs = new AtomicLong();
    private final AtomicInteger askedOfC = new AtomicInteger();
    private Peers peers = new Peers(bus, new Three(), Duration.ofSeconds(10), nowMs::get);

    @BeforeEach
    void start() throws Exception {
        await(bus.answer(Address.decision("a"), find -> Future.succeededFuture(page("of a"))));
        await(bus.answer(Address.decision("b"), find -> Future.succeededFuture(page("of b"))));
    }

    @AfterEach
    void close() throws Exception {
        await(vertx.close());
    }

    @Test
    void asksOnlyNodesThatHaveTheRole() throws Exception {
        peers = Peers.of(NodeRole.DATA, bus, new Three(), Duration.ofSeconds(10), nowMs::get);

        Peers.Answers<DecisionPage> answers = await(all());

        assertThat(answers.byNode()).containsOnlyKeys("b");
        assertThat(answers.silent()).isEmpty();
    }

    @Test
    void collectsWhatEveryNodeAnswers() throws Exception {
        await(bus.answer(Address.decision("c"), find -> Future.succeededFuture(page("of c"))));

        assertThat(await(all()).byNode().values())
                .extracting(DecisionPage::next)
                .containsExactlyInAnyOrder("of a", "of b", "of c");
        assertThat(await(others()).byNode()).containsOnlyKeys("b", "c");
    }

    @Test
    void tellsWhoDidNotAnswerAndGivesTheOthersAnswers() throws Exception {
        await(bus.answer(Address.decision("c"), find -> Future.failedFuture("broken")));

        Answers<DecisionPage> answers = await(all());

        assertThat(answers.byNode()).containsOnlyKeys("a", "b");
        assertThat(answers.silent()).containsOnlyKeys("c");
        assertThat(answers.silent().get("c")).hasMessageContaining("broken");
    }

    @Test
    void leavesANodeOutAfterThreeTimeoutsAndAsksItAgainLater() throws Exception {
        peers = new Peers(bus, new Three(), Duration.ofMillis(100), nowMs::get);
        stallC();
        for (int i = 0; i < 5; i++) {
            assertThat(await(all()).silent()).containsKey("c");
        }
        assertThat(askedOfC).hasValue(Patience.TIMEOUTS_MAX);

        nowMs.addAndGet(Patience.LEFT_OUT_MS);
        await(all());
        assertThat(askedOfC).hasValue(Patience.TIMEOUTS_MAX + 1);
    }

    @Test
    void forgetsTimeoutsAtTheFirstAnswer() {
        Patience two = Patience.NEW.next(true, 0).next(true, 0);

        assertThat(two.next(false, 0)).isEqualTo(Patience.NEW);
        assertThat(two.next(true, 0).asks(0)).isFalse();
        assertThat(two.next(true, 0).next(false, 0).asks(0)).isTrue();
    }

    private void stallC() throws Exception {
        await(bus.answer(Address.decision("c"), find -> {
            askedOfC.incrementAndGet();
            return Future.future(never -> {});
        }));
    }

    private Future<Answers<DecisionPage>> all() {
        return peers.all(Address::decision, node -> new FindDecision(null, "0af7"), DecisionPage.class);
    }

    private Future<Answers<DecisionPage>> others() {
        return peers.others(Address::decision, node -> new FindDecision(null, "0af7"), DecisionPage.class);
    }

    private static DecisionPage page(String next) {
        return new DecisionPage(List.of(), List.of(), next);
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
