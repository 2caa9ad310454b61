package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.request.PipelineSettings;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.FailureClass;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows 63, 64 and 67 of the bad-input catalogue: what clients do to streams. Row 66 needs stream limits. */
class StreamClientCasesIT {
    private static final int CHUNK_BYTES = 1 << 16;

    private static Rig rig;

    @BeforeAll
    static void start() {
        PipelineSettings usual = PipelineSettings.DEFAULT;
        rig = new Rig(new TestGateway.Options()
                .pipeline(new PipelineSettings(usual.bodyBytesMax(), usual.bodyTimeoutMs(), 1_000)));
    }

    @AfterAll
    static void stop() {
        rig.close();
    }

    @Test
    void row63AClientThatReadsNothingPausesTheUpstreamAndIsCutOff() throws InterruptedException {
        int chunks = 1_000;
        AtomicLong written = new AtomicLong();
        String chunk = c("x".repeat(CHUNK_BYTES));
        rig.plays((request, wire) -> {
            wire.stream();
            for (int i = 0; i < chunks; i++) {
                wire.chunk(chunk);
                written.addAndGet(chunk.length());
            }
            wire.chunk(fin("stop") + DONE).end();
        });
        String traceId = Rig.newTraceId();

        try (Live live = new Live(rig.client(), Client.streamed(), "traceparent: " + Rig.traceparent(traceId))) {
            DecisionRecord record = rig.decision(traceId);

            assertThat(record.outcome()).isEqualTo("client_abort");
            assertThat(Rig.firstAttempt(record).failure()).isEqualTo(FailureClass.CANCELLED);
            assertThat(Rig.firstAttempt(record).usage().outputTotal()).isPositive();
            // What waits is in the kernel's buffers of two sockets; the whole stream would be 64 MiB.
            assertThat(written.get()).isLessThan((long) chunks * CHUNK_BYTES / 3);
            assertThat(rig.upstream().requests().get(0).clientLeftWithin(5_000)).isTrue();
            rig.settled();
            live.leave();
            assertThat(live.untouched()).as("the client reads nothing").isTrue();
        }
    }

    @Test
    void row63ASlowClientGetsEverything() throws InterruptedException, IOException {
        String chunk = c("x".repeat(CHUNK_BYTES));
        rig.plays((request, wire) -> {
            wire.stream();
            for (int i = 0; i < 100; i++) {
                wire.chunk(chunk);
            }
            wire.chunk(fin("stop") + use(26, 5) + DONE).end();
        });

        try (Live live = new Live(rig.client(), Client.streamed())) {
            live.until("\r\n\r\n");
            Thread.sleep(300);
            live.untilEnd();

            assertThat(live.payloads()).hasSize(102).last().isEqualTo("[DONE]");
            assertThat(rig.decision(live.header("x-request-id")).outcome()).isEqualTo("ok");
        }
    }

    /** Also wire check 31. */
    @Test
    void row64AClientThatLeavesAfterTheFirstTokenIsChargedForItAndTheUpstreamIsCancelled() throws InterruptedException {
        rig.plays((request, wire) -> {
            wire.stream().chunk(c("one two three four "));
            wire.hang(30_000);
        });

        String traceId;
        try (Live live = new Live(rig.client(), Client.streamed())) {
            live.until("four ");
            traceId = live.header("x-request-id");
        }

        assertThat(rig.upstream().requests().get(0).clientLeftWithin(5_000)).isTrue();
        DecisionRecord record = rig.decision(traceId);
        assertThat(record.outcome()).isEqualTo("client_abort");
        assertThat(record.attempts()).hasSize(1);
        assertThat(Rig.firstAttempt(record).failure()).isEqualTo(FailureClass.CANCELLED);
        assertThat(Rig.firstAttempt(record).usage().estimated()).isTrue();
        assertThat(Rig.firstAttempt(record).usage().outputTotal()).isEqualTo(5);
        assertThat(Rig.firstAttempt(record).usage().promptTotal()).isPositive();
        assertThat(record.cost().micros()).isPositive();
        assertThat(rig.fallback().requests()).isEmpty();
        rig.settled();
    }

    @Test
    void row64AClientThatLeavesBeforeTheFirstTokenStopsEverything() throws InterruptedException {
        rig.plays((request, wire) -> wire.hang(30_000));
        String traceId = Rig.newTraceId();

        try (Live live = new Live(rig.client(), Client.streamed(), "traceparent: " + Rig.traceparent(traceId))) {
            TestGateway.eventually(
                    "the call runs", () -> !rig.upstream().requests().isEmpty());
            live.leave();
        }

        assertThat(rig.upstream().requests().get(0).clientLeftWithin(5_000)).isTrue();
        DecisionRecord record = rig.decision(traceId);
        assertThat(record.outcome()).isEqualTo("client_abort");
        assertThat(Rig.firstAttempt(record).usage().outputTotal()).isZero();
        assertThat(rig.fallback().requests()).isEmpty();
        rig.settled();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "c1", "../../other-tenant", "chatcmpl-0af7651916cd43dd8448eb211c80319c"})
    void row67LastEventIdNeverResumesAnything(String id) {
        rig.streams(c("fresh"), fin("stop"), DONE);

        Answer answer = rig.askStream("last-event-id", id);

        assertThat(answer.text()).isEqualTo("fresh");
        assertThat(answer.done()).isTrue();
        assertThat(rig.upstream().requests()).hasSize(1);
        assertThat(rig.upstream().requests().get(0).headers()).doesNotContainKey("last-event-id");
        assertThat(answer.body()).doesNotContain("\nid:").doesNotContain("retry:");
    }
}
