package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.data.harness.TestGateway;
import io.sluice.data.recall.CacheSettings;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.ModelConfig;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.ProviderConfig;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.Sensitivity;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.money.Money;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cases CA01 to CA09: equal requests share an answer, and no others do. The scenario {@code faq} shares answers for ten minutes;
 * T1 and T2 have the same upstream, which counts its answers. Entries of more than 64 KiB are not kept.
 */
class CacheCasesIT {
    private static final String[] FAQ = {"x-business-scenario", "faq"};
    private static final String QUESTION = "{\"role\":\"user\",\"content\":\"hi\"}";

    private static ScriptedUpstream upstream;
    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        upstream = ScriptedUpstream.answering(500, "{}");
        gateway = TestGateway.start(
                configuration(),
                new TestGateway.Options()
                        .cache(new CacheSettings(1 << 20, 0.5, 64 << 10))
                        .eventLoops(2));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
    }

    private static Configuration configuration() {
        Configuration chain = TestConfig.chain(upstream, upstream);
        TenantTree t1 = chain.tenants().get(TestConfig.T1).with(faq());
        TenantTree t2 = chain.tenants().get(TestConfig.T2);
        // The same names for T2, with the same upstream behind them.
        TenantTree own = chain.tenants().get(TestConfig.T1);
        for (var provider : own.catalog().providers().values()) {
            t2 = t2.with(t2.catalog()
                    .with(new ProviderConfig(
                            theirs(provider.id().id()),
                            1,
                            provider.plugin(),
                            provider.baseUrl(),
                            provider.credential(),
                            null,
                            null,
                            null,
                            Map.of())));
        }
        t2 = t2.with(t2.catalog().with(new ModelConfig(theirs("m1"), 1, 128_000, 16_384, true, true, true)));
        for (String pool : List.of("pool1", "pool2")) {
            t2 = t2.with(t2.catalog()
                    .with(new PoolConfig(
                            theirs(pool), 1, Tier.STANDARD, List.of(new TargetConfig("up1", "m1", null, 100)))));
        }
        t1 = t1.with(patient());
        // A pool of its own: failures there must not send other tests' questions down a rung.
        t1 = t1.with(t1.catalog()
                .with(new PoolConfig(
                        new ScopedId(TestConfig.T1, "pool3"),
                        1,
                        Tier.STANDARD,
                        List.of(new TargetConfig("up1", "m1", null, 100)))));
        return chain.with(t1).with(t2.with(faq()));
    }

    private static ScopedId theirs(String name) {
        return new ScopedId(TestConfig.T2, name);
    }

    private static ScenarioConfig faq() {
        Map<String, JsonNode> settings = new HashMap<>();
        settings.put("streamIdle", TextNode.valueOf("PT2S"));
        settings.put("cache", Rig.json("{\"exact\":{\"ttl\":\"PT10M\"}}"));
        return new ScenarioConfig(
                "faq",
                1,
                Sensitivity.SEMANTIC,
                RequestKind.READ,
                true,
                Duration.ofSeconds(40),
                Duration.ofSeconds(15),
                List.of(
                        new RungConfig.Pool("first", "pool1", null, null),
                        new RungConfig.Pool("second", "pool2", null, null)),
                settings);
    }

    /** Shares for a second, and where both pools fail gives answers of up to an hour. */
    private static ScenarioConfig patient() {
        return new ScenarioConfig(
                "patient",
                1,
                Sensitivity.SEMANTIC,
                RequestKind.READ,
                true,
                Duration.ofSeconds(40),
                Duration.ofSeconds(15),
                List.of(
                        new RungConfig.Pool("first", "pool3", null, null),
                        new RungConfig.Cache("old", Duration.ofHours(1)),
                        new RungConfig.Text("sorry", "come back later")),
                Map.of("cache", Rig.json("{\"exact\":{\"ttl\":\"PT1S\"}}")));
    }

    private static void fails() {
        plays((request, wire) -> wire.json(429, "{\"error\":{\"message\":\"slow down\"}}"));
    }

    /** Asks the scenario {@code patient} until its answer is no longer fresh. */
    private static Client.Answer askUntilOld(String body, String... more) {
        AtomicReference<Client.Answer> answer = new AtomicReference<>();
        TestGateway.eventually("the answer is old", () -> {
            answer.set(askPatient(body, more));
            return !"first".equals(answer.get().header("x-sluice-step"));
        });
        return answer.get();
    }

    private static Client.Answer askPatient(String body, String... more) {
        List<String> headers = new ArrayList<>(List.of("x-business-scenario", "patient"));
        headers.addAll(List.of(more));
        return gateway.client().chat(body, headers.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anOldAnswerIsGivenInEitherFormWhereAllModelsFail(boolean streamed) {
        counts();
        String mark = "\"seed\":" + (streamed ? 2_001 : 2_002);
        askPatient(Client.request(mark));
        fails();
        Client.Answer old = askUntilOld(streamed ? Client.streamed(mark) : Client.request(mark));

        assertThat(old.status()).isEqualTo(200);
        assertThat(old.body()).contains("answer 1");
        assertThat(old.header("x-sluice-step")).isEqualTo("old");
        assertThat(old.header("x-sluice-model")).isEqualTo("up1/m1");
        assertThat(old.header("x-sluice-cache")).isEqualTo("hit");
        assertThat(Integer.parseInt(old.header("age"))).isPositive();
        assertThat(old.header("x-sluice-degraded")).contains("stale-cached-answer");
        DecisionRecord record = gateway.decision(old);
        assertThat(record.recall().stale().answered()).isTrue();
        assertThat(DecisionReplay.differences(record)).isEmpty();
    }

    @Test
    void whereNothingEqualWasAnsweredTheNextRungAnswers() {
        fails();
        Client.Answer text = askPatient(Client.request("\"seed\":2003"));

        assertThat(text.header("x-sluice-step")).isEqualTo("sorry");
        assertThat(text.body()).contains("come back later");
        assertThat(text.header("age")).isNull();
    }

    @Test
    void whoeverWantsANewAnswerIsGivenNoOldOne() {
        counts();
        String body = Client.request("\"seed\":2004");
        askPatient(body);
        fails();

        assertThat(askPatient(body, "cache-control", "no-cache").header("x-sluice-step"))
                .isEqualTo("sorry");
    }

    private static Client.Answer ask(String body, String... more) {
        List<String> headers = new ArrayList<>(List.of(FAQ));
        headers.addAll(List.of(more));
        return gateway.client().chat(body, headers.toArray(String[]::new));
    }

    private static String cache(Client.Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.header("x-sluice-cache");
    }

    private static void plays(ScriptedUpstream.Script script) {
        upstream.requests().clear();
        upstream.play(script);
    }

    /** Whole and streamed answers with a number. */
    private static void counts() {
        plays((request, wire) -> {
            String text = "answer " + upstream.requests().size();
            if (request.body().contains("\"stream\":true")) {
                wire.stream()
                        .chunk(Sse.chunk("{\"role\":\"assistant\"}", "null"))
                        .chunk(Sse.c(text))
                        .chunk(Sse.fin("stop") + Sse.use(3, 2) + Sse.DONE)
                        .end();
            } else {
                wire.json(200, Sse.whole(text, 3, 2));
            }
        });
    }

    /** Case RF18: with tokens of an answer an empty one is an answer, but nothing that anybody else should get. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerThatSaysNothingIsNotKept(boolean streamed) {
        for (String text : new String[] {"", "\n"}) {
            plays((request, wire) -> {
                if (streamed) {
                    wire.stream()
                            .chunk(Sse.c(text) + Sse.fin("stop") + Sse.use(3, 1) + Sse.DONE)
                            .end();
                } else {
                    wire.json(200, Sse.whole(text, 3, 1));
                }
            });
            String mark = "\"seed\":" + (3_000 + 2 * text.length() + (streamed ? 1 : 0));
            String body = streamed ? Client.streamed(mark) : Client.request(mark);

            assertThat(List.of(cache(ask(body)), cache(ask(body)))).containsExactly("miss", "miss");
        }
    }

    @Test
    void ca01NoTenantIsServedAnothersAnswer() {
        counts();
        String body = Client.request("\"temperature\":0", "\"seed\":101");
        Client.Answer first = ask(body);
        Client.Answer theirs = ask(body, "authorization", "Bearer K2");
        Client.Answer again = ask(body);

        assertThat(List.of(cache(first), cache(theirs), cache(again))).containsExactly("miss", "miss", "hit");
        assertThat(theirs.body()).isNotEqualTo(first.body());
        assertThat(again.body()).isEqualTo(first.body());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"temperature\":0         | \"temperature\":1",
                "\"temperature\":1         | \"temperature\":1.0",
                "\"top_p\":0.5             | \"top_p\":0.6",
                "\"max_tokens\":5          | \"max_tokens\":6",
                "\"seed\":1                | \"seed\":2",
                "\"stop\":\"a\"            | \"stop\":[\"a\"]",
                "\"response_format\":{\"type\":\"text\"} | \"response_format\":{\"type\":\"json_object\"}",
                "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"a\"}}] | "
                        + "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"b\"}}]",
                "\"enable_thinking\":false | \"enable_thinking\":true",
                "\"n\":1                   | \"n\":2"
            })
    void ca02EveryMemberIsPartOfTheQuestion(String one, String other) {
        counts();
        String mark = "\"metadata\":{\"case\":" + Sse.quote(one + other) + "}";
        ask(Client.request(mark, one));
        Client.Answer second = ask(Client.request(mark, other));

        assertThat(cache(second)).isNotEqualTo("hit");
        assertThat(upstream.requests()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "auto  | [{\"role\":\"user\",\"content\":\"q\"}] | pool1 | [{\"role\":\"user\",\"content\":\"q\"}]",
                "auto  | [{\"role\":\"system\",\"content\":\"A\"},{\"role\":\"user\",\"content\":\"q\"}] |"
                        + " auto | [{\"role\":\"system\",\"content\":\"B\"},{\"role\":\"user\",\"content\":\"q\"}]",
                "auto  | [{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://a/1.png\"}}]}] |"
                        + " auto | [{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://a/2.png\"}}]}]"
            })
    void ca02ModelSystemMessageAndImageArePartOfTheQuestion(
            String model, String messages, String otherModel, String otherMessages) {
        counts();
        ask("{\"model\":\"" + model + "\",\"seed\":202,\"messages\":" + messages + "}");
        Client.Answer second =
                ask("{\"model\":\"" + otherModel + "\",\"seed\":202,\"messages\":" + otherMessages + "}");

        assertThat(cache(second)).isEqualTo("miss");
        assertThat(upstream.requests()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "How do I turn ON dark mode?, How do I turn OFF dark mode?",
        "What is 17*23?,              What is 17*24?"
    })
    void ca04QuestionsThatOnlyLookAlikeShareNothing(String one, String other) {
        counts();
        ask(Client.request().replace("hi", one));
        Client.Answer second = ask(Client.request().replace("hi", other));

        assertThat(cache(second)).isEqualTo("miss");
    }

    @Test
    void ca05TheWholeConversationIsTheQuestion() {
        counts();
        String yes = ",{\"role\":\"assistant\",\"content\":\"sure?\"},{\"role\":\"user\",\"content\":\"yes\"}]}";
        ask(
                "{\"model\":\"auto\",\"messages\":[{\"role\":\"system\",\"content\":\"A\"},{\"role\":\"user\",\"content\":\"q1\"}"
                        + yes);
        Client.Answer second = ask(
                "{\"model\":\"auto\",\"messages\":[{\"role\":\"system\",\"content\":\"B\"},{\"role\":\"user\",\"content\":\"q2\"}"
                        + yes);

        assertThat(cache(second)).isEqualTo("miss");
    }

    @Test
    void ca06AStreamsAnswerIsGivenWhole() {
        counts();
        ask(Client.streamed("\"seed\":601"));
        Client.Answer whole = ask(Client.request("\"seed\":601"));

        assertThat(cache(whole)).isEqualTo("hit");
        assertThat(whole.header("content-type")).isEqualTo("application/json");
        assertThat(whole.json().at("/choices/0/message/content").asText()).isEqualTo("answer 1");
        assertThat(whole.json().at("/choices/0/finish_reason").asText()).isEqualTo("stop");
        assertThat(whole.json().at("/usage/total_tokens").asInt()).isEqualTo(5);
        assertThat(whole.json().has("error")).isFalse();
        assertThat(whole.header("x-sluice-cost-usd")).isEqualTo("0");
        assertThat(upstream.requests()).hasSize(1);
    }

    @Test
    void ca06AWholeAnswerIsStreamedWithUsageWhereItIsAskedFor() {
        counts();
        ask(Client.request("\"seed\":602"));
        Client.Answer stream = ask(Client.streamed("\"seed\":602", "\"stream_options\":{\"include_usage\":true}"));

        assertThat(cache(stream)).isEqualTo("hit");
        assertThat(stream.header("content-type")).startsWith("text/event-stream");
        assertThat(stream.text()).isEqualTo("answer 1");
        assertThat(stream.chunks().get(0).at("/choices/0/delta/role").asText()).isEqualTo("assistant");
        assertThat(stream.finishReason()).isEqualTo("stop");
        assertThat(stream.chunks()
                        .get(stream.chunks().size() - 1)
                        .at("/usage/total_tokens")
                        .asInt())
                .isEqualTo(5);
        assertThat(stream.done()).isTrue();
        assertThat(stream.body()).doesNotContain("error");
    }

    @Test
    void ca06ToolCallsAreGivenInEitherForm() {
        plays((request, wire) -> wire.stream()
                .chunk(Sse.tc(0, "call_1", "weather", "{\"city\":"))
                .chunk(Sse.tc(0, null, null, "\"Berlin\"}"))
                .chunk(Sse.fin("tool_calls") + Sse.use(3, 2) + Sse.DONE)
                .end());
        String tools = "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"weather\"}}]";
        ask(Client.streamed(tools, "\"seed\":603"));
        Client.Answer whole = ask(Client.request(tools, "\"seed\":603"));
        Client.Answer stream = ask(Client.streamed(tools, "\"seed\":603"));

        assertThat(List.of(cache(whole), cache(stream))).containsExactly("hit", "hit");
        JsonNode call = whole.json().at("/choices/0/message/tool_calls/0");
        assertThat(call.at("/id").asText()).isEqualTo("call_1");
        assertThat(call.at("/function/arguments").asText()).isEqualTo("{\"city\":\"Berlin\"}");
        assertThat(whole.json().at("/choices/0/finish_reason").asText()).isEqualTo("tool_calls");
        assertThat(Rig.calls(stream.chunks()))
                .containsExactly(new Rig.Call(0, "call_1", "weather", "{\"city\":\"Berlin\"}"));
        assertThat(stream.done()).isTrue();
    }

    @Test
    void ca08AStreamThatBeginsWithItsRoleIsKept() {
        counts();
        Client.Answer first = ask(Client.streamed("\"seed\":801"));
        Client.Answer second = ask(Client.streamed("\"seed\":801"));

        assertThat(cache(second)).isEqualTo("hit");
        assertThat(second.text()).isEqualTo("answer 1");
        assertThat(second.body()).isEqualTo(first.body());
    }

    @Test
    void ca09EveryQuestionKeepsItsOwnAnswer() throws Exception {
        plays((request, wire) -> {
            String echoed = Rig.json(request.body()).at("/messages/0/content").asText();
            wire.json(200, Sse.whole(echoed, 3, 2));
        });
        ExecutorService callers = Executors.newFixedThreadPool(40);
        int hits = 0;
        for (int round = 1; round <= 2; round++) {
            List<Future<Client.Answer>> answers = new ArrayList<>();
            IntStream.rangeClosed(1, 200)
                    .forEach(i -> answers.add(
                            callers.submit(() -> ask(Client.request().replace("hi", "echo " + i)))));
            for (int i = 1; i <= 200; i++) {
                Client.Answer answer = answers.get(i - 1).get();
                hits += cache(answer).equals("hit") ? 1 : 0;
                assertThat(answer.json().at("/choices/0/message/content").asText())
                        .isEqualTo("echo " + i);
            }
        }
        callers.shutdown();
        // A crowd may be sent to the lower rung, whose answers are not kept.
        assertThat(hits).isBetween(1, 200);
    }

    @Test
    void orderAndBlanksDoNotMatter() {
        counts();
        ask("{\"model\":\"auto\",\"seed\":1001,\"messages\":[" + QUESTION + "]}");
        Client.Answer second = ask("{ \"messages\" : [ " + QUESTION + " ] ,\n \"seed\" : 1001 , \"model\":\"auto\" }");

        assertThat(cache(second)).isEqualTo("hit");
        assertThat(second.header("age")).matches("[0-9]+");
        assertThat(second.header("x-sluice-model")).isEqualTo("up1/m1");
        assertThat(second.header("x-sluice-attempts")).isEqualTo("0");
    }

    @Test
    void theRecordOfAHitTellsWhoseAnswerItIsAndReplays() {
        counts();
        Client.Answer first = ask(Client.request("\"seed\":1002"));
        DecisionRecord hit = gateway.decision(ask(Client.request("\"seed\":1002")));

        assertThat(hit.outcome()).isEqualTo("cached");
        assertThat(hit.cost()).isEqualTo(Money.ZERO);
        assertThat(hit.attempts()).isEmpty();
        assertThat(hit.recall().firstTraceId()).isEqualTo(first.header("x-request-id"));
        assertThat(DecisionReplay.differences(hit)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"x-session-id,   s1", "x-end-user,     u1", "x-request-kind, write", "cache-control,  no-store"})
    void whatBelongsToSomebodyOrMustNotBeKeptIsPassedBy(String header, String value) {
        counts();
        String body = Client.request("\"seed\":1003");
        ask(body);
        Client.Answer second = ask(body, header, value);

        assertThat(cache(second)).isEqualTo("bypass");
        assertThat(second.header("age")).isNull();
    }

    @Test
    void aRequestOfANamedUserIsPassedBy() {
        counts();
        String body = Client.request("\"user\":\"u1\"");

        assertThat(List.of(cache(ask(body)), cache(ask(body)))).containsExactly("bypass", "bypass");
        assertThat(upstream.requests()).hasSize(2);
    }

    @Test
    void whoeverWantsANewAnswerGetsOneAndItIsKept() {
        counts();
        String body = Client.request("\"seed\":1004");
        ask(body);
        Client.Answer anew = ask(body, "cache-control", "no-cache");
        Client.Answer third = ask(body);

        assertThat(List.of(cache(anew), cache(third))).containsExactly("miss", "hit");
        assertThat(third.body()).isEqualTo(anew.body()).contains("answer 2");
    }

    @Test
    void scenariosWithoutACacheSayNothingOfIt() {
        counts();
        Client.Answer answer = gateway.client().chat(Client.request());

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("x-sluice-cache")).isNull();
    }

    @Test
    void whatWasCutIsNotKept() {
        String body = Client.streamed("\"seed\":1006");
        plays((request, wire) -> {
            wire.stream().chunk(Sse.c("par"));
            wire.close();
        });
        ask(body);
        counts();
        Client.Answer second = ask(body);

        assertThat(cache(second)).isEqualTo("miss");
        assertThat(second.done()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"content_filter", "no usage", "large"})
    void whatARepeatMayDoBetterIsNotKept(String which) {
        String body = Client.request("\"metadata\":{\"case\":\"" + which + "\"}");
        plays((request, wire) -> {
            String text = which.equals("large") ? "x".repeat(64 << 10) : "hello";
            String whole = Sse.whole(text, 3, 2);
            wire.json(
                    200,
                    switch (which) {
                        case "content_filter" -> whole.replace("\"stop\"", "\"content_filter\"");
                        case "no usage" -> whole.replaceAll(",\"usage\":.*", "}");
                        default -> whole;
                    });
        });
        Client.Answer first = ask(body);
        Client.Answer second = ask(body);

        assertThat(List.of(cache(first), cache(second))).containsExactly("miss", "miss");
    }

    @Test
    void aLowerRungsAnswerIsNotKept() {
        String body = Client.request("\"seed\":1007");
        plays((request, wire) -> {
            if (upstream.requests().size() == 1) {
                wire.json(429, "{\"error\":{\"message\":\"slow down\"}}");
            } else {
                wire.json(200, Sse.whole("lower", 3, 2));
            }
        });
        Client.Answer lower = ask(body);
        counts();

        assertThat(lower.header("x-sluice-step")).isEqualTo("second");
        assertThat(cache(ask(body))).isEqualTo("miss");
    }

    @Test
    void aHitUnderAKeyIsReplayedToo() {
        counts();
        String body = Client.request("\"seed\":1008");
        Client.Answer first = ask(body);
        Client.Answer hit = ask(body, "idempotency-key", "of-a-hit");
        Client.Answer replayed = ask(body, "idempotency-key", "of-a-hit");

        assertThat(cache(hit)).isEqualTo("hit");
        assertThat(replayed.header("idempotent-replayed")).isEqualTo("true");
        assertThat(replayed.body()).isEqualTo(first.body());
        assertThat(upstream.requests()).hasSize(1);
    }

    @Test
    void outcomesAreCounted() {
        counts();
        double hits = gateway.metric("sluice_cache_total{outcome=\"hit\"}");
        ask(Client.request("\"seed\":1009"));
        ask(Client.request("\"seed\":1009"));

        assertThat(gateway.metric("sluice_cache_total{outcome=\"hit\"}")).isEqualTo(hits + 1);
    }
}
