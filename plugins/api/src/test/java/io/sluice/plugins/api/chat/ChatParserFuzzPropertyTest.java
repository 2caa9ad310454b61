package io.sluice.plugins.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever the bytes: the parser answers, never throws, and what it lets through can be read by everyone after it. */
class ChatParserFuzzPropertyTest {
    private static final String RICH = "{\"model\":\"m1\",\"stream\":true,\"stream_options\":{\"include_usage\":true},"
            + "\"max_tokens\":16,\"n\":2,\"temperature\":0.70,\"user\":\"u\\u00e9\",\"seed\":12345678901234567890,"
            + "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"n\",\"schema\":{}}},"
            + "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":{\"type\":\"object\"}}}],"
            + "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"f\"}},\"metadata\":{\"k\":\"v\"},"
            + "\"messages\":[{\"role\":\"system\",\"content\":\"be brief 👍\"},{\"role\":\"user\",\"content\":["
            + "{\"type\":\"text\",\"text\":\"x \\ud83d\\ude00\"},{\"type\":\"image_url\",\"image_url\":"
            + "{\"url\":\"https://x/y.png\"}}]},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":"
            + "[{\"id\":\"k1\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
            + "{\"role\":\"tool\",\"tool_call_id\":\"k1\",\"content\":\"ok\"}]}";

    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u",
        "\\ud83d",
        "null",
        "true",
        "-",
        "1e999",
        "0",
        "\"model\":",
        "\"role\":",
        "\u0000",
        "\u2028",
        "//",
        "{\"url\":",
        "\"id\":1",
        "\"messages\":[]",
        "\"tools\":null",
        "\n"
    };

    @Test
    void randomBytesAreAnsweredNeverThrown() {
        Seeds.check(10_000, random -> {
            byte[] body = new byte[random.nextInt(200)];
            random.nextBytes(body);
            check(body);
        });
    }

    @Test
    void randomPiecesOfJsonAreAnsweredNeverThrown() {
        Seeds.check(10_000, random -> {
            StringBuilder body = new StringBuilder("{");
            for (int i = random.nextInt(40); i > 0; i--) {
                body.append(PIECES[random.nextInt(PIECES.length)]);
            }
            check(body.toString().getBytes(StandardCharsets.UTF_8));
        });
    }

    @Test
    void mutationsOfARightBodyAreAnsweredNeverThrown() {
        byte[] right = RICH.getBytes(StandardCharsets.UTF_8);
        assertThat(Bodies.parse(right)).isInstanceOf(ChatParse.Parsed.class);
        int[] parsed = {0};
        Seeds.check(30_000, random -> {
            byte[] body = right;
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                body = mutated(body, random);
            }
            parsed[0] += check(body) ? 1 : 0;
        });
        assertThat(parsed[0]).as("mutations that are still requests").isBetween(1_000, 29_000);
    }

    @Test
    void everyBeginningOfARightBodyIsRefused() throws Exception {
        byte[] right = RICH.getBytes(StandardCharsets.UTF_8);
        for (int length = 0; length < right.length; length++) {
            assertThat(check(Arrays.copyOf(right, length))).isFalse();
        }
    }

    /** Whether it was parsed; then everything else that reads the body must manage too. */
    private static boolean check(byte[] body) throws Exception {
        ChatParse outcome = Bodies.parse(body);
        if (outcome instanceof ChatParse.Refused refused) {
            assertThat(refused.refusal().status()).isEqualTo(400);
            assertThat(refused.message()).isNotBlank();
            return false;
        }
        ChatRequest request = ((ChatParse.Parsed) outcome).request();
        JsonNode tree = request.tree();
        tree.fieldNames()
                .forEachRemaining(name -> assertThat(request.member(name)).contains(tree.get(name)));
        byte[] edited = request.edit().set("model", "\"@\"").toBuffer().getBytes();
        assertThat(StrictJson.MAPPER.readTree(edited).get("model").textValue()).isEqualTo("@");
        assertThat(request.facts().model()).isEqualTo(tree.get("model").textValue());
        assertThat(request.facts().promptTokens()).isPositive();
        return true;
    }

    private static byte[] mutated(byte[] body, SplittableRandom random) {
        int at = random.nextInt(body.length);
        int length = Math.min(body.length - at, 1 + random.nextInt(20));
        return switch (random.nextInt(5)) {
            case 0 -> replaced(body, at, 1, new byte[] {(byte) random.nextInt(256)});
            case 1 -> replaced(body, at, length, new byte[0]);
            case 2 -> replaced(body, at, 0, Arrays.copyOfRange(body, at, at + length));
            case 3 -> replaced(body, at, 0, PIECES[random.nextInt(PIECES.length)].getBytes(StandardCharsets.UTF_8));
            default -> {
                int from = random.nextInt(body.length - length + 1);
                yield replaced(body, at, length, Arrays.copyOfRange(body, from, from + length));
            }
        };
    }

    private static byte[] replaced(byte[] body, int at, int length, byte[] by) {
        byte[] made = Arrays.copyOf(body, body.length - length + by.length);
        System.arraycopy(by, 0, made, at, by.length);
        System.arraycopy(body, at + length, made, at + by.length, body.length - at - length);
        return made;
    }
}
