package io.sluice.plugins.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.plugins.api.chat.ChatLimits;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.ChatRequestParser;
import io.sluice.plugins.api.fault.FaultAnswers;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/**
 * A model server without a model: the OpenAI dialect over HTTP with scripted time, length and faults, for the demo, drills and
 * tests. {@code POST /v1/chat/completions} and {@code GET /v1/models} as at any provider; {@code POST /_script} replaces the
 * script and {@code GET /_calls} shows the counters, both for callers on this machine only. All state is on one event loop;
 * public methods may be called from any thread.
 */
public final class SimulatorServer extends VerticleBase {
    private final String host;
    private final int port;
    private final ChatRequestParser parser = new ChatRequestParser(ChatLimits.DEFAULT);
    private volatile ScriptRun run;
    private volatile SimulatorCalls calls = SimulatorCalls.NONE;
    private HttpServer server;

    private SimulatorServer(String host, int port, SimulatorScript script) {
        this.host = host;
        this.port = port;
        this.run = new ScriptRun(script, System.currentTimeMillis());
    }

    /** Starts a server; port 0 takes a free one. Fails where the port is in use. */
    public static Future<SimulatorServer> start(Vertx vertx, String host, int port, SimulatorScript script) {
        SimulatorServer server = new SimulatorServer(host, port, script);
        return vertx.deployVerticle(server).map(server);
    }

    @Override
    public Future<?> start() {
        server = vertx.createHttpServer().requestHandler(this::onRequest);
        return server.listen(port, host);
    }

    /** The port it listens on. */
    public int port() {
        return server.actualPort();
    }

    /** Its address, as a base URL for an OpenAI client. */
    public String baseUrl() {
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port() + "/v1";
    }

    /** Replaces the script; calls being answered go on as they began. */
    public void script(SimulatorScript script) {
        run = new ScriptRun(script, System.currentTimeMillis());
    }

    /** What it has seen. */
    public SimulatorCalls calls() {
        return calls;
    }

    /** Closes the port and every connection. */
    public Future<Void> close() {
        return vertx.undeploy(deploymentID());
    }

    private void onRequest(HttpServerRequest request) {
        switch (request.method().name() + " " + request.path()) {
            case "POST /v1/chat/completions" -> request.body().onSuccess(body -> onChat(request, body));
            case "GET /v1/models" ->
                json(
                        request,
                        200,
                        "{\"object\":\"list\",\"data\":[{\"id\":\"simulated\",\"object\":\"model\",\"created\":0,"
                                + "\"owned_by\":\"simulator\"}]}");
            case "POST /_script" -> {
                if (local(request)) {
                    request.body().onSuccess(body -> onScript(request, body));
                }
            }
            case "GET /_calls" -> {
                if (local(request)) {
                    json(request, 200, callsJson());
                }
            }
            default -> json(request, 404, FaultAnswers.error("no such address", "invalid_request_error", "not_found"));
        }
    }

    private void onChat(HttpServerRequest request, Buffer body) {
        parser.parse(body.getBytes())
                .fold(
                        chat -> {
                            answer(request, chat);
                            return null;
                        },
                        refused -> {
                            json(
                                    request,
                                    400,
                                    FaultAnswers.error(refused.message(), "invalid_request_error", "invalid_request"));
                            return null;
                        });
    }

    private void answer(HttpServerRequest request, ChatRequest chat) {
        calls = calls.begun();
        ScriptRun current = run;
        Fault fault = current.nextFault(chat.facts().model(), System.currentTimeMillis());
        SimulatedAnswer answer = SimulatedAnswer.to(chat, current.script());
        AnswerText text = new AnswerText(
                answer,
                calls.calls(),
                System.currentTimeMillis() / 1_000,
                chat.facts().model(),
                chat.facts().choices(),
                FaultBodies.usage(answer, chat.facts().choices(), fault));
        new SimulatedCall(
                        vertx,
                        request.response(),
                        current.script(),
                        fault,
                        text,
                        byCaller -> calls = calls.ended(byCaller))
                .begin(chat.streamed(), chat.facts().includeUsage());
    }

    private static boolean local(HttpServerRequest request) {
        String from = request.remoteAddress().hostAddress();
        boolean local =
                from != null && (from.startsWith("127.") || from.equals("0:0:0:0:0:0:0:1") || from.equals("::1"));
        if (!local) {
            json(request, 403, FaultAnswers.error("only from this machine", "permission_error", "forbidden"));
        }
        return local;
    }

    private void onScript(HttpServerRequest request, Buffer body) {
        ScriptReader reader = ScriptReader.of(body.toString(StandardCharsets.UTF_8));
        if (reader.problems().isEmpty()) {
            script(reader.script());
            json(request, 200, "{}");
            return;
        }
        String problems = reader.problems().stream()
                .map(each -> String.join(".", each.path()) + " " + each.message())
                .collect(Collectors.joining("; "));
        json(request, 400, FaultAnswers.error(problems, "invalid_request_error", "invalid_script"));
    }

    private String callsJson() {
        try {
            return StrictJson.MAPPER.writeValueAsString(calls);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void json(HttpServerRequest request, int status, String body) {
        request.response()
                .setStatusCode(status)
                .putHeader("content-type", "application/json")
                .end(body)
                .onFailure(callerLeft -> {});
    }
}
