package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** A management server on a free loopback port, and a client of it. */
final class Management {
    final MemoryControlPlane plane = new MemoryControlPlane();
    final AtomicReference<Probes.Readiness> readiness = new AtomicReference<>(Probes.Readiness.READY);
    final HttpClient http = HttpClient.newHttpClient();
    final int port;
    private final Vertx vertx;

    Management(boolean demo) throws Exception {
        vertx = Vertx.vertx();
        port = listen(demo, Optional.of(plane));
    }

    /** Of a node that has {@code api} for operators, or none. */
    Management(boolean demo, Optional<ControlPlaneApi> api) throws Exception {
        vertx = Vertx.vertx();
        port = listen(demo, api);
    }

    private int listen(boolean demo, Optional<ControlPlaneApi> api) throws Exception {
        ManagementServer server = new ManagementServer(
                api,
                new ManagementSettings("127.0.0.1", 0, demo, Set.of("https://console.example.org")),
                new Probes(
                        () -> true, () -> Future.succeededFuture(readiness.get()), () -> "sluice_requests_total 1\n"),
                Clock.fixed(MemoryControlPlane.NOW, ZoneOffset.UTC));
        vertx.deployVerticle(server).toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
        return server.port();
    }

    static Management start() {
        try {
            return new Management(false);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(20));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /** Posts a raw body as the platform administrator. */
    HttpResponse<String> post(String body) throws Exception {
        return send(request("/graphql")
                .header("authorization", "Bearer root-token")
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    JsonNode run(String token, String query, Map<String, ?> variables) throws Exception {
        ObjectNode body = StrictJson.MAPPER.createObjectNode().put("query", query);
        body.set("variables", StrictJson.MAPPER.valueToTree(variables));
        HttpResponse<String> response = send(request("/graphql")
                .header("authorization", "Bearer " + token)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
        if (response.statusCode() != 200) {
            throw new IllegalStateException(response.statusCode() + " " + response.body());
        }
        return StrictJson.MAPPER.readTree(response.body());
    }

    JsonNode run(String token, String query) throws Exception {
        return run(token, query, Map.of());
    }

    /** As the platform administrator. */
    JsonNode run(String query) throws Exception {
        return run("root-token", query);
    }

    /** The code of the first error. */
    static String code(JsonNode answer) {
        return answer.at("/errors/0/extensions/code").asText();
    }

    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    /** Waits, with a bound, until something is true. */
    static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 1_000 && !condition.getAsBoolean(); i++) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
