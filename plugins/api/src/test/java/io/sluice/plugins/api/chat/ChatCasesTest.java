package io.sluice.plugins.api.chat;

import static io.sluice.plugins.api.chat.Bodies.assertRefused;
import static io.sluice.plugins.api.chat.Bodies.content;
import static io.sluice.plugins.api.chat.Bodies.messages;
import static io.sluice.plugins.api.chat.Bodies.parsed;
import static io.sluice.plugins.api.chat.Bodies.refused;
import static io.sluice.plugins.api.chat.Bodies.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.failure.Refusal;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of the case list as far as the parser decides them; the name begins with the row's id. */
class ChatCasesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "x \\ud83d",
                "\\ud83d x",
                "\\ude00",
                "\\ud83d\\ud83d",
                "\\ude00\\ud83d",
                "\\uD83D\\u0041",
                "\\ud83d\\\\ude00",
                "\\ud83d\\n"
            })
    void en02HalfASurrogatePair(String text) {
        assertRefused(content("\"" + text + "\""), Refusal.INVALID_JSON, null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\ud83d\\ude00", "\\\\ud83d", "\\\\\\ud83d\\ude00", "\\ud7ff", "\\ue000", "😀", "\\u00e9"})
    void en02WholeCharactersPass(String text) {
        assertThat(parsed(content("\"" + text + "\"")).body().toString()).contains(text);
    }

    @Test
    void en02AlsoInANameAndInUnknownMembers() {
        assertRefused(with(",\"x\\ud83d\":1"), Refusal.INVALID_JSON, null);
        assertRefused(with(",\"x\":{\"y\":[\"\\udfff\"]}"), Refusal.INVALID_JSON, null);
    }

    @Test
    void en05BytesThatAreNoUtf8() {
        int[][] wrong = {
            {0xC3, 0x28}, {0xFF}, {0xC0, 0x80}, {0xE2, 0x82}, {0xED, 0xA0, 0x80}, {0xF8, 0x88, 0x80, 0x80, 0x80}, {0x80}
        };
        for (int[] bytes : wrong) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.writeBytes("{\"model\":\"m1\",\"messages\":[{\"role\":\"user\",\"content\":\""
                    .getBytes(StandardCharsets.UTF_8));
            for (int each : bytes) {
                body.write(each);
            }
            body.writeBytes("\"}]}".getBytes(StandardCharsets.UTF_8));
            assertThat(refused(body.toByteArray()).refusal()).isEqualTo(Refusal.INVALID_JSON);
        }
    }

    @Test
    void sc13TheSameKeyTwiceIsNeverReadInTwoWays() {
        assertRefused(
                "{\"model\":\"cheap\",\"stream\":false,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"model\":\"expensive\"}",
                Refusal.DUPLICATE_KEY,
                null);
    }

    @Test
    void theKeyThatStandsTwiceIsNamedAndItsPlace() {
        assertThat(refused(bytes("{\"model\":\"m\",\n\"x\":{\"it's\":1,\"it's\":2}}"))
                        .message())
                .isEqualTo("an object of the body has the key \"it's\" twice; send it once (line 2, column 21)");
        String strange = "\\u0000\\u202e\\\"" + "k".repeat(500);
        assertThat(refused(bytes("{\"" + strange + "\":1,\"" + strange + "\":2}"))
                        .message())
                .contains("the key \"??\\\"kkk", "k…\" twice")
                .hasSizeLessThan(200);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void sc14UnknownMembersReachTheUpstream() {
        String members = ",\"enable_thinking\":false,\"x_vendor\":{\"a\":[1,null]},\"top_k\":20";
        ChatRequest request = parsed(with(members));
        assertThat(request.edit().set("model", "\"up\"").toBuffer().toString()).contains(members);
        assertThat(request.has("x_vendor")).isTrue();
    }

    @Test
    void sc15ValidParametersOfTheDayReachTheUpstream() {
        String members =
                ",\"stream\":true,\"max_completion_tokens\":64,\"stream_options\":{\"include_usage\":true},\"parallel_tool_calls\":false,\"reasoning_effort\":\"low\",\"service_tier\":\"flex\"";
        ChatRequest request = parsed(with(members));
        assertThat(request.body().toString()).contains(members);
        assertThat(request.streamed()).isTrue();
        assertThat(request.facts().includeUsage()).isTrue();
        assertThat(request.facts().maxTokens()).isEqualTo(64);
    }

    @Test
    void sc18OfTwoCapsTheSmallerHolds() {
        assertThat(parsed(with(",\"max_tokens\":16")).facts().maxTokens()).isEqualTo(16);
        assertThat(parsed(with(",\"max_completion_tokens\":16")).facts().maxTokens())
                .isEqualTo(16);
        assertThat(parsed(with(",\"max_tokens\":16,\"max_completion_tokens\":32"))
                        .facts()
                        .maxTokens())
                .isEqualTo(16);
        assertThat(parsed(with(",\"max_tokens\":32,\"max_completion_tokens\":16"))
                        .facts()
                        .maxTokens())
                .isEqualTo(16);
        assertThat(parsed(with(",\"max_tokens\":null,\"max_completion_tokens\":16"))
                        .facts()
                        .maxTokens())
                .isEqualTo(16);
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "system", "developer", "assistant"})
    void sc19ContentInPartsForEveryRole(String role) {
        String parts = "[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]";
        ChatRequest request = parsed(messages("[{\"role\":\"" + role + "\",\"content\":" + parts + "}]"));
        assertThat(request.body().toString()).contains(parts);
        assertThat(request.facts().images()).isZero();
    }

    @Test
    void sc19ContentInPartsOfAToolResult() {
        assertThat(parsed(
                                messages(
                                        "[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"k1\"}]},"
                                                + "{\"role\":\"tool\",\"tool_call_id\":\"k1\",\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}]"))
                        .facts()
                        .messages())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",\"stop\":\"END\"",
                ",\"stop\":[\"A\",\"B\"]",
                ",\"stop\":null",
                ",\"tool_choice\":\"auto\"",
                ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}],\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"f\"}}"
            })
    void sc21LegalUnionTypes(String members) {
        assertThat(parsed(with(members)).body().toString()).contains(members);
    }

    @Test
    void tc12AnAssistantMessageWithNullContentKeepsItsCalls() {
        String history =
                "[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"k1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"k1\",\"content\":\"ok\"}]";
        ChatRequest request = parsed(messages(history));
        assertThat(request.facts().messages()).isEqualTo(3);
        assertThat(request.edit().set("model", "\"up\"").toBuffer().toString()).contains(history);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "[{\"type\":\"text\",\"text\":\"\"}]"})
    void tc13EmptyContentBesideCalls(String content) {
        assertThat(parsed(messages("[{\"role\":\"assistant\",\"content\":" + content
                                + ",\"tool_calls\":[{\"id\":\"k1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},"
                                + "{\"role\":\"tool\",\"tool_call_id\":\"k1\",\"content\":\"ok\"}]"))
                        .facts()
                        .messages())
                .isEqualTo(2);
    }

    @Test
    void tc14NullCallsAreAbsentCalls() {
        assertThat(parsed(messages("[{\"role\":\"user\",\"content\":\"a\"},"
                                + "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":null},"
                                + "{\"role\":\"user\",\"content\":\"b\"}]"))
                        .facts()
                        .messages())
                .isEqualTo(3);
    }

    @Test
    void mx04ANestedKeyNamedModelIsNotTheModel() {
        assertThat(parsed(
                                "{\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":{\"type\":\"object\",\"properties\":{\"model\":{\"type\":\"string\"}}}}}],\"metadata\":{\"model\":\"zz\"},\"model\":\"m1\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}")
                        .facts()
                        .model())
                .isEqualTo("m1");
    }
}
