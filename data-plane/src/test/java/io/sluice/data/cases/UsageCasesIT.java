package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.money.PriceBook;
import io.sluice.tenants.money.TokenUsage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows US01 to US16 as far as this dialect has them: what is used and what it costs. */
class UsageCasesIT {
    private static final String FOUR_HUNDRED_WORDS = "word ".repeat(400);

    private static Rig rig;

    @BeforeAll
    static void start() {
        rig = new Rig();
    }

    @AfterAll
    static void stop() {
        rig.close();
    }

    private static String whole(String content, String usage) {
        String body = Sse.whole(content, 1, 1);
        String member = ",\"usage\":" + Sse.usage(1, 1);
        return body.replace(member, usage == null ? "" : ",\"usage\":" + usage);
    }

    private static String usageChunk(String usage) {
        return "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m1\",\"choices\":[],"
                + "\"usage\":" + usage + "}\n\n";
    }

    private static TokenUsage usage(DecisionRecord record) {
        return Rig.firstAttempt(record).usage();
    }

    private static final String CACHED = "{\"prompt_tokens\":20000,\"completion_tokens\":1000,\"total_tokens\":21000,"
            + "\"prompt_tokens_details\":{\"cached_tokens\":16000}}";

    @Test
    void us01CachedTokensAreChargedOnceAtTheirOwnPrice() {
        Answer answer = rig.answers(200, whole("hi", CACHED)).ask();

        assertThat(answer.header("x-sluice-cost-usd")).isEqualTo("0.0076");
        assertThat(rig.decision(answer).cost()).hasToString("0.0076");
        assertThat(Rig.json(answer.body()).get("usage")).isEqualTo(Rig.json(CACHED));
    }

    @Test
    void us01CachedTokensOfAStreamAreChargedOnceAtTheirOwnPrice() {
        Answer answer =
                rig.streams(c("hi"), fin("stop"), usageChunk(CACHED), DONE).askStream();

        assertThat(rig.decision(answer).cost()).hasToString("0.0076");
    }

    /** The model's window is 128,000 tokens. */
    @ParameterizedTest
    @CsvSource({"1000000000, 3", "3, 1000000000", "512001, 3", "3, 512001"})
    void aReportThatNoModelCouldHaveEarnedIsAnEstimateInstead(long prompt, long completion) {
        String usage = "{\"prompt_tokens\":" + prompt + ",\"completion_tokens\":" + completion + ",\"total_tokens\":"
                + (prompt + completion) + "}";
        for (Answer answer : List.of(
                rig.answers(200, whole("hi", usage)).ask(),
                rig.streams(c("hi"), fin("stop"), usageChunk(usage), DONE).askStream())) {
            TokenUsage used = usage(rig.decision(answer));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(used.estimated()).isTrue();
            assertThat(used.promptTotal()).isBetween(1L, 100L);
            assertThat(used.outputTotal()).isBetween(1L, 10L);
        }
    }

    @Test
    void aReportOfWhatAWiderWindowAllowsIsBelieved() {
        Answer answer = rig.answers(
                        200, whole("hi", "{\"prompt_tokens\":512000,\"completion_tokens\":3,\"total_tokens\":512003}"))
                .ask();

        assertThat(usage(rig.decision(answer)).promptTotal()).isEqualTo(512_000);
    }

    @Test
    void us03ReasoningTokensAreWithinTheCompletion() {
        Answer answer = rig.answers(
                        200,
                        whole(
                                "hi",
                                "{\"prompt_tokens\":64,\"completion_tokens\":135,\"completion_tokens_details\":"
                                        + "{\"reasoning_tokens\":78},\"total_tokens\":199}"))
                .ask();

        DecisionRecord record = rig.decision(answer);
        assertThat(usage(record).outputTotal()).isEqualTo(135);
        assertThat(usage(record).reasoning()).isEqualTo(78);
        assertThat(record.cost()).hasToString("0.000334");
    }

    @Test
    void us06RunningTotalsAreNotSummed() {
        String chunk =
                "data: {\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"x\"},\"finish_reason\":null}],"
                        + "\"usage\":%s}\n\n";

        Answer answer = rig.streams(
                        chunk.formatted(Sse.usage(7, 10)),
                        chunk.formatted(Sse.usage(7, 50)),
                        chunk.formatted(Sse.usage(7, 100)),
                        fin("stop"),
                        DONE)
                .askStream();

        DecisionRecord record = rig.decision(answer);
        assertThat(usage(record).promptTotal()).isEqualTo(7);
        assertThat(usage(record).outputTotal()).isEqualTo(100);
        assertThat(record.cost()).hasToString("0.000207");
        assertThat(answer.chunks()).noneMatch(each -> each.path("usage").isObject());
    }

    /** The last two are figures that can not be: a prompt of no tokens. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"prompt_tokens\":0,\"completion_tokens\":0,\"total_tokens\":0}",
                "null",
                "{}",
                "{\"input_tokens\":0,\"output_tokens\":9}",
                "{\"prompt_tokens\":0,\"completion_tokens\":9,\"total_tokens\":9}"
            })
    void us08AProviderThatReportsNoUsageIsNotFree(String usage) {
        assertEstimated(rig.answers(200, whole(FOUR_HUNDRED_WORDS, usage)).ask());
        assertEstimated(rig.streams(c(FOUR_HUNDRED_WORDS), fin("stop"), usageChunk(usage), DONE)
                .askStream());
    }

    @Test
    void us08AnAnswerWithoutUsageIsNotFree() {
        assertEstimated(rig.answers(200, whole(FOUR_HUNDRED_WORDS, null)).ask());
    }

    @Test
    void us08AWholeAnswerTellsTheEstimateAsAStreamDoesAndIsElseAsItCame() {
        String sent = whole("hi \u00e9", null);
        Answer told = rig.answers(200, sent).ask();
        Answer stream = rig.streams(c("hi \u00e9"), fin("stop"), DONE)
                .client()
                .chat(Client.streamed("\"stream_options\":{\"include_usage\":true}"));

        JsonNode last = stream.chunks().get(stream.chunks().size() - 1);
        assertThat(told.json().get("usage")).isEqualTo(last.get("usage"));
        assertThat(told.json().at("/usage/estimated").asBoolean()).isTrue();
        assertThat(told.body()).startsWith(sent.substring(0, sent.length() - 1));
    }

    private static void assertEstimated(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        DecisionRecord record = rig.decision(answer);
        assertThat(usage(record).estimated()).isTrue();
        assertThat(usage(record).promptTotal()).isPositive();
        assertThat(usage(record).outputTotal()).isEqualTo(500);
        assertThat(record.cost().micros()).isGreaterThan(1_000);
        assertThat(record.outcome()).isEqualTo("ok");
        if (answer.header("content-type").startsWith("application/json")) {
            assertThat(answer.json().at("/usage/estimated").asBoolean()).isTrue();
            assertThat(answer.json().at("/usage/prompt_tokens").asLong())
                    .isEqualTo(usage(record).promptTotal());
            assertThat(answer.json().at("/usage/completion_tokens").asLong()).isEqualTo(500);
        }
    }

    @Test
    void us09AStreamIsChargedThoughTheClientAsksForNoUsage() {
        rig.plays((request, wire) -> {
            boolean asked =
                    Rig.json(request.body()).at("/stream_options/include_usage").asBoolean();
            wire.stream()
                    .chunk(c("hi") + fin("stop") + (asked ? use(26, 5) : "") + DONE)
                    .end();
        });

        Answer answer = rig.askStream();

        assertThat(rig.decision(answer).cost()).hasToString("0.000036");
        assertThat(usage(rig.decision(answer)).estimated()).isFalse();
        assertThat(answer.body()).doesNotContain("prompt_tokens");
    }

    @Test
    void us09AStreamIsEstimatedWhereTheProviderGivesNoUsage() {
        assertEstimated(rig.streams(c(FOUR_HUNDRED_WORDS), fin("stop"), DONE).askStream());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-100", "1e309", "\"12\"", "12.5", "99999999999999999999", "9007199254740993"})
    void us10ImpossibleFiguresNeverGiveMoneyBack(String completion) {
        String usage = "{\"prompt_tokens\":100,\"completion_tokens\":" + completion + ",\"total_tokens\":0}";

        assertEstimated(rig.answers(200, whole(FOUR_HUNDRED_WORDS, usage)).ask());
        assertEstimated(rig.streams(c(FOUR_HUNDRED_WORDS), fin("stop"), usageChunk(usage), DONE)
                .askStream());
    }

    /** What a caller reads in an answer is what it is charged for, also where the provider says what can not be. */
    @Test
    void figuresThatAreNotBelievedAreNotHandedOn() {
        String usage = "{\"prompt_tokens\":2147483648,\"completion_tokens\":2,\"total_tokens\":2147483650}";

        assertEstimated(rig.answers(200, whole(FOUR_HUNDRED_WORDS, usage)).ask());
        assertEstimated(rig.streams(c(FOUR_HUNDRED_WORDS), fin("stop"), usageChunk(usage), DONE)
                .askStream());
    }

    /** Case US14: figures that came with the first words are not those of the whole answer. */
    @Test
    void figuresThatMoreOfTheAnswerFollowsAreAnEstimate() {
        String usage = "{\"prompt_tokens\":8,\"completion_tokens\":1,\"total_tokens\":9}";

        Answer answer = rig.streams(c("a"), usageChunk(usage), c(FOUR_HUNDRED_WORDS), fin("stop"), DONE)
                .askStream();

        TokenUsage counted = usage(rig.decision(answer));
        assertThat(counted.estimated()).isTrue();
        assertThat(counted.promptTotal()).isEqualTo(8);
        assertThat(counted.outputTotal()).isEqualTo(501);
    }

    /** Where no spend cap applies an unpriced call is answered, told as of unknown cost, and counted. */
    @Test
    void us12AModelWithoutPriceIsNeverCalledFree() {
        try (Rig unpriced = new Rig()) {
            unpriced.gateway().change(configuration -> {
                TenantTree tenant = configuration.tenants().get(TestConfig.T1);
                return configuration.with(tenant.with(tenant.catalog().withPrices("m1", new PriceBook(List.of()))));
            });

            Answer answer = unpriced.answers(200, Sse.whole("hi", 10_000, 5)).ask();

            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.header("x-sluice-cost-usd")).isNull();
            assertThat(unpriced.decision(answer).cost()).isNull();
            assertThat(Rig.firstAttempt(unpriced.decision(answer)).usage().promptTotal())
                    .isEqualTo(10_000);
            assertThat(unpriced.gateway().metric("sluice_unpriced")).isEqualTo(1);
        }
    }

    @Test
    void us13TheTextOfAnErrorIsNotChargedAsOutput() {
        Answer answer = rig.streams(c("ab"), "data: {\"error\":{\"message\":\"" + "why ".repeat(2_000) + "\"}}\n\n")
                .askStream();

        DecisionRecord record = rig.decision(answer);
        assertThat(record.outcome()).isEqualTo("incomplete");
        assertThat(usage(record).outputTotal()).isEqualTo(1);
        assertThat(usage(record).estimated()).isTrue();
    }

    @Test
    void us15UsageIsReadFromABodyInManyPieces() {
        byte[] body = Sse.whole("y".repeat(100_000), 26, 5).getBytes(StandardCharsets.UTF_8);
        int inUsage = new String(body, StandardCharsets.UTF_8).indexOf("\"usage\"") + 4;
        rig.plays((request, wire) -> {
            wire.raw("HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n");
            int step = inUsage / 15;
            for (int i = 0; i < 15; i++) {
                wire.raw(Arrays.copyOfRange(body, i * step, i == 14 ? inUsage : (i + 1) * step));
                Thread.sleep(2);
            }
            wire.raw(Arrays.copyOfRange(body, inUsage, body.length));
        });

        Answer answer = rig.ask();

        assertThat(answer.response().body()).isEqualTo(body);
        assertThat(rig.decision(answer).cost()).hasToString("0.000036");
    }

    @Test
    void us16AUsageEventInTwoPiecesIsRead() {
        String event = use(26, 5);
        int cut = event.indexOf("\"comple") + 7;

        Answer answer = rig.streams(c("hi") + fin("stop"), event.substring(0, cut), event.substring(cut), DONE)
                .askStream();

        assertThat(rig.decision(answer).cost()).hasToString("0.000036");
        assertThat(usage(rig.decision(answer)).estimated()).isFalse();
    }

    @Test
    void us16UsageIsReadWhereverItsEventIsCut() {
        String event = use(26, 5);
        for (int cut = 1; cut < event.length(); cut += 7) {
            Answer answer = rig.streams(c("hi") + fin("stop") + event.substring(0, cut), event.substring(cut) + DONE)
                    .askStream();

            assertThat(rig.decision(answer).cost()).as("cut at " + cut).hasToString("0.000036");
        }
    }

    /** What several attempts used is charged together, and a failed attempt that brought nothing is free. */
    @Test
    void onlyAttemptsThatBroughtSomethingCost() {
        Answer answer = rig.answers(500, "{\"error\":{\"message\":\"boom\"}}").ask();

        DecisionRecord record = rig.decision(answer);
        assertThat(answer.json().at("/choices/0/message/content").asText()).isEqualTo(Rig.SPARE);
        assertThat(usage(record)).isEqualTo(TokenUsage.NONE);
        assertThat(record.cost()).hasToString("0.000013");
        assertThat(answer.header("x-sluice-cost-usd")).isEqualTo("0.000013");
    }

    @Test
    void usageThatTheClientAskedForIsTheChargedOne() {
        rig.streams(c(FOUR_HUNDRED_WORDS), fin("stop"), DONE);

        Answer answer = rig.client().chat(Client.streamed("\"stream_options\":{\"include_usage\":true}"));

        DecisionRecord record = rig.decision(answer);
        assertThat(answer.chunks())
                .filteredOn(chunk -> chunk.path("choices").isEmpty())
                .singleElement()
                .satisfies(last -> {
                    assertThat(last.at("/usage/completion_tokens").asLong())
                            .isEqualTo(usage(record).outputTotal());
                    assertThat(last.at("/usage/prompt_tokens").asLong())
                            .isEqualTo(usage(record).promptTotal());
                    assertThat(last.at("/usage/estimated").asBoolean()).isTrue();
                });
    }

    @Test
    void figuresOfTheProviderAreNotMarkedAsEstimated() {
        rig.streams(c("hi"), fin("stop"), use(26, 5), DONE);

        Answer answer = rig.client().chat(Client.streamed("\"stream_options\":{\"include_usage\":true}"));

        assertThat(answer.body()).contains("\"prompt_tokens\":26").doesNotContain("estimated");
    }
}
