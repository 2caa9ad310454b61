package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.chunk;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.tc;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.Sse;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.failure.FailureClass;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an app developer's client expects, by the numbers of the wire facts' conformance list. Check 18 is row ST11, 19 is EN01,
 * 31 is row 64, 32 is {@link StreamCutsIT}.
 */
class ConformanceIT {
    private static Rig rig;

    @BeforeAll
    static void start() {
        rig = new Rig();
    }

    @AfterAll
    static void stop() {
        rig.close();
    }

    @BeforeEach
    void heal() {
        rig.heal();
    }

    @Test
    void check5AMinimalChatHasEverythingAClientReads() {
        Answer answer = rig.answers(200, Sse.whole("hello", 26, 5)).ask();

        JsonNode body = answer.json();
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("content-type")).startsWith("application/json");
        assertThat(body.get("id").isTextual()).isTrue();
        assertThat(body.get("object").asText()).isEqualTo("chat.completion");
        assertThat(body.get("created").isIntegralNumber()).isTrue();
        assertThat(body.get("model").isTextual()).isTrue();
        assertThat(body.at("/choices/0/message/role").asText()).isEqualTo("assistant");
        assertThat(body.at("/choices/0/message/content").asText()).isEqualTo("hello");
        assertThat(body.at("/choices/0/finish_reason").asText()).isEqualTo("stop");
        for (String figure : new String[] {"prompt_tokens", "completion_tokens", "total_tokens"}) {
            assertThat(body.path("usage").path(figure).isIntegralNumber())
                    .as(figure)
                    .isTrue();
        }
    }

    @Test
    void check5AStreamFromTheProviderBecomesTheSameWholeAnswer() {
        rig.plays((request, wire) -> wire.stream()
                .chunk(c("hel") + c("lo") + fin("stop") + use(26, 5) + DONE)
                .end());

        JsonNode body = rig.ask().json();

        assertThat(body.get("object").asText()).isEqualTo("chat.completion");
        assertThat(body.get("id").asText()).isEqualTo("c1");
        assertThat(body.at("/choices/0/message/role").asText()).isEqualTo("assistant");
        assertThat(body.at("/choices/0/message/content").asText()).isEqualTo("hello");
        assertThat(body.at("/choices/0/message/refusal").isNull()).isTrue();
        assertThat(body.at("/choices/0/finish_reason").asText()).isEqualTo("stop");
        assertThat(body.at("/usage/total_tokens").asInt()).isEqualTo(31);
    }

    @Test
    void check6TheRequestIdIsUniqueAndFindsTheDecision() {
        rig.answers(200, Sse.whole("hello", 26, 5));

        Answer one = rig.ask();
        Answer other = rig.ask();

        assertThat(one.header("x-request-id")).isNotEqualTo(other.header("x-request-id"));
        assertThat(rig.decision(one).traceId()).isEqualTo(one.header("x-request-id"));
        assertThat(Long.parseLong(one.header("x-sluice-overhead-us"))).isNotNegative();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "",
                "[]",
                "hello",
                "{\"model\":\"auto\",}",
                "{'model':'auto'}",
                "{\"model\":\"auto\"} x",
                "null"
            })
    void check7MalformedJsonIsRefused(String body) {
        Answer answer = rig.client().chat(body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().at("/error/type").asText()).isEqualTo("invalid_request_error");
        assertThat(answer.json().at("/error").size()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"model\":\"auto\"} | messages",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]} | model",
                "{\"model\":\"auto\",\"messages\":[]} | messages",
                "{\"model\":7,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]} | model",
                "{\"model\":\"auto\",\"messages\":[{\"content\":\"hi\"}]} | messages",
                "{\"model\":\"auto\",\"input\":\"hi\"} | messages"
            })
    void check8TheFieldThatIsMissingIsNamed(String body, String param) {
        Answer answer = rig.client().chat(body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().at("/error/param").asText()).startsWith(param);
        assertThat(answer.json().at("/error/message").asText()).contains(param);
    }

    @Test
    void check9UnknownFieldsGoUpstreamWithTheExactTextOfTheirNumbers() {
        rig.answers(200, Sse.whole("hi", 1, 1));

        Answer answer = rig.client()
                .chat(Client.request(
                        "\"new_knob\":{\"deep\":[1,{\"x\":null}]},\"seed\":12345678901234567890,\"top_p\":1.0e-1"));

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(rig.upstream().requests().get(0).body())
                .contains("\"new_knob\":{\"deep\":[1,{\"x\":null}]},\"seed\":12345678901234567890,\"top_p\":1.0e-1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "*/*", "text/event-stream", "image/png"})
    void check14TheBodyDecidesWhetherItStreams(String accept) {
        Answer answer = rig.streams(c("a"), fin("stop"), DONE).askStream("accept", accept);

        assertThat(answer.header("content-type")).startsWith("text/event-stream");
        assertThat(answer.header("cache-control")).isEqualTo("no-cache");
        assertThat(answer.header("content-encoding")).isNull();
        assertThat(answer.header("content-length")).isNull();
        assertThat(answer.done()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void check15TheFirstDeltaHasTheRoleAndAllChunksOneId(boolean roleSent) {
        String first = roleSent ? chunk("{\"role\":\"assistant\",\"content\":\"\"}", "null") : c("he");

        Answer answer = rig.streams(first, c("l"), c("lo").replace("\"id\":\"c1\"", "\"id\":\"c2\""), fin("stop"), DONE)
                .askStream();

        assertThat(answer.chunks().get(0).at("/choices/0/delta/role").asText()).isEqualTo("assistant");
        assertThat(answer.chunks()).allSatisfy(each -> {
            assertThat(each.get("id").asText()).isEqualTo("c1");
            assertThat(each.get("object").asText()).isEqualTo("chat.completion.chunk");
            assertThat(each.at("/choices/0/delta/role").asText("")).isIn("", "assistant");
        });
        assertThat(answer.text()).isEqualTo(roleSent ? "llo" : "hello");
        assertThat(answer.chunks())
                .filteredOn(each -> each.at("/choices/0/finish_reason").isTextual())
                .hasSize(1);
        assertThat(answer.payloads()).last().isEqualTo("[DONE]");
    }

    @Test
    void check15EveryChoiceBeginsWithItsRole() {
        Answer answer = rig.streams(
                        c("A"),
                        c("B").replace("\"index\":0", "\"index\":1"),
                        c("b").replace("\"index\":0", "\"index\":1"),
                        fin("stop"),
                        fin("stop").replace("\"index\":0", "\"index\":1"),
                        DONE)
                .askStream();

        assertThat(answer.chunks())
                .filteredOn(each -> each.at("/choices/0/delta/role").isTextual())
                .extracting(each -> each.at("/choices/0/index").asInt())
                .containsExactly(0, 1);
    }

    @Test
    void check16UsageThatIsAskedForComesOnceAndLast() {
        rig.streams(c("hi"), fin("stop"), use(26, 5), DONE);

        Answer answer = rig.client().chat(Client.streamed("\"stream_options\":{\"include_usage\":true}"));

        JsonNode last = answer.chunks().get(answer.chunks().size() - 1);
        assertThat(last.get("choices").isArray()).isTrue();
        assertThat(last.get("choices")).isEmpty();
        assertThat(last.at("/usage/total_tokens").asInt()).isEqualTo(31);
        assertThat(last.get("id").asText()).isEqualTo("c1");
        assertThat(answer.chunks())
                .filteredOn(each -> each.path("usage").isObject())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"stream_options\":{\"include_usage\":false}",
                "\"stream_options\":{}",
                "\"stream_options\":null"
            })
    void check17UsageThatIsNotAskedForIsTakenAndNotShown(String options) {
        rig.streams(c("hi"), fin("stop"), use(26, 5), DONE);

        Answer answer = rig.client().chat(options.isEmpty() ? Client.streamed() : Client.streamed(options));

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.chunks())
                .allMatch(each ->
                        !each.get("choices").isEmpty() && !each.path("usage").isObject());
        assertThat(rig.decision(answer).cost()).hasToString("0.000036");
    }

    @Test
    void check20AToolCallOfAWholeAnswerIsPassedOn() {
        String answered =
                "{\"id\":\"c1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m1\",\"choices\":[{\"index\":0,"
                        + "\"message\":{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"k\",\"type\":\"function\","
                        + "\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"a\\\":1}\"}}]},\"finish_reason\":\"tool_calls\"}],\"usage\":"
                        + Sse.usage(3, 1) + "}";

        assertThat(rig.answers(200, answered).ask().body()).isEqualTo(answered);
    }

    @Test
    void check21IdAndNameOfParallelCallsComeInTheirFirstPieceOnly() {
        Answer answer = rig.streams(
                        tc(0, "a", "f", ""),
                        tc(1, "b", "g", ""),
                        tc(0, "a", "f", "{\"x\":1}"),
                        tc(1, "b", "g", "{\"y\":2}"),
                        fin("tool_calls"),
                        DONE)
                .askStream();

        assertThat(Rig.calls(answer.chunks()))
                .containsExactly(new Rig.Call(0, "a", "f", "{\"x\":1}"), new Rig.Call(1, "b", "g", "{\"y\":2}"));
        assertThat(answer.body().split("\"id\":\"a\"", -1)).hasSize(2);
        assertThat(answer.body().split("\"name\":\"g\"", -1)).hasSize(2);
        assertThat(answer.finishReason()).isEqualTo("tool_calls");
    }

    @Test
    void check22ReasoningOfEarlierTurnsGoesBackToTheProvider() {
        String messages = "[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\",\"content\":null,"
                + "\"reasoning_content\":\"I think\",\"tool_calls\":[{\"id\":\"k1\",\"type\":\"function\","
                + "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"k1\","
                + "\"content\":\"ok\"}]";
        rig.answers(200, Sse.whole("hi", 1, 1));

        Answer answer = rig.client().chat("{\"model\":\"auto\",\"messages\":" + messages + "}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(rig.upstream().requests().get(0).body()).contains("\"messages\":" + messages);
    }

    /** Checks 23, 24, 26, 27 and 29: what is asked for goes upstream as it is. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"tool_choice\":\"required\"",
                "\"tool_choice\":\"none\"",
                "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"f\"}}",
                "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"s\",\"strict\":true,\"schema\":{\"type\":\"object\"}}}",
                "\"logprobs\":true,\"top_logprobs\":2",
                "\"max_tokens\":16",
                "\"max_completion_tokens\":16",
                "\"reasoning_effort\":\"low\"",
                "\"service_tier\":\"flex\"",
                "\"parallel_tool_calls\":false"
            })
    void checks23To27WhatIsAskedForGoesUpstream(String members) {
        rig.answers(200, Sse.whole("hi", 1, 1));
        String tools =
                "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":{\"type\":\"object\"}}}]";

        Answer answer = rig.client().chat(Client.request(tools, members));

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(rig.upstream().requests().get(0).body()).contains(members).contains(tools);
    }

    @Test
    void check25TwoChoicesAreTwo() {
        String choice =
                "{\"index\":%d,\"message\":{\"role\":\"assistant\",\"content\":\"c%d\"},\"finish_reason\":\"stop\"}";
        String answered = "{\"id\":\"c1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m1\",\"choices\":["
                + choice.formatted(0, 0) + "," + choice.formatted(1, 1) + "],\"usage\":" + Sse.usage(3, 2) + "}";
        rig.answers(200, answered);

        Answer answer = rig.client().chat(Client.request("\"n\":2"));

        assertThat(answer.body()).isEqualTo(answered);
        assertThat(rig.sent().get("n").asInt()).isEqualTo(2);
    }

    @Test
    void check26LogprobsKeepTheirShape() {
        String logprobs =
                "\"logprobs\":{\"content\":[{\"token\":\"a\",\"bytes\":[97],\"logprob\":-0.10,\"top_logprobs\":[]}],"
                        + "\"refusal\":null}";
        String event = c("a").replace("\"finish_reason\":null", "\"finish_reason\":null," + logprobs);

        Answer answer = rig.streams(event, event, fin("stop"), DONE).askStream();

        assertThat(answer.body().split(Pattern.quote(logprobs), -1)).hasSize(3);
    }

    @Test
    void check28DeveloperAndSystemRolesAreAccepted() {
        rig.answers(200, Sse.whole("hi", 1, 1));
        String messages = "[{\"role\":\"developer\",\"content\":\"d\"},{\"role\":\"system\",\"content\":\"s\"},"
                + "{\"role\":\"user\",\"content\":\"hi\"}]";

        Answer answer = rig.client().chat("{\"model\":\"auto\",\"messages\":" + messages + "}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(rig.sent().get("messages")).isEqualTo(Rig.json(messages));
    }

    @ParameterizedTest
    @ValueSource(strings = {"data:image/png;base64,iVBORw0KGgo=", "https://images.example/cat.png"})
    void check29ImagesGoUpstreamUnseen(String url) {
        rig.answers(200, Sse.whole("hi", 1, 1));

        Answer answer = rig.client()
                .chat(
                        "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":"
                                + "{\"url\":\"" + url
                                + "\",\"detail\":\"low\"}},{\"type\":\"text\",\"text\":\"what?\"}]}]}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(rig.sent().at("/messages/0/content/0/image_url/url").asText())
                .isEqualTo(url);
    }

    @Test
    void check30ThinkingIsPassedOnAndNeverMixedIntoContent() {
        String usage = "{\"prompt_tokens\":5,\"completion_tokens\":9,\"total_tokens\":14,"
                + "\"completion_tokens_details\":{\"reasoning_tokens\":7}}";
        rig.streams(
                chunk("{\"role\":\"assistant\",\"content\":null,\"reasoning_content\":\"hm\"}", "null"),
                chunk("{\"reasoning_content\":\" so\"}", "null"),
                c("yes"),
                fin("stop"),
                use(5, 9).replace(Sse.usage(5, 9), usage),
                DONE);

        Answer answer = rig.client().chat(Client.streamed("\"stream_options\":{\"include_usage\":true}"));

        StringBuilder thinking = new StringBuilder();
        answer.chunks()
                .forEach(each -> thinking.append(
                        each.at("/choices/0/delta/reasoning_content").asText("")));
        assertThat(thinking).hasToString("hm so");
        assertThat(answer.text()).isEqualTo("yes");
        JsonNode last = answer.chunks().get(answer.chunks().size() - 1);
        assertThat(last.at("/usage/completion_tokens").asInt()).isEqualTo(9);
        assertThat(last.at("/usage/completion_tokens_details/reasoning_tokens").asInt())
                .isEqualTo(7);
        assertThat(Rig.firstAttempt(rig.decision(answer)).usage().reasoning()).isEqualTo(7);
    }

    @Test
    void check30ThinkingOfAStreamIsPartOfTheWholeMessage() {
        rig.plays((request, wire) -> wire.stream()
                .chunk(chunk("{\"reasoning_content\":\"hm\"}", "null") + c("yes") + fin("stop") + DONE)
                .end());

        JsonNode message = rig.ask().json().at("/choices/0/message");

        assertThat(message.get("reasoning_content").asText()).isEqualTo("hm");
        assertThat(message.get("content").asText()).isEqualTo("yes");
    }

    @Test
    void check32AnErrorAfterContentIsOneEventWithACode() {
        Answer answer = rig.streams(c("a")).askStream();

        JsonNode last = answer.chunks().get(answer.chunks().size() - 1);
        assertThat(last.at("/error/code").asText()).isEqualTo("upstream_failed");
        assertThat(last.at("/error/type").asText()).isNotEmpty();
        assertThat(answer.body()).endsWith("}}\n\n").doesNotContain("[DONE]", "\"finish_reason\":\"");
    }

    @Test
    void check33A500BeforeTheFirstByteIsNotSeen() {
        Answer answer = rig.answers(500, "{\"error\":{\"message\":\"boom\"}}").askStream();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo(Rig.SPARE);
        assertThat(Integer.parseInt(answer.header("x-sluice-attempts"))).isEqualTo(3);
        assertThat(answer.header("x-sluice-degraded")).isEqualTo("upstream_internal");
        assertThat(rig.upstream().requests()).hasSize(2);
    }

    @Test
    void check36OverloadEverywhereSaysWhenToComeBack() {
        rig.answers(529, "{\"error\":{\"message\":\"full\",\"type\":\"overloaded_error\"}}", "Retry-After: 3");

        Answer answer = rig.ask(Rig.ALONE);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.json().at("/error/type").asText()).isEqualTo("overloaded_error");
        assertThat(Integer.parseInt(answer.header("retry-after"))).isBetween(1, 60);
        assertThat(answer.header("x-should-retry")).isNotEqualTo("false");
    }

    @Test
    void check37AContextThatIsTooLongForTheProviderIsTheCallersToMend() {
        rig.answers(
                400,
                "{\"error\":{\"message\":\"This model's maximum context length is 8192 tokens\",\"type\":"
                        + "\"invalid_request_error\",\"param\":\"messages\",\"code\":\"context_length_exceeded\"}}");

        Answer answer = rig.ask();

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("context_length_exceeded");
        assertThat(answer.json().at("/error/message").asText()).contains("maximum context length");
        DecisionRecord record = rig.decision(answer);
        assertThat(record.attempts()).hasSize(1);
        assertThat(Rig.firstAttempt(record).failure()).isEqualTo(FailureClass.CONTEXT_LENGTH);
    }

    @Test
    void check37AContextThatIsTooLongForEveryModelIsRefusedWithoutACall() {
        rig.answers(200, Sse.whole("hi", 1, 1));

        Answer answer = rig.client()
                .chat("{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"" + "word ".repeat(120_000)
                        + "\"}]}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("context_length_exceeded");
        assertThat(answer.json().at("/error/message").asText()).contains("maximum context length");
        assertThat(rig.upstream().requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"error\":{\"message\":\"no\",\"code\":\"content_filter\",\"status\":400,\"innererror\":{\"code\":\"ResponsibleAIPolicyViolation\"}}}",
                "{\"error\":{\"message\":\"no\",\"type\":\"invalid_request_error\",\"code\":\"content_policy_violation\"}}",
                "{\"code\":\"DataInspectionFailed\",\"message\":\"no\"}"
            })
    void check38AFilteredPromptIsTheCallersToMend(String body) {
        Answer answer = rig.answers(400, body).ask();

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.code()).isEqualTo("content_filter");
        assertThat(rig.decision(answer).attempts()).hasSize(1);
        assertThat(rig.fallback().requests()).isEmpty();
    }

    @Test
    void check38AFilteredAnswerKeepsItsFinishReason() {
        Answer answer =
                rig.streams(c("I "), fin("content_filter"), use(26, 5), DONE).askStream();

        assertThat(answer.text()).isEqualTo("I ");
        assertThat(answer.finishReason()).isEqualTo("content_filter");
        assertThat(answer.done()).isTrue();
        assertThat(rig.decision(answer).outcome()).isEqualTo("ok");
    }

    /** All of an answer was filtered: an answer that says why, not an empty one to be retried. */
    @Test
    void check38AnAnswerThatIsFilteredWholeIsDelivered() {
        Answer answer = rig.streams(fin("content_filter"), use(26, 0), DONE).askStream();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.finishReason()).isEqualTo("content_filter");
        assertThat(answer.done()).isTrue();
        assertThat(rig.decision(answer).attempts()).hasSize(1);
    }
}
