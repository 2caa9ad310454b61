package io.sluice.plugins.openai;

import static io.sluice.plugins.openai.Wire.DONE;
import static io.sluice.plugins.openai.Wire.EVENT_STREAM;
import static io.sluice.plugins.openai.Wire.JSON;
import static io.sluice.plugins.openai.Wire.bytes;
import static io.sluice.plugins.openai.Wire.c;
import static io.sluice.plugins.openai.Wire.decode;
import static io.sluice.plugins.openai.Wire.document;
import static io.sluice.plugins.openai.Wire.event;
import static io.sluice.plugins.openai.Wire.fin;
import static io.sluice.plugins.openai.Wire.stream;
import static io.sluice.plugins.openai.Wire.usage;
import static io.sluice.plugins.openai.Wire.use;
import static io.sluice.plugins.openai.Wire.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.api.AnswerEvent.UsageReported;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.money.TokenUsage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows US of the cases, row 78 of the bad-input catalogue, and what an empty answer is worth (RF18). */
class OpenAiUsageTest {
    private static final String HI = "{\"role\":\"assistant\",\"content\":\"hi\"}";
    private static final String NOTHING = "{\"role\":\"assistant\",\"content\":\"\"}";

    private static TokenUsage usageOf(String usage) {
        return document(whole(HI, "\"stop\"", usage)).usage().orElseThrow();
    }

    /** Plain, mended, and of a stream: its first chunk says it, the chunk with the usage need not. */
    @Test
    void theServiceTierIsReportedWithTheUsage() {
        String plain = whole(HI, "\"stop\"", usage(7, 5));
        String tier = ",\"service_tier\":\"flex\"}";
        List<Answer> answers = List.of(
                document(plain.substring(0, plain.length() - 1) + tier),
                document(plain.substring(0, plain.length() - 1).replace("\"assistant\"", "null") + tier),
                stream(c("hi").replace("}\n\n", tier + "\n\n")
                        + fin("stop")
                        + event("{\"id\":\"c1\",\"choices\":[],\"usage\":" + usage(7, 5) + "}")
                        + DONE));

        for (Answer answer : answers) {
            assertThat(answer.events(UsageReported.class))
                    .extracting(UsageReported::serviceTier)
                    .containsExactly("flex");
        }
        assertThat(document(plain).events(UsageReported.class))
                .extracting(UsageReported::serviceTier)
                .containsOnlyNulls();
    }

    private static String billed(String member) {
        String usage = usage(7, 5);
        return usage.substring(0, usage.length() - 1) + "," + member + "}";
    }

    private static List<Answer> plainMendedAndStreamed(String usage) {
        String plain = whole(HI, "\"stop\"", usage);
        return List.of(
                document(plain),
                document(plain.replace("\"assistant\"", "null")),
                stream(c("hi") + fin("stop") + event("{\"id\":\"c1\",\"choices\":[],\"usage\":" + usage + "}") + DONE));
    }

    private static void searches(Answer answer, int expected) {
        assertThat(answer.events(UsageReported.class))
                .containsExactly(new UsageReported(new TokenUsage(7, 0, 0, 5, 0, false), null, expected));
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "0, 0", "1000, 1000", "null, -1", "-1, -1", "1001, -1", "1.5, -1", "'\"2\"', -1", "[], -1"})
    void searchesThatTheProviderBillsAreReportedWithTheUsage(String figure, int expected) {
        String use = "{\"web_search_requests\":" + figure + ",\"web_fetch_requests\":9}";
        for (String where : List.of("server_tool_use", "prompt_tokens_details")) {
            for (Answer answer : plainMendedAndStreamed(billed("\"" + where + "\":" + use))) {
                searches(answer, expected);
            }
        }
    }

    @Test
    void searchesThatAreReportedTwiceCountOnce() {
        String twice =
                "\"server_tool_use\":{\"web_search_requests\":%s},\"prompt_tokens_details\":{\"web_search_requests\":%s}";
        for (String usage : List.of(twice.formatted(2, 2), twice.formatted(2, null), twice.formatted(null, 2))) {
            for (Answer answer : plainMendedAndStreamed(billed(usage))) {
                searches(answer, 2);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "{\"web_fetch_requests\":2}"})
    void searchesAreNotReportedWhereTheProviderDoesNotSay(String used) {
        for (Answer answer : plainMendedAndStreamed(billed("\"server_tool_use\":" + used))) {
            searches(answer, -1);
        }
    }

    @Test
    void us01CachedTokensAreTakenOutOfThePrompt() {
        assertThat(usageOf("{\"prompt_tokens\":20000,\"completion_tokens\":1000,\"total_tokens\":21000,"
                        + "\"prompt_tokens_details\":{\"cached_tokens\":16000}}"))
                .isEqualTo(new TokenUsage(4_000, 16_000, 0, 1_000, 0, false));
    }

    @Test
    void us01DeepSeeksCacheHitsAreCachedTokens() {
        assertThat(usageOf("{\"prompt_tokens\":100,\"completion_tokens\":5,\"total_tokens\":105,"
                        + "\"prompt_cache_hit_tokens\":64,\"prompt_cache_miss_tokens\":36}"))
                .isEqualTo(new TokenUsage(36, 64, 0, 5, 0, false));
    }

    @Test
    void us03ReasoningIsPartOfTheCompletion() {
        TokenUsage usage = usageOf("{\"prompt_tokens\":64,\"completion_tokens\":135,\"completion_tokens_details\":"
                + "{\"reasoning_tokens\":78},\"total_tokens\":199}");

        assertThat(usage).isEqualTo(new TokenUsage(64, 0, 0, 57, 78, false));
        assertThat(usage.outputTotal()).isEqualTo(135);
    }

    @Test
    void us03ReasoningBesideTheCompletionIsTakenWhereTheTotalSaysSo() {
        assertThat(usageOf("{\"prompt_tokens\":64,\"completion_tokens\":10,\"completion_tokens_details\":"
                        + "{\"reasoning_tokens\":78},\"total_tokens\":152}"))
                .isEqualTo(new TokenUsage(64, 0, 0, 10, 78, false));
    }

    @Test
    void us06RunningTotalsReplaceEachOther() {
        StringBuilder body = new StringBuilder();
        for (int total : new int[] {10, 50, 100}) {
            body.append(c("x").replace("}\n\n", ",\"usage\":" + usage(7, total) + "}\n\n"));
        }

        Answer answer = stream(body + fin("stop") + DONE);

        assertThat(answer.usage()).contains(new TokenUsage(7, 0, 0, 100, 0, false));
        assertThat(answer.text()).isEqualTo("xxx");
        assertThat(answer.wireTrees()).hasSize(4).noneMatch(tree -> tree.has("usage"));
    }

    @Test
    void us06AFirstRunningTotalWithoutAnswerTokensIsHeldBack() {
        Answer answer =
                stream(c("").replace("}\n\n", ",\"usage\":" + usage(7, 0) + "}\n\n") + c("x") + fin("stop") + DONE);

        assertThat(answer.events(UsageReported.class)).isEmpty();
        assertThat(answer.completed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"prompt_tokens\":0,\"completion_tokens\":0,\"total_tokens\":0}",
                "null",
                "{\"input_tokens\":0,\"output_tokens\":9}",
                "{\"prompt_tokens\":100,\"completion_tokens\":-100,\"total_tokens\":0}",
                "{\"prompt_tokens\":1e309,\"completion_tokens\":1}",
                "{\"prompt_tokens\":\"12\",\"completion_tokens\":1}",
                "{\"prompt_tokens\":12.5,\"completion_tokens\":1}",
                "{\"prompt_tokens\":12,\"completion_tokens\":9007199254740993}",
                "{\"prompt_tokens\":99999999999999999999999,\"completion_tokens\":1}",
                "{\"prompt_tokens\":12,\"completion_tokens\":0}",
                "{\"prompt_tokens\":12}",
                "[]",
                "7"
            })
    void us08Us10Row78UsageThatCanNotBeTrueIsNotReportedAndTheTextStillIs(String usage) {
        Answer document = document(whole(HI, "\"stop\"", usage));
        Answer stream =
                stream(c("hi") + fin("stop") + event("{\"id\":\"c1\",\"choices\":[],\"usage\":" + usage + "}") + DONE);

        for (Answer answer : new Answer[] {document, stream}) {
            assertThat(answer.text()).isEqualTo("hi");
            assertThat(answer.events(UsageReported.class)).isEmpty();
            assertThat(answer.completed()).isTrue();
        }
        assertThat(document.wireTrees().get(0).has("usage")).isFalse();
    }

    @Test
    void row78DetailsThatContradictTheirTotalAreIgnored() {
        assertThat(usageOf(
                        "{\"prompt_tokens\":10,\"completion_tokens\":5,\"total_tokens\":15,\"prompt_tokens_details\":"
                                + "{\"cached_tokens\":99},\"completion_tokens_details\":{\"reasoning_tokens\":77}}"))
                .isEqualTo(new TokenUsage(10, 0, 0, 5, 0, false));
    }

    @Test
    void us13TheTextOfAnErrorIsNoOutput() {
        Answer answer = stream(c("ab") + event("{\"error\":{\"message\":\"" + "word ".repeat(2_000) + "\"}}"));

        assertThat(answer.text()).isEqualTo("ab");
        assertThat(answer.failed().message()).hasSizeLessThanOrEqualTo(OperatorText.CHARS_MAX);
    }

    @Test
    void us15UsageOfADocumentInPiecesIsRead() {
        String text = "x".repeat(100_000);
        byte[] body = bytes(whole("{\"role\":\"assistant\",\"content\":\"" + text + "\"}", "\"stop\"", usage(26, 5)));

        for (int pieceBytes : new int[] {body.length / 16, body.length - 40, 7}) {
            Answer answer = decode(false, 200, Map.of("content-type", JSON), body, pieceBytes);

            assertThat(answer.usage()).contains(new TokenUsage(26, 0, 0, 5, 0, false));
            assertThat(answer.text()).isEqualTo(text);
        }
    }

    @Test
    void us16UsageCutAnywhereIsRead() {
        byte[] body = bytes(c("a") + fin("stop") + use(26, 5) + DONE);

        for (int pieceBytes = 1; pieceBytes < body.length; pieceBytes++) {
            assertThat(decode(true, 200, Map.of("content-type", EVENT_STREAM), body, pieceBytes)
                            .usage())
                    .contains(new TokenUsage(26, 0, 0, 5, 0, false));
        }
    }

    @Test
    void rf18AnEmptyAnswerWithoutTokensIsAFailure() {
        Answer document = document(whole(NOTHING, "null", usage(0, 0)));
        Answer stream = stream(c("") + fin("stop") + DONE);

        assertThat(document.failed().failure()).isEqualTo(FailureClass.SEMANTIC);
        assertThat(stream.failed().failure()).isEqualTo(FailureClass.SEMANTIC);
    }

    @Test
    void rf18AnEmptyAnswerWithRealUsageIsAnAnswer() {
        assertThat(document(whole(NOTHING, "\"stop\"", usage(9, 1))).completed())
                .isTrue();
        assertThat(stream(c("") + fin("stop") + use(9, 1) + DONE).completed()).isTrue();
    }

    @Test
    void anEmptyAnswerOfTheContentFilterIsAnAnswer() {
        assertThat(stream(c("") + fin("content_filter") + DONE).completed()).isTrue();
    }
}
