package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.c;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.decision.DecisionLog;
import io.sluice.data.decision.DecisionLogSettings;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.message.BusMessage.FindDecisions;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A node that waits for running requests no longer tells each of their callers, and charges what was done. */
class DrainLimitIT {
    private static final ScriptedUpstream.Script ENDLESS = (request, wire) -> {
        wire.stream();
        for (int i = 0; i < 3_000; i++) {
            wire.chunk(c("word"));
            Thread.sleep(10);
        }
    };

    @Test
    void aStreamThatOutlivesTheLimitEndsWithTheDrainingEvent() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing(ENDLESS);
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Socket socket = Ends.send(gateway, Client.streamed());
            Ends.readUntil(socket, "word");
            stop(gateway);
            String rest = Ends.readUntil(socket, "\r\n0\r\n\r\n");

            assertThat(rest).contains("\"code\":\"draining\"", "shutting down", "incomplete", "send the request again");
            assertThat(rest).doesNotContain("[DONE]");
            assertThat(up.requests().get(0).clientLeftWithin(5_000)).isTrue();
            Ends.nothingIsHeld(gateway, 0, up);
            DecisionRecord record = kept(gateway);
            assertThat(record.outcome()).isEqualTo("incomplete");
            AttemptRecord attempt = cutByDrain(record);
            assertThat(attempt.usage().output()).isPositive();
            socket.close();
        }
    }

    @Test
    void aWholeRequestThatOutlivesTheLimitIsRefusedAsDraining() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> wire.hang(20_000));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            Socket socket = Ends.send(gateway, Client.request());
            TestGateway.eventually(
                    "the upstream was called", () -> up.requests().size() == 1);
            stop(gateway);
            String answer = Ends.readUntil(socket, "}}");

            assertThat(answer).startsWith("HTTP/1.1 503 ").contains("\"code\":\"draining\"", "send it again");
            assertThat(answer.toLowerCase(Locale.ROOT)).contains("retry-after: 1");
            Ends.nothingIsHeld(gateway, 0, up);
            DecisionRecord record = kept(gateway);
            assertThat(record.outcome()).isEqualTo("draining");
            assertThat(record.status()).isEqualTo(503);
            cutByDrain(record);
            socket.close();
        }
    }

    /** The one record that the stopped node left. */
    private static DecisionRecord kept(TestGateway gateway) throws Exception {
        DecisionLog log = new DecisionLog(DecisionLogSettings.in(gateway.decisionsAt()));
        try {
            List<DecisionRecord> records = log.find(
                            new FindDecisions(TestConfig.T1, null, null, null, null, null, null, 10))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS)
                    .records();
            assertThat(records).hasSize(1);
            return records.get(0);
        } finally {
            log.close();
        }
    }

    private static AttemptRecord cutByDrain(DecisionRecord record) {
        assertThat(record.attempts()).hasSize(1);
        AttemptRecord attempt = record.attempts().get(0);
        assertThat(attempt.failure()).isEqualTo(FailureClass.CANCELLED);
        assertThat(attempt.detail()).isEqualTo("drained");
        assertThat(attempt.usage().estimated()).isTrue();
        assertThat(attempt.usage().input()).isPositive();
        assertThat(record.cost().micros()).isPositive();
        return attempt;
    }

    private static void stop(TestGateway gateway) throws Exception {
        gateway.plane()
                .stop(Duration.ofMillis(100))
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }
}
