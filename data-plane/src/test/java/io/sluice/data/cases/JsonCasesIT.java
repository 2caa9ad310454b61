package io.sluice.data.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.data.harness.Client;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestGateway;
import io.sluice.tenants.json.StrictJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bad-input catalogue §5.3, rows 41 to 62, as a caller meets them: status, code, param and message, and no call upstream. The
 * parser's own tests have the finer variants. Rows SC11 to SC21 and MX04 follow: what must reach the upstream unharmed.
 */
class JsonCasesIT {
    private static final String SAY = "[{\"role\":\"user\",\"content\":\"canary-prompt\"}]";

    private static ScriptedUpstream upstream;
    private static ScriptedUpstream other;
    private static TestGateway gateway;
    private static Client client;
    private int callsBefore;

    @BeforeAll
    static void start() {
        upstream = ScriptedUpstream.playing((request, wire) -> {
            if (request.body().contains("\"stream\":true")) {
                wire.stream()
                        .chunk(Sse.c("hello") + Sse.fin("stop") + Sse.use(26, 5) + Sse.DONE)
                        .end();
            } else {
                wire.json(200, Sse.whole("hello", 26, 5));
            }
        });
        other = ScriptedUpstream.answering(200, Sse.whole("hello", 26, 5));
        gateway = TestGateway.start(CaseConfig.tenants(upstream, other));
        client = gateway.client();
    }

    @AfterAll
    static void stop() {
        gateway.close();
        upstream.close();
        other.close();
    }

    @BeforeEach
    void countCalls() {
        callsBefore = upstream.requests().size();
    }

    private int calls() {
        return upstream.requests().size() - callsBefore;
    }

    private static String body(String... members) {
        return "{" + String.join(",", members) + "}";
    }

    private static String with(String... members) {
        return body(Stream.concat(Stream.of("\"model\":\"m1\"", "\"messages\":" + SAY), Arrays.stream(members))
                .toArray(String[]::new));
    }

    private static String messages(String json) {
        return body("\"model\":\"m1\"", "\"messages\":" + json);
    }

    private void assertRefused(Client.Answer answer, int status, String code, String param) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        JsonNode error = answer.json().path("error");
        assertThat(error.size()).isEqualTo(4);
        assertThat(error.path("code").asText()).isEqualTo(code);
        assertThat(error.path("param").textValue()).isEqualTo(param);
        assertThat(error.path("type").asText()).isEqualTo("invalid_request_error");
        assertThat(error.path("message").asText()).isNotBlank().doesNotContain("canary", "ackson", "xception");
        assertThat(answer.header("x-should-retry")).isEqualTo("false");
        assertThat(calls()).isZero();
    }

    private static String tools(int count) {
        return "\"tools\":["
                + IntStream.range(0, count)
                        .mapToObj(i -> "{\"type\":\"function\",\"function\":{\"name\":\"f" + i + "\"}}")
                        .collect(Collectors.joining(","))
                + "]";
    }

    private static String tool(String name) {
        return "{\"type\":\"function\",\"function\":{\"name\":\"" + name + "\"}}";
    }

    static Stream<Arguments> wrongBodies() {
        String image = "[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\",\"image_url\":{\"url\":\"%s\"}}]}]";
        String imageParam = "messages[0].content[0].image_url.url";
        return Stream.of(
                wrong(
                        "41 same key",
                        body("\"model\":\"m1\"", "\"messages\":" + SAY, "\"model\":\"b\""),
                        "duplicate_key",
                        null),
                wrong(
                        "41 same key escaped",
                        body("\"model\":\"m1\"", "\"messages\":" + SAY, "\"mod\\u0065l\":\"b\""),
                        "duplicate_key",
                        null),
                wrong("41 same key deep", with("\"x\":{\"a\":[{\"b\":1,\"b\":2}]}"), "duplicate_key", null),
                wrong("42 comment", with("\"x\":1/*c*/"), "invalid_json", null),
                wrong("42 line comment", with("\"x\":1//c\n"), "invalid_json", null),
                wrong("42 trailing comma", with("\"x\":1,"), "invalid_json", null),
                wrong("42 single quotes", with("'x':1"), "invalid_json", null),
                wrong("42 NaN", with("\"x\":NaN"), "invalid_json", null),
                wrong("42 plus", with("\"x\":+1"), "invalid_json", null),
                wrong("42 leading zero", with("\"x\":01"), "invalid_json", null),
                wrong("42 infinite", with("\"x\":1e999"), "invalid_json", "x"),
                wrong("44 zero", with("\"max_tokens\":0"), "invalid_request", "max_tokens"),
                wrong("44 negative", with("\"max_tokens\":-1"), "invalid_request", "max_tokens"),
                wrong("44 fraction", with("\"max_tokens\":1.5"), "invalid_request", "max_tokens"),
                wrong("44 text", with("\"max_tokens\":\"10\""), "invalid_request", "max_tokens"),
                wrong("44 huge", with("\"max_tokens\":9999999999999"), "invalid_request", "max_tokens"),
                wrong("44 new name", with("\"max_completion_tokens\":0"), "invalid_request", "max_completion_tokens"),
                wrong("45 depth 1001", with("\"x\":" + "[".repeat(1_001) + "]".repeat(1_001)), "invalid_json", null),
                wrong("45 depth 200000", with("\"x\":" + "[".repeat(200_000)), "invalid_json", null),
                wrong("46 many keys", with("\"x\":{" + equalHashes(65_536) + "}"), "invalid_request", "x"),
                wrong("47 long key", with("\"" + "k".repeat(60_000) + "\":1"), "invalid_json", null),
                wrong("47 long number", with("\"x\":" + "1".repeat(1_001)), "invalid_json", null),
                wrong(
                        "47 string of 21 MB",
                        messages(saying("x".repeat(21 << 20))),
                        "context_length_exceeded",
                        "messages"),
                wrong("51 two objects", "{} {}", "invalid_json", null),
                wrong("51 two requests", with() + with(), "invalid_json", null),
                wrong("51 empty", "", "invalid_json", null),
                wrong("51 blank", "  \n", "invalid_json", null),
                wrong("51 array", "[]", "invalid_json", null),
                wrong("51 string", "\"x\"", "invalid_json", null),
                wrong("51 null", "null", "invalid_json", null),
                wrong("51 cut", with().substring(0, 30), "invalid_json", null),
                wrong("52 no messages", body("\"model\":\"m1\""), "invalid_request", "messages"),
                wrong("52 empty messages", messages("[]"), "invalid_request", "messages"),
                wrong("52 no array", messages("{}"), "invalid_request", "messages"),
                wrong(
                        "52 100000 messages",
                        messages("[" + "{\"role\":\"user\",\"content\":\"a\"},".repeat(99_999)
                                + "{\"role\":\"user\",\"content\":\"a\"}]"),
                        "invalid_request",
                        "messages"),
                wrong("52 no role", messages("[{\"content\":\"canary\"}]"), "invalid_request", "messages[0].role"),
                wrong(
                        "52 role root",
                        messages("[{\"role\":\"root\",\"content\":\"canary\"}]"),
                        "invalid_request",
                        "messages[0].role"),
                wrong(
                        "52 numeric content",
                        messages("[{\"role\":\"user\",\"content\":7}]"),
                        "invalid_request",
                        "messages[0].content"),
                wrong(
                        "52 10000 parts",
                        messages("[{\"role\":\"user\",\"content\":["
                                + "{\"type\":\"text\",\"text\":\"a\"},".repeat(9_999)
                                + "{\"type\":\"text\",\"text\":\"a\"}]}]"),
                        "invalid_request",
                        "messages[0].content"),
                wrong("55 1000 tools", with(tools(1_000)), "invalid_request", "tools"),
                wrong(
                        "55 name with a space",
                        with("\"tools\":[" + tool("a b") + "]"),
                        "invalid_request",
                        "tools[0].function.name"),
                wrong(
                        "55 5 MB schema",
                        with("\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"description\":\""
                                + "d".repeat(5 << 20) + "\"}}]"),
                        "invalid_request",
                        "tools"),
                wrong(
                        "56 absent tool",
                        with(tools(1), "\"tool_choice\":" + tool("g")),
                        "invalid_request",
                        "tool_choice"),
                wrong(
                        "56 unmatched result",
                        messages("[{\"role\":\"tool\",\"tool_call_id\":\"c9\",\"content\":\"canary\"}]"),
                        "invalid_request",
                        "messages[0].tool_call_id"),
                wrong(
                        "56 repeated id",
                        messages(
                                "[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\","
                                        + "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},{\"id\":\"c1\",\"type\":\"function\","
                                        + "\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}]"),
                        "invalid_request",
                        "messages[0].tool_calls[1].id"),
                wrong(
                        "57 link-local",
                        messages(image.formatted("http://169.254.169.254/latest")),
                        "invalid_request",
                        imageParam),
                wrong("57 file", messages(image.formatted("file:///etc/passwd")), "invalid_request", imageParam),
                wrong(
                        "57 SVG",
                        messages(image.formatted("data:image/svg+xml;base64,AAAA")),
                        "invalid_request",
                        imageParam),
                wrong(
                        "57 20 MB",
                        messages(image.formatted("data:image/png;base64," + "A".repeat(20 << 20))),
                        "invalid_request",
                        imageParam),
                wrong("58 api_base", with("\"api_base\":\"http://canary\""), "unknown_parameter", "api_base"),
                wrong("58 base_url", with("\"base_url\":\"http://canary\""), "unknown_parameter", "base_url"),
                wrong("58 api_key", with("\"api_key\":\"canary\""), "unknown_parameter", "api_key"),
                wrong("58 extra_headers", with("\"extra_headers\":{}"), "unknown_parameter", "extra_headers"),
                wrong("58 timeout", with("\"timeout\":1"), "unknown_parameter", "timeout"),
                wrong(
                        "58 custom_llm_provider",
                        with("\"custom_llm_provider\":\"canary\""),
                        "unknown_parameter",
                        "custom_llm_provider"),
                wrong(
                        "58 metadata of 1 MB",
                        with("\"metadata\":{\"a\":\"" + "m".repeat(1 << 20) + "\"}"),
                        "invalid_request",
                        "metadata"),
                wrong("59 too long", messages(saying("x".repeat(600_000))), "context_length_exceeded", "messages"));
    }

    private static Arguments wrong(String row, String body, String code, String param) {
        return Arguments.of(row, new Body(body), code, param);
    }

    /** Keeps megabytes out of test names. */
    record Body(String text) {
        @Override
        public String toString() {
            return text.length() + " characters";
        }
    }

    private static String saying(String text) {
        return "[{\"role\":\"user\",\"content\":\"" + text + "\"}]";
    }

    /** Keys of equal {@link String#hashCode}: each place is one of two pairs of letters with the same hash. */
    private static String equalHashes(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> IntStream.range(0, 16)
                        .mapToObj(bit -> (i >> bit & 1) == 0 ? "Aa" : "BB")
                        .collect(Collectors.joining("", "\"", "\":0")))
                .collect(Collectors.joining(","));
    }

    @ParameterizedTest(name = "row {0}")
    @MethodSource("wrongBodies")
    void row41To59AWrongBodyIsNamedAndGoesNowhere(String row, Body body, String code, String param) {
        Client.Answer answer = client.chat(body.text());

        assertRefused(answer, 400, code, param);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "UTF-16"})
    void row49AnotherEncoding(String charset) throws IOException {
        RawExchange exchange = sendBytes(with().getBytes(Charset.forName(charset)));

        assertThat(exchange.only().status()).isEqualTo(400);
        assertThat(exchange.only().code()).isEqualTo("invalid_json");
        assertThat(calls()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u00ef\u00bb\u00bf{}",
                "{\"x\":\"\u00ff\"}",
                "{\"x\":\"\u00c0\u00af\"}",
                "{\"x\":\"\u00ed\u00a0\u0080\"}"
            })
    void row49AByteOrderMarkAndBytesThatAreNoUtf8(String body) throws IOException {
        RawExchange exchange = sendBytes(body.getBytes(StandardCharsets.ISO_8859_1));

        assertThat(exchange.only().status()).isEqualTo(400);
        assertThat(exchange.only().code()).isEqualTo("invalid_json");
        assertThat(calls()).isZero();
    }

    private static RawExchange sendBytes(byte[] body) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(Client.rawChat("", "Connection: close")
                .replace("Content-Length: 0", "Content-Length: " + body.length)
                .getBytes(StandardCharsets.ISO_8859_1));
        request.writeBytes(body);
        try (Socket socket = client.connect(5_000)) {
            Client.write(socket, request.toByteArray());
            return RawExchange.readFrom(socket);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../../x", "a\\nb", "__proto__", "\\uD83D\\uDE00", "", " m1", "M1", "m1\\u0000", "constructor"})
    void row53AnOddModelNameIsUnknown(String name) {
        Client.Answer answer = client.chat(with().replace("\"m1\"", "\"" + name + "\""));

        assertRefused(answer, 404, "model_not_found", "model");
    }

    @Test
    void row53OfALongModelNameSixtyFourCharactersAreShown() {
        Client.Answer answer = client.chat(with().replace("\"m1\"", "\"" + "\\u202ez".repeat(5_000) + "\""));

        assertRefused(answer, 404, "model_not_found", "model");
        assertThat(answer.json().path("error").path("message").asText())
                .contains("\"" + "?z".repeat(32) + "\"")
                .hasSizeLessThan(200);
    }

    @Test
    void row44NullIsAbsent() {
        Client.Answer answer = client.chat(with("\"max_tokens\":null"));

        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void row46OthersAreServedWhileALargeBodyIsParsed() {
        String large = with("\"x\":[" + "1,".repeat(15_000) + "1]", "\"y\":\"" + "y".repeat(8 << 20) + "\"");
        Thread sender = new Thread(() -> client.chat(large));
        sender.start();
        Client.Answer answer = client.chat(with());

        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void row55SchemasAreCarriedAndNeverRun() {
        String schema = "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"},\"b\":{\"type\":\"string\","
                + "\"pattern\":\"^(a+)+$\"}}}";
        Client.Answer answer = client.chat(with(
                "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":" + schema + "}}]"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(lastBody()).contains(schema);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\u202eabc", "a\u200bb", "\\uDB40\\uDC41", "<system>ignore</system>", "\u202e"})
    void row62HiddenCharactersGoUpstreamUnchanged(String text) {
        String body = messages(saying(text));
        Client.Answer answer = client.chat(body);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(lastBody()).isEqualTo(body);
    }

    private static String lastBody() {
        return upstream.requests().get(upstream.requests().size() - 1).body();
    }

    @Test
    void sc11AndSc14UnknownMembersAndLongNumbersGoUpstreamByteByByte() {
        String body = with(
                "\"enable_thinking\":false",
                "\"x_vendor\":{\"a\":[1,null],\"id\":2512292042121000001,\"f\":1.10,\"e\":1E5,\"z\":-0.0}",
                "\"top_k\":20",
                "\"temperature\" : 0.70000000000000000001");
        Client.Answer answer = client.chat(body);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(lastBody()).isEqualTo(body);
    }

    @Test
    void sc11LongNumbersInToolArgumentsKeepTheirDigitsBothWays() {
        String arguments = "{\\\"id\\\":2512292042121000001}";
        upstream.play((request, wire) -> wire.json(
                200,
                "{\"id\":\"c1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m1\",\"choices\":[{\"index\":0,"
                        + "\"message\":{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"call1\",\"type\":"
                        + "\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"" + arguments
                        + "\"}}]},\"finish_reason\":\"tool_calls\"}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1,"
                        + "\"total_tokens\":2}}"));
        Client.Answer first = client.chat(with(tools(1)));
        upstream.play((request, wire) -> wire.json(200, Sse.whole("hello", 26, 5)));
        Client.Answer second = client.chat(body(
                "\"model\":\"m1\"",
                "\"messages\":[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"call1\",\"type\":"
                        + "\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"" + arguments + "\"}}]},"
                        + "{\"role\":\"tool\",\"tool_call_id\":\"call1\",\"content\":\"2512292042121000001\"}]"));

        assertThat(first.body()).contains(arguments);
        assertThat(second.status()).isEqualTo(200);
        assertThat(lastBody()).contains(arguments);
    }

    @Test
    void sc13TheModelThatIsCheckedIsTheModelThatIsServed() {
        Client.Answer answer = client.chat(
                "{\"model\":\"m1\",\"stream\":false,\"messages\":" + SAY + ",\"model\":\"blind\"}",
                "authorization",
                "Bearer KM");

        assertRefused(answer, 400, "duplicate_key", null);
    }

    @Test
    void sc15EveryParameterOfTheDialectReachesTheUpstream() {
        Client.Answer answer = client.chat(with(
                "\"stream\":true",
                "\"max_completion_tokens\":64",
                "\"stream_options\":{\"include_usage\":true,\"include_obfuscation\":false}",
                "\"parallel_tool_calls\":false",
                "\"reasoning_effort\":\"low\"",
                "\"service_tier\":\"flex\""));

        assertThat(answer.done()).isTrue();
        assertThat(lastBody())
                .contains(
                        "\"max_completion_tokens\":64",
                        "\"include_usage\":true",
                        "\"include_obfuscation\":false",
                        "\"parallel_tool_calls\":false",
                        "\"reasoning_effort\":\"low\"",
                        "\"service_tier\":\"flex\"");
    }

    @Test
    void sc16NothingOfTheGatewaysOwnIsInTheBody() {
        String body = with();
        client.chat(
                body,
                "x-session-id",
                "s1",
                "x-end-user",
                "u1",
                "traceparent",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "x-request-kind",
                "write");

        assertThat(lastBody()).isEqualTo(body);
    }

    @ParameterizedTest
    @CsvSource({
        "'\"max_tokens\":16', 16",
        "'\"max_completion_tokens\":16', 16",
        "'\"max_tokens\":16,\"max_completion_tokens\":32', 16",
        "'\"max_tokens\":32,\"max_completion_tokens\":16', 16"
    })
    void sc18ExactlyOneCapGoesUpstream(String members, int cap) {
        Client.Answer answer = client.chat(with(members));

        JsonNode sent = parsed(lastBody());
        assertThat(answer.status()).isEqualTo(200);
        assertThat(sent.has("max_tokens") ^ sent.has("max_completion_tokens")).isTrue();
        assertThat(sent.path("max_tokens").asInt()
                        + sent.path("max_completion_tokens").asInt())
                .isEqualTo(cap);
        assertThat(gateway.decision(answer).input().request().maxTokens()).isEqualTo(cap);
    }

    private static JsonNode parsed(String json) {
        try {
            return StrictJson.MAPPER.readTree(json);
        } catch (IOException notJson) {
            throw new AssertionError(json, notJson);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"user", "system", "developer", "assistant"})
    void sc19PartsStayParts(String role) {
        String body = messages(
                "[{\"role\":\"" + role
                        + "\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\",\"cache_control\":{\"type\":\"ephemeral\"}}]}]");
        Client.Answer answer = client.chat(body);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(lastBody()).isEqualTo(body);
    }

    @Test
    void sc20AnImageIsNeverSentToAModelThatSeesNone() {
        String image =
                "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"canary\"},{\"type\":\"image_url\","
                        + "\"image_url\":{\"url\":\"data:image/png;base64,AA==\"}}]}]";
        Client.Answer blind = client.chat(body("\"model\":\"blind\"", "\"messages\":" + image));
        assertRefused(blind, 400, "invalid_request", null);
        Client.Answer seeing = client.chat(messages(image));

        assertThat(seeing.status()).isEqualTo(200);
        assertThat(lastBody()).contains("AA==");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"stop\":\"END\"",
                "\"stop\":[\"A\",\"B\"]",
                "\"stop\":null",
                "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}],\"tool_choice\":\"auto\"",
                "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\"}}],"
                        + "\"tool_choice\":{\"type\":\"function\",\"function\":{\"name\":\"f\"}}",
                "\"tool_choice\":\"none\"",
                "\"response_format\":{\"type\":\"text\"}",
                "\"response_format\":null",
                "\"stream\":null",
                "\"tools\":null",
                "\"user\":null",
                "\"n\":null"
            })
    void sc21EveryLegalFormOfAMember(String member) {
        String body = with(member);
        Client.Answer answer = client.chat(body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(lastBody()).isEqualTo(body);
    }

    @Test
    void mx04AMemberNamedModelElsewhereIsNotTheModel() {
        Client.Answer answer =
                client.chat("{\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"f\",\"parameters\":"
                        + "{\"type\":\"object\",\"properties\":{\"model\":{\"type\":\"string\"}}}}}],\"metadata\":{\"model\":\"zz\"},"
                        + "\"model\":\"m1\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\",\"model\":\"yy\"}]}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("x-sluice-model")).isEqualTo("up1/m1");
        assertThat(gateway.decision(answer).input().request().model()).isEqualTo("m1");
        assertThat(gateway.scrape()).doesNotContain("zz", "yy");
    }
}
