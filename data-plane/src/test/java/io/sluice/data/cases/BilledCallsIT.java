package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.decision.DecisionLog;
import io.sluice.data.decision.DecisionLogSettings;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.upstream.UpstreamLimits;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.message.BusMessage.FindDecisions;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every way in which a call can end, beside the bill of a provider who charges for whatever it made and 100 tokens at most: under a cap
 * no call costs less here than the provider charges, but for those that it drops without a word.
 */
class BilledCallsIT {
    private static final int OUTPUT_MAX = 100;
    private static final String LIMIT = "\"max_tokens\":" + OUTPUT_MAX;
    private static final String ERROR = "{\"error\":{\"message\":\"out of order\",\"code\":500}}";

    /** A begun whole answer of more than it says. */
    private static final String HEAD =
            "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"id\":";

    /** Who ends the call. */
    private enum By {
        PROVIDER,
        CLOCK,
        CALLER,
        NODE
    }

    /** A way to end, what the provider does, and how many tokens of an answer the books have; -1 where the call is free. */
    private enum Way {
        ANSWERS(By.PROVIDER, OUTPUT_MAX, OUTPUT_MAX) {
            @Override
            void play(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
                if (streamed) {
                    wire.stream()
                            .chunk(c("word"))
                            .chunk(fin("stop") + use(10, OUTPUT_MAX) + DONE)
                            .end();
                } else {
                    wire.json(200, Sse.whole("word", 10, OUTPUT_MAX));
                }
            }
        },
        FAILS(By.PROVIDER, -1, -1) {
            @Override
            void play(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
                wire.json(500, ERROR);
            }
        },
        BEGINS_AN_ERROR_AND_FALLS_SILENT(By.CLOCK, -1, -1) {
            @Override
            void play(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
                wire.raw("HTTP/1.1 500 X\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n" + ERROR);
                wire.hang(20_000);
            }
        },
        DROPS_THE_CALL(By.PROVIDER, -1, -1) {
            @Override
            void play(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
                wire.close();
            }
        },
        BREAKS_AFTER_ITS_HEAD(By.PROVIDER, OUTPUT_MAX, 0) {
            @Override
            void play(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
                begin(streamed, wire);
                wire.close();
            }
        },
        BREAKS_AFTER_A_TOKEN(By.PROVIDER, OUTPUT_MAX, 1) {
            @Override
            void play(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
                begin(streamed, wire);
                speak(streamed, wire);
                wire.close();
            }
        },
        IS_SILENT(By.CLOCK, OUTPUT_MAX, 0) {
            @Override
            void play(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
                wire.hang(20_000);
            }
        },
        FALLS_SILENT_AFTER_ITS_HEAD(By.CLOCK, OUTPUT_MAX, 0) {
            @Override
            void play(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
                begin(streamed, wire);
                wire.hang(20_000);
            }
        },
        SAYS_TOO_MUCH(By.PROVIDER, OUTPUT_MAX, OUTPUT_MAX) {
            @Override
            void play(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
                if (streamed) {
                    ANSWERS.play(true, wire);
                } else {
                    wire.json(200, Sse.whole("x".repeat(ANSWER_BYTES_MAX), 10, OUTPUT_MAX));
                }
            }
        },
        IS_LEFT_BY_THE_CALLER(By.CALLER, OUTPUT_MAX, 0) {
            @Override
            void play(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
                wire.hang(20_000);
            }
        },
        IS_LEFT_BY_THE_NODE(By.NODE, OUTPUT_MAX, 0) {
            @Override
            void play(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
                wire.hang(20_000);
            }
        };

        private static final int ANSWER_BYTES_MAX = 100_000;

        private final By by;
        private final int whole;
        private final int stream;

        Way(By by, int whole, int stream) {
            this.by = by;
            this.whole = whole;
            this.stream = stream;
        }

        abstract void play(boolean streamed, ScriptedUpstream.Wire wire) throws IOException;

        private static void begin(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
            if (streamed) {
                wire.stream();
            } else {
                wire.raw(HEAD);
            }
        }

        private static void speak(boolean streamed, ScriptedUpstream.Wire wire) throws IOException {
            if (streamed) {
                wire.chunk(c("word"));
            } else {
                wire.raw("\"c1\",");
            }
        }

        int tokens(boolean streamed) {
            return streamed ? stream : whole;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWholeAnswer(Way way) throws Exception {
        costsWhatTheProviderCharges(way, false);
    }

    @ParameterizedTest
    @EnumSource
    void aStream(Way way) throws Exception {
        costsWhatTheProviderCharges(way, true);
    }

    private static void costsWhatTheProviderCharges(Way way, boolean streamed) throws Exception {
        AtomicLong billed = new AtomicLong();
        try (ScriptedUpstream up = ScriptedUpstream.playing((request, wire) -> {
                    billed.addAndGet(way == Way.DROPS_THE_CALL ? OUTPUT_MAX : Math.max(0, way.tokens(streamed)));
                    way.play(streamed, wire);
                });
                TestGateway gateway = TestGateway.start(
                        TestConfig.pool(up),
                        new TestGateway.Options()
                                .upstream(limited(Way.ANSWER_BYTES_MAX))
                                .breaker(Ends.NEVER))) {
            cap(gateway);
            String body = streamed ? Client.streamed(LIMIT) : Client.request(LIMIT);
            String deadline = way.by == By.CLOCK ? "1000" : "9000";
            try (Socket socket = Ends.send(gateway, body, "X-Deadline-Ms: " + deadline)) {
                TestGateway.eventually(
                        "the provider was called", () -> !up.requests().isEmpty());
                DecisionRecord record = ended(way, gateway, socket);

                assertThat(record.attempts()).hasSameSizeAs(up.requests());
                long output = 0;
                for (AttemptRecord attempt : record.attempts()) {
                    assertCounted(way, streamed, attempt);
                    output += attempt.usage().outputTotal();
                }
                assertThat(output).isEqualTo(way == Way.DROPS_THE_CALL ? 0 : billed.get());
                settlesAt(gateway, record.cost().micros());
            }
        }
    }

    private static void assertCounted(Way way, boolean streamed, AttemptRecord attempt) {
        assertThat(attempt.usage().outputTotal()).isEqualTo(Math.max(0, way.tokens(streamed)));
        assertThat(attempt.usage().promptTotal() > 0).isEqualTo(way.tokens(streamed) >= 0);
        assertThat(attempt.usage().estimated()).isEqualTo(attempt.failure() != null && way.tokens(streamed) >= 0);
        assertThat(attempt.cost().micros())
                .isEqualTo(attempt.usage().promptTotal() + 2 * attempt.usage().outputTotal());
        if (way.by == By.CALLER || way.by == By.NODE) {
            assertThat(attempt.failure()).isEqualTo(FailureClass.CANCELLED);
        }
    }

    /** Ends it, and gives what was recorded. */
    private static DecisionRecord ended(Way way, TestGateway gateway, Socket socket) throws Exception {
        if (way.by == By.NODE) {
            gateway.plane()
                    .stop(Duration.ofMillis(1))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS);
            return kept(gateway);
        }
        if (way.by == By.CALLER) {
            socket.close();
        }
        return Ends.decision(gateway);
    }

    private static DecisionRecord kept(TestGateway gateway) throws Exception {
        DecisionLog log = new DecisionLog(DecisionLogSettings.in(gateway.decisionsAt()));
        try {
            return log.find(new FindDecisions(TestConfig.T1, null, null, null, null, null, null, 10))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(20, TimeUnit.SECONDS)
                    .records()
                    .get(0);
        } finally {
            log.close();
        }
    }

    private static UpstreamLimits limited(int wholeBytesMax) {
        UpstreamLimits usual = UpstreamLimits.DEFAULT;
        return new UpstreamLimits(
                wholeBytesMax,
                usual.headerBytesMax(),
                usual.connectMs(),
                usual.connectionsMax(),
                usual.keepAliveS(),
                usual.lingerMs());
    }

    private static void cap(TestGateway gateway) {
        gateway.changeTenant(tree -> tree.with(TestConfig.cap(CapPeriod.DAY, "1")));
    }

    private static void settlesAt(TestGateway gateway, long spentMicros) {
        TestGateway.eventually("spent " + spentMicros + " and nothing held", () -> {
            List<AccountState> states = List.copyOf(gateway.authority().states());
            return !states.isEmpty()
                    && states.stream().allMatch(each -> each.spentMicros() == spentMicros && each.heldMicros() == 0);
        });
    }
}
