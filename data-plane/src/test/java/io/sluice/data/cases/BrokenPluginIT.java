package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.plugins.api.AnswerDecoder;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.Dialect;
import io.sluice.plugins.api.Provider;
import io.sluice.plugins.api.UnsupportedRequestException;
import io.sluice.plugins.api.Upstream;
import io.sluice.plugins.api.UpstreamCall;
import io.sluice.plugins.api.UpstreamHeaders;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.FailureClass;
import io.vertx.core.buffer.Buffer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Row CO04 of the case list and its whole kind: whatever a plugin throws, wherever, costs one attempt and nothing else. Connection,
 * permit and request come back at once, not when a clock runs out.
 */
class BrokenPluginIT {
    /** What is wrong with the plugin. */
    private enum Fault {
        ENCODE_THROWS,
        ENCODE_GIVES_NULL,
        ENCODE_REFUSES,
        METHOD_IS_NULL,
        HEADER_IS_BROKEN,
        DECODER_THROWS,
        HEAD_THROWS,
        DATA_THROWS,
        DATA_OVERFLOWS_THE_STACK,
        DATA_FAILS_AN_ASSERTION,
        DATA_GIVES_NULL,
        DATA_GIVES_NULL_TEXT,
        DATA_GIVES_A_NEGATIVE_INDEX,
        END_THROWS,
        END_SAYS_NOTHING
    }

    /** The bundled codec with a fault. */
    private record BrokenProvider(Fault fault, Provider right) implements Provider {
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
            UpstreamCall call = right.encode(request, upstream);
            return switch (fault) {
                case ENCODE_THROWS -> throw new IllegalStateException("encode");
                case ENCODE_GIVES_NULL -> null;
                case ENCODE_REFUSES -> throw new UnsupportedRequestException("no pictures of cats");
                case METHOD_IS_NULL -> new UpstreamCall(null, call.path(), call.headers(), call.body());
                case HEADER_IS_BROKEN -> {
                    List<Map.Entry<String, String>> headers = new ArrayList<>(call.headers());
                    headers.add(Map.entry("x-a", "one\r\nx-b: two"));
                    yield new UpstreamCall(call.method(), call.path(), headers, call.body());
                }
                default -> call;
            };
        }

        @Override
        public AnswerDecoder decoder(ChatRequest request) {
            if (fault == Fault.DECODER_THROWS) {
                throw new NoClassDefFoundError("missing");
            }
            return new BrokenDecoder(fault, right.decoder(request));
        }
    }

    private record BrokenDecoder(Fault fault, AnswerDecoder right) implements AnswerDecoder {
        @Override
        public void head(int status, UpstreamHeaders headers) {
            if (fault == Fault.HEAD_THROWS) {
                throw new IllegalStateException("head");
            }
            right.head(status, headers);
        }

        @Override
        public void data(Buffer piece, Consumer<AnswerFrame> sink) {
            switch (fault) {
                case DATA_THROWS -> throw new IllegalStateException("data");
                case DATA_OVERFLOWS_THE_STACK -> endless(0);
                case DATA_FAILS_AN_ASSERTION -> throw new AssertionError("data");
                case DATA_GIVES_NULL -> sink.accept(null);
                case DATA_GIVES_NULL_TEXT -> sink.accept(AnswerFrame.of(new AnswerEvent.ContentDelta(0, null)));
                case DATA_GIVES_A_NEGATIVE_INDEX ->
                    sink.accept(AnswerFrame.of(
                            new AnswerEvent.ToolCallDelta(0, -1, "id", "f", "{}"), new AnswerEvent.Completed()));
                default -> right.data(piece, sink);
            }
        }

        private static int endless(int depth) {
            return depth < 0 ? depth : endless(depth + 1) + 1;
        }

        @Override
        public void end(Consumer<AnswerFrame> sink) {
            if (fault == Fault.END_THROWS) {
                throw new IllegalStateException("end");
            }
            if (fault != Fault.END_SAYS_NOTHING) {
                right.end(sink);
            }
        }
    }

    private static TestGateway gateway(Fault fault, ScriptedUpstream up) {
        return TestGateway.start(
                Ends.providers(TestConfig.pool(up), provider -> Ends.through(provider, "broken")),
                new TestGateway.Options()
                        .plugin(new WrappedCodec("broken", right -> new BrokenProvider(fault, right)))
                        .breaker(Ends.NEVER));
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void co04WhateverAPluginThrowsCostsOneAttemptAtOnce(Fault fault) {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("hello", 1, 1));
                TestGateway gateway = gateway(fault, up)) {
            long start = System.nanoTime();
            for (int i = 0; i < 5; i++) {
                Client.Answer answer = gateway.client().chat(Client.request());
                assertThat(answer.status()).isIn(fault == Fault.ENCODE_REFUSES ? 400 : 502, 500);
                assertThat(answer.body()).doesNotContain("Exception").doesNotContain("io.sluice");
            }

            assertThat((System.nanoTime() - start) / 1e9)
                    .as("no clock had to run out")
                    .isLessThan(9);
            Ends.nothingIsHeld(gateway, 5, up);
            TestGateway.eventually(
                    "all are recorded", () -> Ends.decisions(gateway).size() == 5);
            DecisionRecord record = Ends.decisions(gateway).get(0);
            assertThat(record.attempts()).isNotEmpty();
        }
    }

    @Test
    void co04ABadChunkIsAFailureAndTheConnectionComesBack() {
        try (ScriptedUpstream up = ScriptedUpstream.streaming("data: {\"choices\":\"x\"}\n\n");
                TestGateway gateway = TestGateway.start(
                        Ends.providers(TestConfig.pool(up), provider -> Ends.limited(provider, 5)),
                        new TestGateway.Options().breaker(Ends.NEVER))) {
            for (int i = 0; i < 10; i++) {
                assertThat(gateway.client().chat(Client.streamed()).status()).isEqualTo(502);
            }
            up.play((request, wire) ->
                    wire.stream().chunk(c("a")).chunk(fin("stop")).chunk(DONE).end());

            assertThat(gateway.client().chat(Client.streamed()).text()).isEqualTo("a");
            Ends.nothingIsHeld(gateway, 1, up);
        }
    }

    /** A header of the caller that can not go on must not count against the target. */
    @Test
    void aSessionIdThatNoHeaderCanCarryIsTheCallersMistake() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.answering(200, Sse.whole("hello", 1, 1));
                TestGateway gateway = TestGateway.start(TestConfig.pool(up))) {
            for (String id : List.of("a\u000bb", "a\u0000b", "a\u007fb", "\u00e4", "a\tb")) {
                String read = gateway.client()
                        .raw(Client.rawChat(Client.request(), "X-Session-Id: " + id, "Connection: close"), 5_000);

                assertThat(read)
                        .as("session %s", id.codePointAt(id.length() / 2))
                        .matches("(?s)HTTP/1.1 (200|400) .*");
            }
            List<DecisionRecord> records = Ends.decisions(gateway);
            assertThat(records)
                    .allSatisfy(record -> assertThat(record.attempts())
                            .extracting("failure")
                            .doesNotContain(FailureClass.UPSTREAM_INTERNAL));
        }
    }
}
