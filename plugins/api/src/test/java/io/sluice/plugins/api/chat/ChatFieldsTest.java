package io.sluice.plugins.api.chat;

import static io.sluice.plugins.api.chat.Bodies.content;
import static io.sluice.plugins.api.chat.Bodies.messages;
import static io.sluice.plugins.api.chat.Bodies.parsed;
import static io.sluice.plugins.api.chat.Bodies.refused;
import static io.sluice.plugins.api.chat.Bodies.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.json.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every field that OpenAI's clients can send is taken, and what Sluice needs of them is read rightly. */
class ChatFieldsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"audio\":{\"format\":\"mp3\",\"voice\":\"alloy\"}",
                "\"frequency_penalty\":-2.0",
                "\"function_call\":\"auto\",\"functions\":[{\"name\":\"f\",\"parameters\":{}}]",
                "\"logit_bias\":{\"50256\":-100}",
                "\"logprobs\":true,\"top_logprobs\":20",
                "\"max_completion_tokens\":1",
                "\"max_tokens\":10000000",
                "\"metadata\":{\"k\":\"v\"}",
                "\"modalities\":[\"text\",\"audio\"]",
                "\"moderation\":{\"model\":\"m\",\"policy\":{\"input\":{\"mode\":\"score\"}}}",
                "\"n\":128",
                "\"parallel_tool_calls\":false",
                "\"prediction\":{\"type\":\"content\",\"content\":\"x\"}",
                "\"presence_penalty\":0.5",
                "\"prompt_cache_key\":\"k\",\"prompt_cache_options\":{\"mode\":\"implicit\",\"ttl\":\"1h\"}",
                "\"prompt_cache_retention\":\"24h\"",
                "\"reasoning_effort\":\"xhigh\"",
                "\"response_format\":{\"type\":\"text\"}",
                "\"response_format\":{\"type\":\"json_object\"}",
                "\"response_format\":{\"json_schema\":{\"name\":\"n\",\"schema\":{},\"strict\":true},\"type\":\"json_schema\"}",
                "\"response_format\":null",
                "\"safety_identifier\":\"s\"",
                "\"seed\":-9223372036854775808",
                "\"service_tier\":\"priority\"",
                "\"stop\":[\"a\",\"b\"]",
                "\"store\":true",
                "\"stream\":false",
                "\"stream\":null,\"stream_options\":null",
                "\"stream\":true,\"stream_options\":{\"include_usage\":true,\"include_obfuscation\":false}",
                "\"temperature\":2",
                "\"tool_choice\":\"none\"",
                "\"tools\":null",
                "\"tools\":[]",
                "\"tools\":[{\"type\":\"custom\",\"custom\":{\"name\":\"c\",\"format\":{\"type\":\"text\"}}}],\"tool_choice\":{\"type\":\"custom\",\"custom\":{\"name\":\"c\"}}",
                "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"description\":\"d\",\"parameters\":{},\"strict\":true}}],\"tool_choice\":{\"type\":\"allowed_tools\",\"allowed_tools\":{\"mode\":\"auto\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]}}",
                "\"top_p\":1e-3",
                "\"user\":\"u\"",
                "\"user\":null",
                "\"verbosity\":\"low\"",
                "\"web_search_options\":{\"search_context_size\":\"low\"}"
            })
    void takesEveryFieldAndKeepsItsText(String members) throws Exception {
        ChatRequest request = parsed(with("," + members));
        assertThat(request.body().toString()).contains(members);
        JsonNode expected = StrictJson.MAPPER.readTree("{" + members + "}");
        expected.fields()
                .forEachRemaining(
                        field -> assertThat(request.member(field.getKey())).contains(field.getValue()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"text\",\"text\":\"x\",\"prompt_cache_breakpoint\":{\"mode\":\"explicit\"}}",
                "{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://x/y.png\",\"detail\":\"high\"}}",
                "{\"type\":\"input_audio\",\"input_audio\":{\"data\":\"AAAA\",\"format\":\"wav\"}}",
                "{\"type\":\"file\",\"file\":{\"file_id\":\"f\",\"filename\":\"n\"}}",
                "{\"type\":\"refusal\",\"refusal\":\"no\"}"
            })
    void takesEveryKindOfPart(String part) {
        assertThat(parsed(content("[" + part + "]")).facts().messages()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"role\":\"developer\",\"content\":\"x\",\"name\":\"n\"}",
                "{\"role\":\"system\",\"content\":\"x\"}",
                "{\"role\":\"assistant\",\"content\":\"x\",\"refusal\":null}",
                "{\"role\":\"assistant\",\"refusal\":\"no\"}",
                "{\"role\":\"assistant\",\"audio\":{\"id\":\"a\"}}",
                "{\"role\":\"assistant\",\"content\":\"x\",\"reasoning_content\":\"thought\"}",
                "{\"role\":\"assistant\",\"function_call\":{\"name\":\"f\",\"arguments\":\"{}\"}}",
                "{\"role\":\"function\",\"name\":\"f\",\"content\":null}"
            })
    void takesEveryRole(String message) {
        assertThat(parsed(messages("[" + message + "]")).facts().messages()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"role\":\"user\",\"content\":[{\"type\":\"file\",\"file\":{\"file_id\":\"f1\"}}]}",
                "{\"role\":\"user\",\"content\":[{\"type\":\"document\",\"source\":{}}]}",
                "{\"role\":\"assistant\",\"audio\":{\"id\":\"a\"}}"
            })
    void aPartWhoseLengthIsNotSeenLeavesThePromptWithoutBound(String message) {
        assertThat(parsed(messages("[" + message + "]")).facts().promptBytesMax())
                .isEqualTo(-1);
    }

    @Test
    void whoAsksForASearchAsksForOneCallOfTheProvidersTool() {
        for (String options : List.of("{}", "{\"search_context_size\":\"high\"}")) {
            ChatFacts facts = parsed(with(",\"web_search_options\":" + options)).facts();
            assertThat(facts.serverToolCalls()).isEqualTo(1);
            assertThat(facts.promptBytesMax()).as("what it finds is not seen").isEqualTo(-1);
        }
        for (String no : List.of("null", "false", "\"high\"")) {
            ChatFacts none = parsed(with(",\"web_search_options\":" + no)).facts();
            assertThat(none.serverToolCalls()).as(no).isZero();
            assertThat(none.promptBytesMax()).as(no).isPositive();
        }
    }

    @Test
    void imageDataIsNoText() {
        String image = "data:image/png;base64," + "A".repeat(5_000);
        ChatFacts facts = parsed(messages("[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"what\"},"
                        + "{\"type\":\"image_url\",\"image_url\":{\"url\":\"" + image + "\"}}]}]"))
                .facts();
        assertThat(facts.promptBytesMax()).isBetween(4, 300);
        assertThat(facts.images()).isEqualTo(1);
    }

    @Test
    void noTextHasMoreBytesThanTheBound() {
        for (int seed = 0; seed < 2_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            String text = random.ints(random.nextInt(200), 0, 0x11000)
                    .filter(each -> each < 0xD800 || each > 0xDFFF)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            String quoted = random.nextBoolean() ? JsonText.quote(text) : escaped(text);
            assertThat(parsed(content(quoted)).facts().promptBytesMax())
                    .as("seed %d", seed)
                    .isGreaterThanOrEqualTo(text.getBytes(StandardCharsets.UTF_8).length);
        }
    }

    private static String escaped(String text) {
        StringBuilder json = new StringBuilder("\"");
        text.chars().forEach(each -> json.append(String.format("\\u%04x", each)));
        return json.append('"').toString();
    }

    @Test
    void knowsThatAToolWasJustAnswered() {
        String calls = "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\","
                + "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}";
        String result = "{\"role\":\"tool\",\"tool_call_id\":\"c\",\"content\":\"1\"}";
        String question = "{\"role\":\"user\",\"content\":\"and?\"}";
        assertThat(parsed(messages("[" + calls + "," + result + "]")).facts().continuesTools())
                .isTrue();
        assertThat(parsed(messages("[" + calls + "," + result + "," + question + "]"))
                        .facts()
                        .continuesTools())
                .isFalse();
    }

    @Test
    void readsWhatSluiceNeeds() {
        ChatFacts facts = parsed("{\"user\":\"u1\",\"n\":3,\"stream\":true,\"stream_options\":{\"include_usage\":true},"
                        + "\"max_tokens\":7,\"response_format\":{\"type\":\"json_schema\"},"
                        + "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}],"
                        + "\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"user\",\"content\":"
                        + "[{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://x/y\"}}]}],\"model\":\"auto\"}")
                .facts();
        assertThat(facts)
                .usingRecursiveComparison()
                .ignoringFields("promptTokens", "promptBytesMax")
                .isEqualTo(new ChatFacts("auto", true, true, 7, 3, 0, 2, true, 1, 0, true, true, "u1", 0, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"response_format\":{\"type\":\"json_object\"}",
                "\"response_format\":{\"type\":\"json_schema\"}",
                "\"function_call\":{\"name\":\"f\"}",
                "\"tool_choice\":\"required\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]",
                "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"f\"}},"
                        + "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]"
            })
    void seesWhereOnlyACertainFormWillDo(String member) {
        assertThat(parsed(with("," + member)).facts().structured()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"response_format\":{\"type\":\"text\"}",
                "\"response_format\":null",
                "\"function_call\":\"auto\"",
                "\"tool_choice\":\"auto\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]"
            })
    void seesWhereAnyFormWillDo(String member) {
        assertThat(parsed(with("," + member)).facts().structured()).isFalse();
    }

    @Test
    void plainRequestsHavePlainFacts() {
        ChatRequest request = parsed(with(""));
        assertThat(request.facts())
                .usingRecursiveComparison()
                .ignoringFields("promptTokens", "promptBytesMax")
                .isEqualTo(new ChatFacts("m1", false, false, 0, 1, 0, 1, false, 0, 0, false, false, null, 0, false));
        assertThat(request.member("stream")).isEmpty();
        assertThat(request.has("stream")).isFalse();
        assertThat(request.tree().get("model").asText()).isEqualTo("m1");
    }

    @Test
    void theTokenEstimateFollowsTheText() {
        int few = parsed(content("\"hi\"")).facts().promptTokens();
        int many = parsed(content("\"" + "word ".repeat(800) + "\"")).facts().promptTokens();
        assertThat(few).isBetween(1, 20);
        assertThat(many - few).isBetween(990, 1_010);
    }

    @Test
    void anImageCountsAsAnImageAndNotAsTheLengthOfItsData() {
        String url = "data:image/png;base64," + "A".repeat(400_000);
        int tokens = parsed(content("[{\"type\":\"image_url\",\"image_url\":{\"url\":\"" + url + "\"}}]"))
                .facts()
                .promptTokens();
        assertThat(tokens).isBetween(ChatFacts.IMAGE_TOKENS, ChatFacts.IMAGE_TOKENS + 50);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"stream\":1",
                "\"stream\":\"true\"",
                "\"stream_options\":[]",
                "\"stream_options\":{\"include_usage\":1}",
                "\"user\":1"
            })
    void refusesWhatCouldBeMeantInTwoWays(String member) {
        assertThat(refused(with("," + member)).param()).startsWith(member.substring(1, member.indexOf('"', 1)));
    }

    @Test
    void anEndUserIdIsBounded() {
        assertThat(refused(with(",\"user\":\"" + "u".repeat(513) + "\"")).param())
                .isEqualTo("user");
    }
}
