package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.plugins.api.AnswerDecoder;
import io.sluice.plugins.api.Dialect;
import io.sluice.plugins.api.Provider;
import io.sluice.plugins.api.UnsupportedRequestException;
import io.sluice.plugins.api.Upstream;
import io.sluice.plugins.api.UpstreamCall;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.decision.DecisionRecord;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that stands still for longer than a call may take, as a paused machine does, and then goes on. */
class StalledLoopIT {
    /** A request for an answer of so many tokens stalls the loop. */
    private static final int STALLING_TOKENS = 77;

    private static final long DEADLINE_MS = 700;

    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch stalled = new CountDownLatch(1);
    private final CountDownLatch answered = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    /** The bundled codec, which stalls its event loop for a request that says so. */
    private final class Stalling implements Provider {
        private final Provider right;

        Stalling(Provider right) {
            this.right = right;
        }

        @Override
        public Dialect dialect() {
            return right.dialect();
        }

        @Override
        public URI origin() {
            return right.origin();
        }

        @Override
        public UpstreamCall encode(ChatRequest request, Upstream upstream) throws UnsupportedRequestException {
            if (request.facts().maxTokens() == STALLING_TOKENS) {
                stalled.countDown();
                await(goOn);
            }
            return right.encode(request, upstream);
        }

        @Override
        public AnswerDecoder decoder(ChatRequest request) {
            return right.decoder(request);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError(interrupted);
        }
    }

    private void play(ScriptedUpstream.Request request, ScriptedUpstream.Wire wire) throws IOException {
        boolean first = !request.body().contains("max_tokens");
        if (first) {
            called.countDown();
            await(stalled);
        }
        if (request.body().contains("\"stream\":true")) {
            wire.stream().chunk(c("hello") + fin("stop") + use(3, 1) + DONE).end();
        } else {
            wire.json(200, Sse.whole("hello", 3, 1));
        }
        if (first) {
            answered.countDown();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAnswerThatCameMeanwhileIsReadBeforeItsTimeIsTakenForUp(boolean streamed) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(2);
        try (ScriptedUpstream up = ScriptedUpstream.playing(this::play);
                TestGateway gateway = TestGateway.start(
                        TestConfig.pool(up),
                        new TestGateway.Options().plugin(new WrappedCodec("openai", Stalling::new)))) {
            String body = streamed ? Client.streamed() : Client.request();
            var waits = callers.submit(() -> gateway.client().chat(body, "x-deadline-ms", "" + DEADLINE_MS));
            await(called);
            callers.execute(() -> gateway.client().chat(Client.request("\"max_tokens\":" + STALLING_TOKENS)));
            await(answered);
            Thread.sleep(2 * DEADLINE_MS); // the loop hears nothing before both have happened
            goOn.countDown();
            Answer answer = waits.get(20, TimeUnit.SECONDS);

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            DecisionRecord record = gateway.decision(answer);
            assertThat(record.attempts()).hasSize(1);
            assertThat(record.attempts().get(0).failure()).isNull();
            assertThat(record.cost().micros()).isEqualTo(5);
        } finally {
            goOn.countDown();
            callers.shutdownNow();
        }
    }
}
