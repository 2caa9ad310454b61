package io.sluice.plugins.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.plugins.api.AnswerDecoder;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.Provider;
import io.sluice.plugins.api.ProviderSettings;
import io.sluice.plugins.api.Upstream;
import io.sluice.plugins.api.UpstreamCall;
import io.sluice.plugins.api.chat.ChatLimits;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.ChatRequestParser;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The simulator over real HTTP, seen through its own provider. */
class SimulatorServerIT {
    private static final String TOOLS =
            ",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"weather\",\"parameters\":"
                    + "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"},\"days\":{\"type\":\"integer\"}}}}}]";

    private static Vertx vertx;
    private HttpClient client;
    private Provider provider;

    @BeforeAll
    static void startVertx() {
        vertx = Vertx.vertx();
    }

    @AfterAll
    static void stopVertx() throws Exception {
        await(vertx.close());
    }

    /** One per test: a server may get the port of an earlier one, whose connections must not be used again. */
    @BeforeEach
    void makeClient() {
        client = vertx.createHttpClient();
    }

    @AfterEach
    void closeProvider() throws Exception {
        await(client.close());
        if (provider != null) {
            await(provider.close());
        }
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private void start(String script) throws Exception {
        SimulatorProviderFactory factory = new SimulatorProviderFactory();
        Map<String, JsonNode> settings = new HashMap<>();
        StrictJson.MAPPER
                .readTree(script)
                .fields()
                .forEachRemaining(each -> settings.put(each.getKey(), each.getValue()));
        ProviderSettings of = new ProviderSettings("", settings);
        assertThat(factory.check(of)).isEmpty();
        provider = await(factory.create(of, vertx));
    }

    private List<AnswerEvent> ask(String prompt, String more) throws Exception {
        byte[] body = ("{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"" + prompt + "\"}]" + more
                        + "}")
                .getBytes(StandardCharsets.UTF_8);
        ChatRequest request = new ChatRequestParser(ChatLimits.DEFAULT)
                .parse(body)
                .fold(parsed -> parsed, refused -> {
                    throw new IllegalArgumentException(refused.message());
                });
        UpstreamCall call = provider.encode(request, new Upstream("up", Optional.empty(), 0));
        AnswerDecoder decoder = provider.decoder(request);
        List<AnswerFrame> frames = new ArrayList<>();
        RequestOptions to = new RequestOptions()
                .setMethod(HttpMethod.valueOf(call.method()))
                .setHost(provider.origin().getHost())
                .setPort(provider.origin().getPort())
                .setURI(call.path());
        Promise<Boolean> exchange = Promise.promise();
        // On one context from the start: a response may be over before a foreign thread has set its handlers.
        vertx.runOnContext(start -> client.request(to)
                .compose(out -> {
                    call.headers().forEach(header -> out.putHeader(header.getKey(), header.getValue()));
                    return out.send(call.body());
                })
                .compose(in -> {
                    decoder.head(in.statusCode(), in::getHeader);
                    in.handler(piece -> decoder.data(piece, frames::add));
                    return in.end();
                })
                .map(true)
                .otherwise(false)
                .onComplete(exchange));
        boolean regular = await(exchange.future());
        if (regular) {
            decoder.end(frames::add);
        }
        return frames.stream().flatMap(frame -> frame.events().stream()).toList();
    }

    private static String text(List<AnswerEvent> events) {
        return events.stream()
                .filter(AnswerEvent.ContentDelta.class::isInstance)
                .map(event -> ((AnswerEvent.ContentDelta) event).text())
                .collect(Collectors.joining());
    }

    private static AnswerEvent last(List<AnswerEvent> events) {
        return events.get(events.size() - 1);
    }

    @Test
    void answersTheSameWholeAndStreamedWithUsage() throws Exception {
        start("{}");

        List<AnswerEvent> whole = ask("good morning", "");
        List<AnswerEvent> streamed = ask("good morning", ",\"stream\":true");

        assertThat(text(whole)).isEqualTo("You said: good morning").isEqualTo(text(streamed));
        assertThat(whole).hasAtLeastOneElementOfType(AnswerEvent.UsageReported.class);
        assertThat(streamed).hasAtLeastOneElementOfType(AnswerEvent.UsageReported.class);
        assertThat(last(whole)).isEqualTo(new AnswerEvent.Completed());
        assertThat(last(streamed)).isEqualTo(new AnswerEvent.Completed());
    }

    @Test
    void cutsTheAnswerAtTheCap() throws Exception {
        start("{\"tokens\":50}");

        List<AnswerEvent> events = ask("hi", ",\"max_tokens\":3");

        assertThat(text(events)).isEqualTo("You said: hi");
        assertThat(events).contains(new AnswerEvent.Finished(0, io.sluice.plugins.api.FinishReason.LENGTH));
    }

    @Test
    void callsAToolWhenAskedTo() throws Exception {
        start("{}");

        List<AnswerEvent> events = ask("please call weather", TOOLS + ",\"stream\":true");

        AnswerEvent.ToolCallDelta first = (AnswerEvent.ToolCallDelta) events.stream()
                .filter(AnswerEvent.ToolCallDelta.class::isInstance)
                .findFirst()
                .orElseThrow();
        String arguments = events.stream()
                .filter(AnswerEvent.ToolCallDelta.class::isInstance)
                .map(event -> ((AnswerEvent.ToolCallDelta) event).arguments())
                .collect(Collectors.joining());
        assertThat(first.name()).isEqualTo("weather");
        assertThat(arguments).isEqualTo("{\"city\":\"x\",\"days\":1}");
        assertThat(last(events)).isEqualTo(new AnswerEvent.Completed());
    }

    @Test
    void givesEveryChoiceThatIsAskedFor() throws Exception {
        start("{}");

        List<AnswerEvent> events = ask("hi", ",\"n\":2");

        assertThat(events.stream().filter(AnswerEvent.Finished.class::isInstance))
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "rate_limit,RATE_LIMITED",
        "quota,QUOTA_EXHAUSTED",
        "internal_error,UPSTREAM_INTERNAL",
        "unavailable,OVERLOADED",
        "overloaded,OVERLOADED",
        "out_of_memory,OUT_OF_MEMORY",
        "unauthorized,AUTH",
        "bad_request,BAD_REQUEST",
        "context_length,CONTEXT_LENGTH",
        "content_filter,CONTENT_FILTER",
        "truncated,UPSTREAM_INTERNAL",
        "bad_json,UPSTREAM_INTERNAL",
        "empty,SEMANTIC",
        "error_in_stream,NETWORK",
        "html,UPSTREAM_INTERNAL"
    })
    void faultsHaveTheirClassWholeAndStreamed(String fault, FailureClass failure) throws Exception {
        start("{\"faults\":[{\"kind\":\"" + fault + "\",\"retryAfterS\":2}]}");

        for (String more : List.of("", ",\"stream\":true")) {
            AnswerEvent last = last(ask("hello there", more));
            assertThat(last).isInstanceOf(AnswerEvent.Failed.class);
            assertThat(((AnswerEvent.Failed) last).failure()).isEqualTo(failure);
        }
    }

    @Test
    void aResetGivesNoByte() throws Exception {
        start("{\"faults\":[{\"kind\":\"reset\"}]}");

        assertThat(ask("hi", "")).isEmpty();
    }

    @Test
    void wrongAndMissingUsageDeliverTheTextWithoutUsage() throws Exception {
        for (String kind : List.of("wrong_usage", "no_usage")) {
            start("{\"faults\":[{\"kind\":\"" + kind + "\"}]}");

            List<AnswerEvent> events = ask("hi", ",\"stream\":true");

            assertThat(text(events)).isEqualTo("You said: hi");
            assertThat(events).noneMatch(AnswerEvent.UsageReported.class::isInstance);
            assertThat(last(events)).isEqualTo(new AnswerEvent.Completed());
            await(provider.close());
            provider = null;
        }
    }

    @Test
    void theScriptChangesAtRunTimeAndCallsAreCounted() throws Exception {
        start("{}");
        ask("hi", "");

        assertThat(post("/_script", "{\"faults\":[{\"kind\":\"unavailable\",\"first\":1}]}")
                        .statusCode())
                .isEqualTo(200);

        assertThat(last(ask("hi", ""))).isInstanceOf(AnswerEvent.Failed.class);
        assertThat(last(ask("hi", ""))).isInstanceOf(AnswerEvent.Completed.class);
        JsonNode calls = StrictJson.MAPPER.readTree(get("/_calls"));
        assertThat(calls.path("calls").asInt()).isEqualTo(3);
        assertThat(calls.path("concurrent").asInt()).isZero();
        assertThat(calls.path("concurrentMax").asInt()).isEqualTo(1);
    }

    @Test
    void aWrongScriptIsRefusedWithEveryMistakeAndTheOldOneStays() throws Exception {
        start("{}");

        var refused = post("/_script", "{\"latency\":1,\"tokens\":-1,\"faults\":[{\"kind\":\"x\"},{}]}");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("latency is unknown", "tokens must be", "faults.0.kind", "faults.1.kind");
        assertThat(last(ask("hi", ""))).isEqualTo(new AnswerEvent.Completed());
    }

    @Test
    void aCallerWhoLeavesIsCountedAsCancelled() throws Exception {
        start("{\"faults\":[{\"kind\":\"hang\",\"afterEvents\":1}]}");
        UpstreamCall call = provider.encode(
                new ChatRequestParser(ChatLimits.DEFAULT)
                        .parse("{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}"
                                .getBytes(StandardCharsets.UTF_8))
                        .fold(parsed -> parsed, refused -> null),
                new Upstream("up", Optional.empty(), 0));

        Promise<Void> left = Promise.promise();
        vertx.runOnContext(start -> client.request(
                        HttpMethod.POST, provider.origin().getPort(), "127.0.0.1", call.path())
                .compose(out -> out.send(call.body()))
                .compose(in -> {
                    Promise<Buffer> first = Promise.promise();
                    in.handler(first::tryComplete);
                    return first.future()
                            .compose(piece -> in.request().connection().close());
                })
                .onComplete(left));
        await(left.future());

        for (int i = 0; i < 100 && !get("/_calls").contains("\"cancelled\":1"); i++) {
            Thread.sleep(20);
        }
        assertThat(get("/_calls")).contains("\"cancelled\":1", "\"concurrent\":0");
    }

    @Test
    void aPortInUseIsAnError() throws Exception {
        start("{}");

        assertThatThrownBy(() -> await(SimulatorServer.start(
                        vertx, "127.0.0.1", provider.origin().getPort(), SimulatorScript.DEFAULT)))
                .hasMessageContaining("in use");
    }

    private java.net.http.HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(java.net.http.HttpRequest.newBuilder(provider.origin().resolve(path))
                .POST(java.net.http.HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private String get(String path) throws IOException, InterruptedException {
        return send(java.net.http.HttpRequest.newBuilder(provider.origin().resolve(path))
                        .build())
                .body();
    }

    private static java.net.http.HttpResponse<String> send(java.net.http.HttpRequest request)
            throws IOException, InterruptedException {
        return java.net.http.HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
