package io.sluice.data.cases;

import static io.sluice.data.harness.Client.request;
import static io.sluice.data.harness.Client.streamed;
import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.KeywordAnswers;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import io.sluice.tenants.routing.RoutePlan.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a lower rung gives up, and that it is told (requirements C1 to C3). */
class LadderIT {
    private static final String NOTICE = "A simpler assistant ({step}) answers.";

    private static final RungConfig RULES = new RungConfig.Rules(
            "words",
            new KeywordAnswers(
                    List.of(new KeywordAnswers.Answer(
                            List.of("money back", "refund"), List.of(), "Refunds take 5 days.")),
                    null));

    private static final RungConfig TEXT = new RungConfig.Text("sorry", "Please call us.");

    /** A chain with another second rung, where one is given, and static rungs below. */
    private static Configuration with(
            Configuration chain, Map<String, JsonNode> settings, RungConfig second, RungConfig... below) {
        TenantTree tree = chain.tenants().get(TestConfig.T1);
        ScenarioConfig chat = tree.scenarios().get("chat");
        List<RungConfig> ladder = new ArrayList<>(chat.ladder());
        if (second != null) {
            ladder.set(1, second);
        }
        ladder.addAll(List.of(below));
        Map<String, JsonNode> all = new HashMap<>(chat.settings());
        all.putAll(settings);
        return chain.with(tree.with(new ScenarioConfig(
                        chat.name(),
                        chat.version(),
                        chat.sensitivity(),
                        chat.kind(),
                        chat.core(),
                        chat.deadline(),
                        chat.firstTokenTimeout(),
                        ladder,
                        all)))
                .atEpoch(1);
    }

    private static Map<String, JsonNode> notice() {
        return Map.of("degradedNotice", TextNode.valueOf(NOTICE));
    }

    private static RungConfig lighter() {
        return new RungConfig.Pool("rung2", "pool2", 0.5, 0, "brief", null, null);
    }

    private static Map<String, JsonNode> brief() {
        JsonNodeFactory json = JsonNodeFactory.instance;
        return Map.of(
                "promptVariants",
                json.objectNode()
                        .set(
                                "brief",
                                json.objectNode().put("system", "Be brief.").put("place", "instead")));
    }

    private static String asks(String question, String... members) {
        return request(members).replace("\"hi\"", Sse.quote(question));
    }

    @Test
    void aLighterRungAsksForLessAndSaysSo() {
        String examples = "{\"role\":\"system\",\"content\":\"long\",\"y\":1.0},"
                + "{\"role\":\"user\",\"name\":\"example_user\",\"content\":\"q\"},"
                + "{\"role\":\"assistant\",\"name\":\"example_assistant\",\"content\":\"a\"},";
        String sent = request("\"max_tokens\":100", "\"x\":1.50").replace("[{", "[" + examples + "{");
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway = TestGateway.start(with(TestConfig.chain(bad, good), brief(), lighter()))) {
            Client.Answer answer = gateway.client().chat(sent);

            assertThat(bad.requests().get(0).body()).isEqualTo(sent.replace("\"auto\"", "\"m1\""));
            assertThat(good.requests().get(0).body())
                    .isEqualTo(sent.replace("\"auto\"", "\"m1\"")
                            .replace(examples, "{\"role\":\"system\",\"content\":\"Be brief.\",\"y\":1.0},")
                            .replace("\"max_tokens\":100", "\"max_tokens\":50"));
            assertThat(answer.header("x-sluice-degraded"))
                    .isEqualTo("network; shorter-answer, brief-prompt, fewer-examples");
            DecisionRecord record = gateway.decision(answer);
            assertThat(record.degraded().givenUp()).containsExactly("shorter-answer", "brief-prompt", "fewer-examples");
            assertThat(DecisionReplay.differences(record)).isEmpty();
            assertThat(gateway.metric("sluice_descents_total{reason=\"network\",step=\"rung2\""))
                    .isEqualTo(1);
        }
    }

    @Test
    void onlyWhatARequestReallyLosesIsTold() {
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway = TestGateway.start(with(
                        TestConfig.chain(bad, good),
                        Map.of(),
                        new RungConfig.Pool("rung2", "pool2", 1.0, 3, null, null, null)))) {
            assertThat(gateway.client().chat(request()).header("x-sluice-degraded"))
                    .isEqualTo("network");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"I want my MONEY BACK!", "Refund?"})
    void aKeywordIsAnsweredWithoutAModel(String question) {
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                TestGateway gateway = TestGateway.start(with(TestConfig.chain(bad), Map.of(), null, RULES, TEXT))) {
            Client.Answer answer = gateway.client().chat(asks(question));

            assertThat(answer.json().at("/choices/0/message/content").asText()).isEqualTo("Refunds take 5 days.");
            assertThat(answer.header("x-sluice-step")).isEqualTo("words");
            assertThat(answer.header("x-sluice-degraded")).isEqualTo("network; static-answer");
            assertThat(answer.header("x-sluice-model")).isNull();
            assertThat(gateway.decision(answer).degraded().givenUp()).containsExactly("static-answer");
            assertThat(gateway.metric("sluice_answers_static_total{kind=\"rules\""))
                    .isEqualTo(1);
        }
    }

    @Test
    void withoutAKeywordTheNextRungAnswers() {
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                TestGateway gateway = TestGateway.start(with(TestConfig.chain(bad), Map.of(), null, RULES, TEXT))) {
            Client.Answer answer = gateway.client().chat(asks("Where is it?"));

            assertThat(answer.json().at("/choices/0/message/content").asText()).isEqualTo("Please call us.");
            assertThat(answer.header("x-sluice-step")).isEqualTo("sorry");
            DecisionRecord record = gateway.decision(answer);
            assertThat(record.degraded().silent()).containsExactly("words");
            assertThat(DecisionReplay.differences(record)).isEmpty();
        }
    }

    @Test
    void rulesWithoutAnAnswerAndNothingBelowIsAnError() {
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                TestGateway gateway = TestGateway.start(with(TestConfig.chain(bad), Map.of(), null, RULES))) {
            Client.Answer answer = gateway.client().chat(asks("Where is it?"));

            assertThat(answer.status()).as(answer.body()).isEqualTo(502);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"response_format\":{\"type\":\"json_object\"}",
                "\"tool_choice\":\"required\",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]",
                "\"n\":2"
            })
    void aRequestThatAMachineReadsIsToldTheFailureInsteadOfAText(String member) {
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                TestGateway gateway = TestGateway.start(with(TestConfig.chain(bad), Map.of(), null, RULES, TEXT))) {
            Client.Answer answer = gateway.client().chat(asks("refund", member));

            assertThat(answer.status()).as(answer.body()).isEqualTo(502);
            DecisionRecord record = gateway.decision(answer);
            assertThat(record.plan().excluded())
                    .containsExactly(
                            new Excluded(1, -1, Reason.NEEDS_STRUCTURE), new Excluded(2, -1, Reason.NEEDS_STRUCTURE));
            assertThat(DecisionReplay.differences(record)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "compliance"})
    void aStricterKindIsNeverAnsweredByALowerRung(String kind) {
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway =
                        TestGateway.start(with(TestConfig.chain(bad, good), Map.of(), null, RULES, TEXT))) {
            Client.Answer answer = gateway.client().chat(asks("refund"), "x-request-kind", kind);

            assertThat(answer.status()).as(answer.body()).isEqualTo(502);
            assertThat(good.requests()).isEmpty();
        }
    }

    @Test
    void aNoticeIsTheFirstContentOfADegradedStream() {
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                ScriptedUpstream good = ScriptedUpstream.streaming(c("he"), c("llo"), fin("stop"), use(26, 5), DONE);
                TestGateway gateway = TestGateway.start(with(TestConfig.chain(bad, good), notice(), null))) {
            Client.Answer answer = gateway.client().chat(streamed());

            assertThat(answer.chunks().get(0).at("/choices/0/delta/content").asText())
                    .isEqualTo("A simpler assistant (rung2) answers.\n\n");
            assertThat(answer.text()).isEqualTo("A simpler assistant (rung2) answers.\n\nhello");
            assertThat(answer.done()).isTrue();
        }
    }

    @Test
    void aNoticeIsTheFirstLineOfADegradedWholeAnswer() {
        String whole = Sse.whole("he\"llo", 26, 5).replace("\"usage\"", "\"z\":1.50,\"usage\"");
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                ScriptedUpstream good = ScriptedUpstream.answering(200, whole);
                TestGateway gateway = TestGateway.start(with(TestConfig.chain(bad, good), notice(), null))) {
            Client.Answer answer = gateway.client().chat(request());

            assertThat(answer.body())
                    .isEqualTo(whole.replace("he\\\"llo", "A simpler assistant (rung2) answers.\\n\\nhe\\\"llo"));
        }
    }

    @Test
    void anAnswerOfTheFirstRungHasNoNotice() {
        try (ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway = TestGateway.start(with(TestConfig.chain(good), notice(), null, TEXT))) {
            assertThat(gateway.client().chat(request()).body()).isEqualTo(Sse.whole("hello", 26, 5));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"response_format\":{\"type\":\"json_object\"}",
                "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"n\",\"schema\":{}}}",
                "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}]",
                "\"functions\":[{\"name\":\"f\"}]"
            })
    void anAnswerForAMachineHasNoNotice(String member) {
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                ScriptedUpstream good = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
                TestGateway gateway = TestGateway.start(with(TestConfig.chain(bad, good), notice(), null))) {
            assertThat(gateway.client().chat(request(member)).body()).isEqualTo(Sse.whole("hello", 26, 5));
        }
    }

    @Test
    void keywordsAreAnsweredWithTheNoticeAndATextWithout() {
        try (ScriptedUpstream bad = ScriptedUpstream.answering(503, "{}");
                TestGateway gateway = TestGateway.start(with(TestConfig.chain(bad), notice(), null, RULES, TEXT))) {
            assertThat(gateway.client().chat(asks("refund")).body()).contains("A simpler assistant (words) answers.");
            assertThat(gateway.client().chat(asks("what?")).body()).doesNotContain("A simpler assistant");
        }
    }
}
