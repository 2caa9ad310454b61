package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream.Wire;
import io.sluice.data.harness.Sse;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A stream cut after each of its events in every way a stream can be cut (requirement A7): before the first content nobody
 * notices, afterwards the client is told once, after the finish reason nothing was lost.
 */
class StreamCutsIT {
    private static final String ROLE = Sse.chunk("{\"role\":\"assistant\",\"content\":\"\"}", "null");

    private static final List<String> EVENTS =
            List.of(ROLE, c("one "), c("two "), c("three"), fin("stop"), use(26, 5), DONE);

    /** Events from this number on have content in front of them. */
    private static final int COMMITTED = 2;

    /** From this number of events on the finish reason has come. */
    private static final int FINISHED = 5;

    private static Rig rig;

    /** A way to end a stream too early. */
    private enum Cut {
        REGULAR_END {
            @Override
            void play(Wire wire) throws IOException {
                wire.end();
            }
        },
        CLOSE {
            @Override
            void play(Wire wire) throws IOException {
                wire.close();
            }
        },
        RESET {
            @Override
            void play(Wire wire) throws IOException {
                wire.reset();
            }
        },
        HALF_EVENT {
            @Override
            void play(Wire wire) throws IOException {
                wire.chunk("data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo");
                wire.close();
            }
        },
        ERROR_OBJECT {
            @Override
            void play(Wire wire) throws IOException {
                wire.chunk("data: {\"error\":{\"message\":\"boom\",\"type\":\"server_error\",\"code\":null}}\n\n")
                        .end();
            }
        },
        SILENCE {
            @Override
            void play(Wire wire) throws IOException {
                wire.hang(20_000);
            }
        };

        abstract void play(Wire wire) throws IOException;
    }

    @BeforeAll
    static void start() {
        rig = new Rig();
    }

    @AfterAll
    static void stop() {
        rig.close();
    }

    static Stream<Arguments> cuts() {
        List<Arguments> cuts = new ArrayList<>();
        for (Cut cut : Cut.values()) {
            for (int events = 0; events < EVENTS.size(); events++) {
                boolean slow = cut == Cut.SILENCE && events != 1 && events != 2 && events != FINISHED;
                if (!slow) {
                    cuts.add(Arguments.of(cut, events));
                }
            }
        }
        return cuts.stream();
    }

    @ParameterizedTest(name = "{0} after {1} events")
    @MethodSource("cuts")
    void aCutIsInvisibleBeforeTheCommitPointAndToldOnceAfterIt(Cut cut, int events) {
        CountDownLatch seen = new CountDownLatch(1);
        String sent = String.join("", EVENTS.subList(0, events));
        rig.plays((request, wire) -> {
            wire.stream();
            if (!sent.isEmpty()) {
                wire.chunk(sent);
            }
            if (events >= COMMITTED) {
                seen.await(10, TimeUnit.SECONDS);
            }
            cut.play(wire);
        });

        try (Live live = new Live(rig.client(), Client.streamed())) {
            if (events >= COMMITTED) {
                live.until("\r\n\r\n");
                seen.countDown();
            }
            live.untilEnd();

            DecisionRecord record = rig.decision(live.header("x-request-id"));
            assertThat(DecisionReplay.differences(record)).isEmpty();
            if (events < COMMITTED) {
                assertFellBack(live, record);
            } else if (events < FINISHED) {
                assertToldOnce(live, record, text(events));
                assertThat(live.body()).doesNotContain("\"finish_reason\":\"stop\"");
                assertEstimated(record, text(events));
            } else if (cut == Cut.ERROR_OBJECT) {
                assertToldOnce(live, record, "one two three");
            } else {
                assertComplete(live, record, "one two three");
            }
        }
    }

    private static String text(int events) {
        return Stream.of("one ", "two ", "three").limit(events - 1L).collect(Collectors.joining());
    }

    private static void assertFellBack(Live live, DecisionRecord record) {
        assertComplete(live, record, Rig.SPARE);
        assertThat(live.header("x-sluice-step")).isEqualTo("rung2");
        assertThat(record.attempts()).hasSizeGreaterThan(1);
    }

    private static void assertComplete(Live live, DecisionRecord record, String text) {
        assertThat(textOf(live)).as(live.body()).isEqualTo(text);
        assertThat(live.payloads()).last().isEqualTo("[DONE]");
        assertThat(live.body()).doesNotContain("\"error\"");
        assertThat(record.outcome()).isEqualTo("ok");
        assertThat(record.cost().micros()).isPositive();
    }

    private static void assertToldOnce(Live live, DecisionRecord record, String text) {
        assertThat(textOf(live)).as(live.body()).isEqualTo(text);
        List<String> payloads = live.payloads();
        assertThat(payloads).doesNotContain("[DONE]");
        assertThat(payloads)
                .filteredOn(payload -> payload.startsWith("{\"error\""))
                .hasSize(1);
        assertThat(payloads).last().asString().startsWith("{\"error\"");
        assertThat(record.outcome()).isEqualTo("incomplete");
        assertThat(record.attempts()).hasSize(1);
        assertThat(rig.fallback().requests()).isEmpty();
    }

    /** Four bytes are a token; what was delivered is charged. */
    private static void assertEstimated(DecisionRecord record, String text) {
        assertThat(Rig.firstAttempt(record).usage().estimated()).isTrue();
        assertThat(Rig.firstAttempt(record).usage().outputTotal()).isEqualTo((text.length() + 3) / 4);
    }

    private static String textOf(Live live) {
        StringBuilder text = new StringBuilder();
        for (String payload : live.payloads()) {
            if (!payload.equals("[DONE]")) {
                JsonNode content =
                        Rig.json(payload).path("choices").path(0).path("delta").path("content");
                text.append(content.asText(""));
            }
        }
        return text.toString();
    }
}
