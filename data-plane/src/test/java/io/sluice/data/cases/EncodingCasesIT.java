package io.sluice.data.cases;

import static io.sluice.data.harness.Sse.DONE;
import static io.sluice.data.harness.Sse.c;
import static io.sluice.data.harness.Sse.fin;
import static io.sluice.data.harness.Sse.use;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.harness.Client;
import io.sluice.data.harness.Client.Answer;
import io.sluice.data.harness.Sse;
import io.sluice.data.harness.TestConfig;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.PoolConfig;
import io.sluice.tenants.config.TargetConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.Tier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows EN01 to EN07: characters and names. */
class EncodingCasesIT {
    private static final String WORLD = "\u5317\u4EAC\uD83C\uDF0D\u00E9";

    private static Rig rig;

    @BeforeAll
    static void start() {
        rig = new Rig();
    }

    @AfterAll
    static void stop() {
        rig.close();
    }

    /** Also wire check 19. */
    @Test
    void en01CharactersCutBetweenSegmentsAreIntact() {
        byte[] event = c(WORLD).getBytes(StandardCharsets.UTF_8);
        rig.plays((request, wire) -> {
            wire.raw("HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\n\r\n");
            for (byte each : event) {
                wire.raw(new byte[] {each});
            }
            wire.raw(fin("stop") + DONE);
            wire.close();
        });

        Answer answer = rig.askStream();

        assertThat(answer.text()).isEqualTo(WORLD);
        assertThat(answer.done()).isTrue();
        assertThat(Rig.firstAttempt(rig.decision(answer)).usage().outputTotal()).isEqualTo(3);
    }

    @Test
    void en01CharactersOfAWholeAnswerCutBetweenSegmentsAreIntact() {
        byte[] body = Sse.whole(WORLD, 3, 1).getBytes(StandardCharsets.UTF_8);
        rig.plays((request, wire) -> {
            wire.raw("HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n");
            for (byte each : body) {
                wire.raw(new byte[] {each});
            }
        });

        assertThat(rig.ask().response().body()).isEqualTo(body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x \\ud83d", "\\udc00", "\\ud83d\\ud83d", "\\ud83dx"})
    void en02ALoneSurrogateInTheRequestIsRefused(String escaped) {
        rig.answers(200, Sse.whole("hi", 1, 1));

        Answer answer = rig.client()
                .chat("{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"" + escaped + "\"}]}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(rig.upstream().requests()).isEmpty();
    }

    @Test
    void en02APairOfSurrogatesIsACharacter() {
        rig.answers(200, Sse.whole("hi", 1, 1));

        Answer answer = rig.client()
                .chat("{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"\\ud83c\\udf0d\"}]}");

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(rig.sent().at("/messages/0/content").asText()).isEqualTo("\uD83C\uDF0D");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"text/event-stream", "TEXT/EVENT-STREAM; charset=utf-8", "text/event-stream;charset=iso-8859-1"})
    void en04AStreamIsUtf8WhateverItsTypeSays(String type) {
        rig.plays((request, wire) ->
                wire.head(200, type).chunk(c("\u2705 ok") + fin("stop") + DONE).end());

        assertThat(rig.askStream().text()).isEqualTo("\u2705 ok");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/json; charset=iso-8859-1"})
    void en04ADocumentIsUtf8WhateverItsTypeSays(String type) {
        rig.plays((request, wire) -> wire.whole(200, type, Sse.whole("\u2705 ok", 3, 1)));

        assertThat(rig.ask().json().at("/choices/0/message/content").asText()).isEqualTo("\u2705 ok");
    }

    @Test
    void en05InvalidUtf8InARequestIsRefused() throws IOException {
        byte[] body = Client.request().replace("hi", "h\u00C3(").getBytes(StandardCharsets.ISO_8859_1);
        String head = Client.rawChat(" ".repeat(body.length)).strip();
        try (Socket socket = rig.client().connect(5_000)) {
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.writeBytes((head + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
            request.writeBytes(body);
            Client.write(socket, request.toByteArray());

            String answer = Client.readAll(socket);

            assertThat(answer).startsWith("HTTP/1.1 400 ").contains("\"code\":\"invalid_json\"");
        }
    }

    @Test
    void en05InvalidUtf8OfAStreamBecomesReplacementCharacters() {
        String[] parts = c("a#b").split("#", -1);
        rig.plays((request, wire) -> {
            wire.raw("HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\n\r\n");
            wire.raw(parts[0]).raw(new byte[] {(byte) 0xFF}).raw(parts[1] + fin("stop") + use(26, 5) + DONE);
            wire.close();
        });

        Answer answer = rig.askStream();

        assertThat(answer.text()).isEqualTo("a\uFFFDb");
        assertThat(answer.done()).isTrue();
        assertThat(rig.decision(answer).cost()).hasToString("0.000036");
    }

    @Test
    void en05InvalidUtf8OfADocumentBecomesReplacementCharacters() {
        byte[] body = Sse.whole("a\u00FFb", 26, 5).getBytes(StandardCharsets.ISO_8859_1);
        rig.plays((request, wire) -> {
            wire.raw("HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n");
            wire.raw(body);
        });

        assertThat(rig.ask().json().at("/choices/0/message/content").asText()).isEqualTo("a\uFFFDb");
    }

    /** In this dialect a model's name is a member of the body; the path is the provider's own. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "arn:aws:bedrock:us-west-2:1:inference-profile/x.y-v1:0",
                "a?b#c",
                "../../v1/auth/keys",
                "qwen/qwen3:free"
            })
    void en06AnUpstreamNameNeverChangesThePath(String nameUpstream) {
        try (Rig named = new Rig()) {
            named.gateway().change(configuration -> {
                TenantTree tenant = configuration.tenants().get(TestConfig.T1);
                return configuration.with(tenant.with(tenant.catalog()
                        .with(new PoolConfig(
                                new ScopedId(TestConfig.T1, "pool1"),
                                2,
                                Tier.STANDARD,
                                List.of(new TargetConfig("up1", "m1", nameUpstream, 100))))));
            });
            named.answers(200, Sse.whole("hi", 1, 1));

            assertThat(named.ask().status()).isEqualTo(200);
            assertThat(named.upstream().requests().get(0).line()).isEqualTo("POST /v1/chat/completions HTTP/1.1");
            assertThat(named.sent().get("model").asText()).isEqualTo(nameUpstream);
        }
    }

    @Test
    void en07NamesWithSlashColonAndBlankAreAddressable() {
        try (Rig named = new Rig()) {
            named.gateway().change(configuration -> {
                TenantTree tenant = configuration.tenants().get(TestConfig.T1);
                return configuration.with(tenant.with(tenant.catalog()
                        .with(new PoolConfig(
                                new ScopedId(TestConfig.T1, "openrouter/gpt-4:free"),
                                1,
                                Tier.STANDARD,
                                List.of(new TargetConfig("up1", "m1", null, 100))))));
            });

            Answer known = named.client().get("/v1/models/openrouter%2Fgpt-4:free");
            Answer unknown = named.client().get("/v1/models/openrouter%2Fgpt%205");

            assertThat(known.status()).as(known.body()).isEqualTo(200);
            assertThat(known.json().get("id").asText()).isEqualTo("openrouter/gpt-4:free");
            assertThat(unknown.status()).isEqualTo(404);
            assertThat(unknown.code()).isEqualTo("model_not_found");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/models/a%FF", "/v1/models/%00", "/v1/models/a+b", "/v1/models/", "/v1/models/a/b"})
    void en07OddNamesAreUnknownNotAnError(String path) {
        Answer answer = rig.client().get(path);

        assertThat(answer.status()).as(answer.body()).isBetween(400, 404);
        assertThat(answer.code()).isNotEmpty();
    }
}
