package io.sluice.data.jtokkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import io.sluice.plugins.api.chat.ChatLimits;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.ChatRequestParser;
import io.sluice.plugins.api.chat.PromptTokens;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.money.Vocabulary;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A counted prompt is never less than its tokens in the form in which OpenAI's models read it, whatever its texts are. */
class PromptTokensPropertyTest {
    private static final int SEEDS = 300;
    private static final JtokkitCounter COUNTER = new JtokkitCounter();
    private static final Encoding O200K = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
    private static final Encoding CL100K = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.CL100K_BASE);
    private static final String[] PIECES = {
        " the",
        "word",
        "\n",
        "\n\n",
        "  ",
        "\t",
        "{\"a\": 1}",
        "\\",
        "\"",
        "// ",
        "漢字",
        "Ünïcode",
        "😀",
        "👩‍👩‍👧",
        "\u0301",
        "0123",
        "!!!!",
        "مرحبا",
        "नमस्ते",
        "<|endoftext|>",
        "'s",
        "camelCase",
        "\r\n",
        "aaaaaaaa",
        "ﷺ",
        "\u200b",
        "𝒳"
    };

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(60); i > 0; i--) {
            if (random.nextInt(4) == 0) {
                int point = random.nextInt(0x11_0000);
                text.appendCodePoint((point >= 0xD800 && point <= 0xDFFF) || point == 0 ? 'x' : point);
            } else {
                text.append(PIECES[random.nextInt(PIECES.length)]);
            }
        }
        return text.toString();
    }

    /** As is known of the form: a start, the role, a separator, the text and an end; a tool is described in lines of comment. */
    private static long read(Encoding encoding, ObjectNode body) {
        long tokens = 3;
        for (var message : body.get("messages")) {
            tokens += 3 + encoding.countTokensOrdinary(message.get("role").asText());
            if (message.get("content").isTextual()) {
                tokens += encoding.countTokensOrdinary(message.get("content").asText());
            } else {
                StringBuilder whole = new StringBuilder();
                message.get("content")
                        .forEach(part -> whole.append(part.get("text").asText()));
                tokens += encoding.countTokensOrdinary(whole.toString());
            }
        }
        for (var tool : body.path("tools")) {
            var function = tool.get("function");
            String comment = "// " + function.get("description").asText().replace("\n", "\n// ");
            StringBuilder shown =
                    new StringBuilder(comment + "\ntype " + function.get("name").asText() + " = (_: {\n");
            function.get("parameters")
                    .get("properties")
                    .fields()
                    .forEachRemaining(each -> shown.append("// ")
                            .append(each.getValue().get("description").asText().replace("\n", "\n// "))
                            .append('\n')
                            .append(each.getKey())
                            .append("?: string,\n"));
            tokens +=
                    encoding.countTokensOrdinary(shown.append("}) => any;\n\n").toString());
        }
        return tokens;
    }

    private static ObjectNode body(Random random) {
        ObjectNode body = StrictJson.MAPPER.createObjectNode().put("model", "auto");
        ArrayNode messages = body.putArray("messages");
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            ObjectNode message = messages.addObject().put("role", random.nextBoolean() ? "user" : "system");
            if (random.nextInt(3) == 0) {
                ArrayNode parts = message.putArray("content");
                for (int part = 1 + random.nextInt(3); part > 0; part--) {
                    parts.addObject().put("type", "text").put("text", text(random));
                }
            } else {
                message.put("content", text(random));
            }
        }
        if (random.nextBoolean()) {
            ArrayNode tools = body.putArray("tools");
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                ObjectNode function = tools.addObject().put("type", "function").putObject("function");
                function.put("name", "tool_" + i).put("description", text(random));
                ObjectNode properties =
                        function.putObject("parameters").put("type", "object").putObject("properties");
                for (int property = random.nextInt(4); property > 0; property--) {
                    properties
                            .putObject("property_" + property)
                            .put("type", "string")
                            .put("description", text(random));
                }
            }
        }
        return body;
    }

    @Test
    void theCountIsNeverLessThanWhatTheModelReadsNorMoreThanTheBytes() throws JsonProcessingException {
        for (long seed = 0; seed < SEEDS; seed++) {
            ObjectNode body = body(new Random(seed));
            byte[] bytes = StrictJson.MAPPER.writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
            ChatRequest request = new ChatRequestParser(ChatLimits.DEFAULT)
                    .parse(bytes)
                    .fold(parsed -> parsed, refused -> {
                        throw new AssertionError(refused.message());
                    });
            for (Vocabulary each : Vocabulary.values()) {
                long most = PromptTokens.most(request, text -> COUNTER.tokens(each, text));
                assertThat(most)
                        .as("seed %d, %s: %s", seed, each, body)
                        .isGreaterThanOrEqualTo(read(each == Vocabulary.O200K ? O200K : CL100K, body))
                        .isLessThanOrEqualTo(request.facts().promptBytesMax());
            }
        }
    }

    @Test
    void wordsOfOneVocabularyAreCountedByThatOne() {
        String text = "Antidisestablishmentarianism, 漢字かな交じり文 and some more words.";

        assertThat(COUNTER.tokens(Vocabulary.O200K, text)).isEqualTo(O200K.countTokensOrdinary(text));
        assertThat(COUNTER.tokens(Vocabulary.CL100K, text))
                .isEqualTo(CL100K.countTokensOrdinary(text))
                .isNotEqualTo(COUNTER.tokens(Vocabulary.O200K, text));
    }

    @Test
    void aVocabularyIsThereOnceItWasAskedFor() {
        JtokkitCounter fresh = new JtokkitCounter();
        assertThat(fresh.ready(Vocabulary.CL100K)).isFalse();
        fresh.load(Vocabulary.CL100K);

        assertThat(fresh.ready(Vocabulary.CL100K)).isTrue();
        assertThat(fresh.ready(Vocabulary.O200K)).isFalse();
    }
}
