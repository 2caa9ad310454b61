package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.tc;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.Sse;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Answers of a provider damaged at random, heads included: whatever comes, a caller gets a whole answer, a stream that says that
 * it broke, or an error; never something in between, and nothing stays behind. A failure names its seed.
 */
class HostileProviderPropertyIT {
    private static final int SEEDS = 50;

    private static final String HEAD = "HTTP/1.1 200 X\r\nContent-Type: %s\r\nConnection: close\r\n\r\n";

    private static final String STREAM = HEAD.formatted("text/event-stream")
            + Sse.chunk("{\"role\":\"assistant\",\"content\":\"\"}", "null")
            + c("h\u00E9llo \uD83C\uDF0D")
            + ": note\n\n"
            + c(" world")
            + tc(0, "k1", "f", "{\"a\":")
            + tc(0, null, null, "1}")
            + fin("tool_calls")
            + use(26, 5)
            + DONE;

    private static final String WHOLE =
            HEAD.formatted("application/json") + Sse.whole("h\u00E9llo \uD83C\uDF0D", 26, 5);

    private static final List<String> ODDITIES = List.of(
            "\r",
            "\n\n",
            "\u0000",
            "data: ",
            "data: [DONE]\n\n",
            "{",
            "}",
            "\"",
            "[",
            "null",
            "-1",
            "1e999",
            ":",
            "\\u",
            "\uFEFF");

    private static final ObjectMapper LENIENT = new ObjectMapper();

    private static Rig rig;

    @BeforeAll
    static void start() {
        rig = new Rig();
    }

    @AfterAll
    static void stop() {
        rig.close();
    }

    private static byte[] damaged(String answer, Random random) {
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        for (int times = 1 + random.nextInt(3); times > 0 && bytes.length > 0; times--) {
            int at = random.nextInt(bytes.length);
            int to = Math.min(bytes.length, at + 1 + random.nextInt(60));
            bytes = switch (random.nextInt(5)) {
                case 0 -> flipped(bytes, at, random);
                case 1 -> joined(bytes, at, new byte[0], to);
                case 2 -> joined(bytes, to, Arrays.copyOfRange(bytes, at, to), to);
                case 3 -> joined(bytes, at, oddity(random), at);
                default -> Arrays.copyOf(bytes, at);
            };
        }
        return bytes;
    }

    /** As clients do it: a member that comes twice counts with its last value. */
    private static JsonNode parse(String json) {
        try {
            return LENIENT.readTree(json);
        } catch (JsonProcessingException notJson) {
            throw new AssertionError("not JSON: " + json, notJson);
        }
    }

    private static byte[] oddity(Random random) {
        return ODDITIES.get(random.nextInt(ODDITIES.size())).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] flipped(byte[] bytes, int at, Random random) {
        byte[] flipped = bytes.clone();
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        return flipped;
    }

    /** The bytes before {@code to}, then {@code between}, then those from {@code from} on. */
    private static byte[] joined(byte[] bytes, int to, byte[] between, int from) {
        byte[] joined = Arrays.copyOf(bytes, to + between.length + bytes.length - from);
        System.arraycopy(between, 0, joined, to, between.length);
        System.arraycopy(bytes, from, joined, to + between.length, bytes.length - from);
        return joined;
    }

    private static void plays(byte[] answer, Random random) {
        int cut = answer.length == 0 ? 0 : random.nextInt(answer.length);
        rig.plays((request, wire) -> {
            wire.raw(Arrays.copyOf(answer, cut)).raw(Arrays.copyOfRange(answer, cut, answer.length));
            wire.close();
        });
    }

    @Test
    void aDamagedStreamIsWholeOrSaysThatItIsNot() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            plays(damaged(random.nextInt(8) == 0 ? WHOLE : STREAM, random), random);

            Answer answer = rig.askStream();

            assertThat(answer.status()).as("seed %d: %s", seed, answer.body()).isIn(200, 400, 502, 503, 504);
            DecisionRecord record = rig.decision(answer);
            if (answer.status() == 200) {
                List<String> payloads = answer.payloads();
                boolean finished = false;
                for (String payload : payloads) {
                    finished |= !payload.equals("[DONE]")
                            && parse(payload).at("/choices/0/finish_reason").isTextual();
                }
                String last = payloads.get(payloads.size() - 1);
                boolean whole = last.equals("[DONE]");
                assertThat(payloads.stream().filter("[DONE]"::equals).count()
                                + payloads.stream()
                                        .filter(each -> each.startsWith("{\"error\""))
                                        .count())
                        .as("seed %d: %s", seed, answer.body())
                        .isEqualTo(1);
                assertThat(whole || last.startsWith("{\"error\""))
                        .as("seed %d: %s", seed, last)
                        .isTrue();
                assertThat(record.outcome()).as("seed %d", seed).isEqualTo(whole ? "ok" : "incomplete");
                assertThat(finished || !whole)
                        .as("seed %d: %s", seed, answer.body())
                        .isTrue();
            } else {
                assertThat(answer.json().path("error").size())
                        .as("seed %d: %s", seed, answer.body())
                        .isEqualTo(4);
            }
            assertThat(DecisionReplay.differences(record)).as("seed %d", seed).isEmpty();
        }
        rig.settled();
    }

    @Test
    void aDamagedDocumentIsWholeOrAnError() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            plays(damaged(random.nextInt(8) == 0 ? STREAM : WHOLE, random), random);

            Answer answer = rig.ask();

            assertThat(answer.status()).as("seed %d: %s", seed, answer.body()).isIn(200, 400, 502, 503, 504);
            assertThat(parse(answer.body()).path(answer.status() == 200 ? "choices" : "error"))
                    .as("seed %d: %s", seed, answer.body())
                    .isNotEmpty();
            DecisionRecord record = rig.decision(answer);
            assertThat(record.outcome().equals("ok")).as("seed %d", seed).isEqualTo(answer.status() == 200);
            assertThat(record.cost().micros()).as("seed %d", seed).isNotNegative();
            assertThat(DecisionReplay.differences(record)).as("seed %d", seed).isEmpty();
        }
        rig.settled();
    }
}
