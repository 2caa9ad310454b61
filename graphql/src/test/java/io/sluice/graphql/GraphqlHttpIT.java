package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.json.StrictJson;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What HTTP alone decides, before GraphQL has a say. */
class GraphqlHttpIT {
    private static final String ME = "{\"query\":\"{me{name}}\"}";
    private static Management management;

    @BeforeAll
    static void start() {
        management = Management.start();
    }

    @AfterAll
    static void stop() throws Exception {
        management.close();
    }

    @BeforeEach
    void forget() {
        management.plane.reads.set(0);
        management.plane.commands.clear();
    }

    @Test
    @DisplayName("Row 85: a mutation by GET is refused with 405 and not run")
    void refusesGet() throws Exception {
        HttpResponse<String> response = management.send(management
                .request(
                        "/graphql?query=mutation%7BcreateApp(input:%7BtenantId:%22acme%22,id:%22a%22%7D)%7Bapp%7Bid%7D%7D%7D")
                .header("authorization", "Bearer root-token")
                .GET());
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).contains("POST");
        assertThat(management.plane.commands).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("Row 85: only application/json is read, since a form or text/plain needs no preflight")
    @ValueSource(
            strings = {
                "text/plain",
                "application/x-www-form-urlencoded",
                "application/graphql",
                "multipart/form-data",
                "application/json; charset=utf-16"
            })
    void refusesOtherContentTypes(String type) throws Exception {
        HttpResponse<String> response = management.send(management
                .request("/graphql")
                .header("authorization", "Bearer root-token")
                .header("content-type", type)
                .POST(BodyPublishers.ofString(ME)));
        assertThat(response.statusCode()).isEqualTo(415);
        assertThat(management.plane.reads).hasValue(0);
    }

    @ParameterizedTest
    @DisplayName("Row 85: a page of a foreign origin may not call; the own and the listed may")
    @CsvSource({"https://evil.example,403", "null,403", "https://console.example.org,200", "same,200"})
    void checksTheOrigin(String origin, int status) throws Exception {
        String sent = origin.equals("same") ? "http://127.0.0.1:" + management.port : origin;
        HttpResponse<String> response = management.send(management
                .request("/graphql")
                .header("authorization", "Bearer root-token")
                .header("content-type", "application/json")
                .header("origin", sent)
                .POST(BodyPublishers.ofString(ME)));
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.headers().map()).doesNotContainKey("access-control-allow-origin");
    }

    @Test
    @DisplayName("Row 90: a body over 64 KiB is refused with 413 before it is parsed")
    void refusesLongBodies() throws Exception {
        HttpResponse<String> response = management.post("{\"query\":\"#" + "x".repeat(900_000) + "\\n{me{name}}\"}");
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(StrictJson.MAPPER.readTree(response.body()).at("/error/code").asText())
                .isEqualTo("body_too_large");
        assertThat(response.body()).contains("at most 65536 bytes; send the objects", "in several documents");
        assertThat(management.plane.reads).hasValue(0);
    }

    @Test
    @DisplayName("Row 91: a batch is refused with 400")
    void refusesBatches() throws Exception {
        HttpResponse<String> response = management.post("[" + (ME + ",").repeat(999) + ME + "]");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("batches");
        assertThat(management.plane.reads).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"NaN", "Infinity", "-Infinity"})
    void tellsOfANumberThatIsNoneWithoutAWordOfTheParser(String number) throws Exception {
        HttpResponse<String> response =
                management.post("{\"query\":\"{me{name}}\",\"variables\":{\"share\":" + number + "}}");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body())
                .contains("NaN and Infinity are no numbers of JSON (line 1, column ")
                .doesNotContain("JsonReadFeature", "jackson", "enable");
    }

    @Test
    @DisplayName("Row 95: a duplicate JSON key is refused with 400 and nothing is run")
    void refusesDuplicateKeys() throws Exception {
        HttpResponse<String> response = management.post("{\"query\":\"{me{name}}\",\"query\":"
                + "\"mutation{createApp(input:{tenantId:\\\"acme\\\",id:\\\"a\\\"}){app{id}}}\"}");
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(management.plane.commands).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "\"x\"",
                "{}",
                "{\"query\":1}",
                "{\"query\":\"{me{name}}\"} x",
                "{\"query\":\"{me{name}}\",\"variables\":[]}",
                "{\"query\":\"{me{name}}\",\"operationName\":1}",
                "\uFEFF{}"
            })
    void refusesWhatIsNoRequest(String body) throws Exception {
        HttpResponse<String> response = management.post(body);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
    }

    @ParameterizedTest
    @DisplayName("AT03: the scheme's case and blanks do not matter; anything else is 401, once")
    @CsvSource(
            quoteCharacter = '\'',
            value = {
                "'authorization: bearer root-token',200",
                "'Authorization:   Bearer   root-token  ',200",
                "'Authorization: root-token',401",
                "'Authorization: Basic root-token',401",
                "'Authorization: Bearerroot-token',401",
                "'Authorization:',401",
                "'X-Other: 1',401"
            })
    void readsTheSchemeLoosely(String header, int status) throws Exception {
        assertThat(statusLines(header)).containsExactly("HTTP/1.1 " + status);
    }

    @Test
    @DisplayName("AT03: two Authorization headers are 401, once, and nothing is run")
    void refusesTwoAuthorizations() throws Exception {
        assertThat(statusLines("Authorization: Bearer root-token\r\nAuthorization: Bearer root-token"))
                .containsExactly("HTTP/1.1 401");
        assertThat(management.plane.reads).hasValue(0);
    }

    @ParameterizedTest
    @DisplayName("AT04: a blank token is no token, even where the control plane would take one")
    @ValueSource(strings = {"Bearer", "Bearer ", "Bearer    ", " "})
    void refusesBlankTokens(String value) throws Exception {
        management.plane.tokens.put("", management.plane.tokens.get("root-token"));
        management.plane.tokens.put("   ", management.plane.tokens.get("root-token"));
        try {
            assertThat(statusLines("Authorization: " + value)).containsExactly("HTTP/1.1 401");
        } finally {
            management.plane.tokens.remove("");
            management.plane.tokens.remove("   ");
        }
    }

    @Test
    void unauthorizedAnswersAreJsonAndNameTheScheme() throws Exception {
        HttpResponse<String> response = management.send(management
                .request("/graphql")
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString(ME)));
        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("www-authenticate")).contains("Bearer");
        assertThat(response.body()).contains("\"invalid_access_token\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/nothing",
                "/graphqlx",
                "/graphiql",
                "/graphiql/index.html",
                "/GRAPHQL",
                "/%2e%2e/etc/passwd"
            })
    void unknownPathsAreJson404(String path) throws Exception {
        HttpResponse<String> response = management.send(management.request(path).GET());
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("\"not_found\"");
    }

    @Test
    void everyAnswerHasSecurityHeaders() throws Exception {
        HttpResponse<String> response =
                management.send(management.request("/nothing").GET());
        assertThat(response.headers().firstValue("x-content-type-options")).contains("nosniff");
        assertThat(response.headers().firstValue("x-frame-options")).contains("DENY");
        assertThat(response.headers().firstValue("content-security-policy")).isPresent();
        assertThat(response.headers().firstValue("cache-control")).contains("no-store");
    }

    @Test
    void answersCarryARequestId() throws Exception {
        HttpResponse<String> response = management.post(ME);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("x-request-id"))
                .hasValueSatisfying(id -> assertThat(id).matches("[0-9a-f]{32}"));
    }

    /** The status lines of all answers to one raw request, without the reason. */
    private static java.util.List<String> statusLines(String header) throws Exception {
        String request = "POST /graphql HTTP/1.1\r\nHost: 127.0.0.1:" + management.port + "\r\n" + header
                + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " + ME.length()
                + "\r\n\r\n"
                + ME;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), management.port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            InputStream in = socket.getInputStream();
            String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return answer.lines()
                    .filter(line -> line.startsWith("HTTP/1.1 "))
                    .map(line -> line.substring(0, 12))
                    .toList();
        }
    }
}
