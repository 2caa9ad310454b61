package io.sluice.plugins.openai;

import static io.sluice.plugins.openai.Wire.DONE;
import static io.sluice.plugins.openai.Wire.c;
import static io.sluice.plugins.openai.Wire.fin;
import static io.sluice.plugins.openai.Wire.tc;
import static io.sluice.plugins.openai.Wire.use;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.plugins.api.AnswerEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Answers whose JSON is right and whose shape is anything: no exception, one end, and the client sees what the gateway sees. */
class OpenAiDecoderPropertyTest {
    private static final int ANSWERS = 4_000;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @Test
    void anyShapeOfJsonIsAnsweredWithOneEnd() {
        for (int seed = 0; seed < ANSWERS; seed++) {
            Random random = new Random(seed);
            boolean streamed = random.nextBoolean();
            StringBuilder body = new StringBuilder();
            for (int i = 1 + random.nextInt(5); i > 0; i--) {
                body.append(streamed ? Wire.event(odd(random, true).toString()) : "");
            }
            body.append(streamed ? fin("stop") + DONE : odd(random, false).toString());
            try {
                Answer answer = Wire.decode(
                        streamed,
                        200,
                        Map.of("content-type", streamed ? "text/event-stream" : "application/json"),
                        Wire.bytes(body.toString()),
                        1 + random.nextInt(200));
                assertSound(answer);
            } catch (RuntimeException | AssertionError broken) {
                throw new AssertionError("seed " + seed + ": " + body, broken);
            }
        }
    }

    private static void assertSound(Answer answer) {
        assertThat(answer.events().stream().filter(AnswerEvent::terminal)).hasSize(1);
        assertThat(answer.last().terminal()).isTrue();
        for (JsonNode wire : answer.wireTrees()) {
            for (JsonNode choice : wire.path("choices")) {
                assertThat(choice.path("index").isInt()).isTrue();
                assertThat(choice.has("delta") || choice.has("message")).isTrue();
            }
        }
    }

    /** A chunk or an answer in which any member may be missing or be something else. */
    private static ObjectNode odd(Random random, boolean chunk) {
        ObjectNode said = NODES.objectNode();
        put(random, said, "role", NODES.textNode("assistant"));
        put(random, said, "content", NODES.textNode("t"));
        put(random, said, "reasoning", NODES.textNode("r"));
        ObjectNode function = NODES.objectNode();
        put(random, function, "name", NODES.textNode("f"));
        put(random, function, "arguments", NODES.textNode("{}"));
        ObjectNode call = NODES.objectNode();
        put(random, call, "index", NODES.numberNode(random.nextInt(3)));
        put(random, call, "id", NODES.textNode("id" + random.nextInt(3)));
        put(random, call, "function", function);
        put(random, said, "tool_calls", NODES.arrayNode().add(call));
        ObjectNode choice = NODES.objectNode();
        put(random, choice, "index", NODES.numberNode(random.nextInt(2)));
        put(random, choice, chunk ? "delta" : "message", said);
        put(random, choice, "finish_reason", random.nextInt(3) == 0 ? NODES.textNode("stop") : NODES.nullNode());
        ArrayNode choices = NODES.arrayNode().add(choice);
        ObjectNode root = NODES.objectNode();
        put(random, root, "id", NODES.textNode("c1"));
        put(random, root, "choices", choices);
        put(
                random,
                root,
                "usage",
                NODES.objectNode().put("prompt_tokens", 3).put("completion_tokens", random.nextInt(3)));
        return root;
    }

    private static void put(Random random, ObjectNode object, String name, JsonNode usual) {
        switch (random.nextInt(14)) {
            case 0 -> {}
            case 1 -> object.putNull(name);
            case 2 -> object.put(name, random.nextInt(5) - 2);
            case 3 -> object.put(name, "");
            case 4 -> object.set(name, NODES.arrayNode().add(1).add("x"));
            case 5 -> object.set(name, NODES.objectNode().put("y", 1));
            default -> object.set(name, usual);
        }
    }

    @Test
    void everyEventCutAtEveryByteMeansTheSame() {
        byte[] body = Wire.bytes(c("é")
                + tc(0, "a", "f", "{\"x\":")
                + tc(0, null, null, "\"🌍\"}")
                + fin("tool_calls")
                + use(26, 5)
                + DONE);
        Answer whole = Wire.stream(new String(body, java.nio.charset.StandardCharsets.UTF_8));
        List<Integer> sizes = new ArrayList<>();
        for (int pieceBytes = 1; pieceBytes <= body.length; pieceBytes++) {
            sizes.add(pieceBytes);
            Answer cut = Wire.decode(true, 200, Map.of("content-type", "text/event-stream"), body, pieceBytes);

            assertThat(cut.events()).isEqualTo(whole.events());
            assertThat(cut.wires()).isEqualTo(whole.wires());
        }
        assertThat(sizes).hasSize(body.length);
    }
}
