package io.sluice.plugins.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.message.BusMessage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BusTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final BusMessage.FindDecision QUESTION = new BusMessage.FindDecision(null, "0af7");
    private static final BusMessage.DecisionPage ANSWER = new BusMessage.DecisionPage(List.of(), List.of(), "next");

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);

    @AfterEach
    void close() throws Exception {
        await(vertx.close());
    }

    @Test
    void whatIsSentArrivesAsTheVeryObject() throws Exception {
        BlockingQueue<BusMessage.AskSnapshot> heard = new LinkedBlockingQueue<>();
        await(bus.on(Address.SNAPSHOT_REQUESTS, heard::add));
        BusMessage.AskSnapshot sent = new BusMessage.AskSnapshot("node-1");
        bus.send(Address.SNAPSHOT_REQUESTS, sent);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isSameAs(sent);
    }

    @Test
    void whatIsPublishedReachesEveryHandler() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        await(bus.on(Address.SNAPSHOT_REQUESTS, message -> heard.add("one " + message.node())));
        await(bus.on(Address.SNAPSHOT_REQUESTS, message -> heard.add("two " + message.node())));
        bus.publish(Address.SNAPSHOT_REQUESTS, new BusMessage.AskSnapshot("n"));
        assertThat(List.of(heard.poll(20, TimeUnit.SECONDS), heard.poll(20, TimeUnit.SECONDS)))
                .containsExactlyInAnyOrder("one n", "two n");
    }

    @Test
    void aHandlerThatLeftHearsNothingMore() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        MessageConsumer<BusMessage.AskSnapshot> left =
                await(bus.on(Address.SNAPSHOT_REQUESTS, message -> heard.add("left")));
        await(left.unregister());
        await(bus.on(Address.SNAPSHOT_REQUESTS, message -> heard.add("stayed")));
        bus.publish(Address.SNAPSHOT_REQUESTS, new BusMessage.AskSnapshot("n"));
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo("stayed");
        assertThat(heard).isEmpty();
    }

    @Test
    void aQuestionIsAnswered() throws Exception {
        await(bus.answer(Address.decision("node-1"), question -> Future.succeededFuture(ANSWER)));
        assertThat(await(ask())).isSameAs(ANSWER);
    }

    @Test
    void aQuestionThatNobodyHearsFailsAtOnce() {
        assertThatThrownBy(() -> await(ask()))
                .isInstanceOfSatisfying(
                        ReplyException.class,
                        failure -> assertThat(failure.failureType()).isEqualTo(ReplyFailure.NO_HANDLERS));
    }

    @Test
    void aQuestionThatStaysUnansweredFailsAfterItsTimeout() throws Exception {
        await(bus.answer(Address.decision("node-1"), question -> Future.future(never -> {})));
        assertThatThrownBy(() -> await(bus.request(
                        Address.decision("node-1"), QUESTION, BusMessage.DecisionPage.class, Duration.ofMillis(50))))
                .isInstanceOfSatisfying(
                        ReplyException.class,
                        failure -> assertThat(failure.failureType()).isEqualTo(ReplyFailure.TIMEOUT));
    }

    @Test
    void aFailedAnswerFailsTheQuestionAtOnce() throws Exception {
        await(bus.answer(
                Address.decision("node-1"), question -> Future.failedFuture(new IllegalStateException("no store"))));
        assertRecipientFailure("no store");
    }

    @Test
    void anExceptionInTheHandlerFailsTheQuestionAtOnce() throws Exception {
        await(bus.answer(Address.decision("node-1"), question -> {
            throw new IllegalStateException("a bug");
        }));
        assertRecipientFailure("a bug");
    }

    @Test
    void anAnswerOfAnotherTypeIsAFailureAndNoWrongObject() throws Exception {
        await(bus.answer(
                Address.decision("node-1"), question -> Future.succeededFuture(new BusMessage.AskSnapshot("n"))));
        assertThatThrownBy(() -> await(ask())).isInstanceOf(ClassCastException.class);
    }

    @Test
    void aSecondBusOnTheSameVertxSpeaksToTheFirst() throws Exception {
        BlockingQueue<BusMessage> heard = new LinkedBlockingQueue<>();
        await(bus.on(Address.SNAPSHOT_REQUESTS, heard::add));
        new Bus(vertx).send(Address.SNAPSHOT_REQUESTS, new BusMessage.AskSnapshot("n"));
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(new BusMessage.AskSnapshot("n"));
    }

    @Test
    void everyPoolAndNodeHasAnAddressOfItsOwn() {
        ScopedId platform = ScopedId.platform("pool");
        ScopedId own = new ScopedId(new TenantId("t"), "pool");
        assertThat(List.of(
                        Address.observations("n1", platform).name(),
                        Address.observations("n2", platform).name(),
                        Address.observations("n1", own).name()))
                .doesNotHaveDuplicates();
    }

    private Future<BusMessage.DecisionPage> ask() {
        return bus.request(Address.decision("node-1"), QUESTION, BusMessage.DecisionPage.class, LONG);
    }

    private void assertRecipientFailure(String text) {
        assertThatThrownBy(() -> await(ask()))
                .isInstanceOfSatisfying(
                        ReplyException.class,
                        failure -> assertThat(failure.failureType()).isEqualTo(ReplyFailure.RECIPIENT_FAILURE))
                .hasMessageContaining(text);
    }

    private static <T> T await(Future<T> future) throws Exception {
        try {
            return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw failed;
        }
    }
}
