package io.sluice.ops;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.data.harness.ScriptedUpstream;
import io.sluice.data.harness.ScriptedUpstream.Request;
import io.sluice.data.harness.ScriptedUpstream.Wire;
import io.sluice.data.harness.Sse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An OpenAI-style server that plays the scene which the first message names, such as {@code scene: tools}; a second word is the
 * scene's argument. So scripts in any language say by themselves what should happen upstream.
 */
final class Scenes implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BERLIN = "{\"city\":\"Berlin\"}";
    private static final String PARIS = "{\"city\":\"Paris\"}";

    /** Twice as long as a client that leaves may stay unnoticed (one second). */
    private static final long LEFT_WAIT_MS = 2_000;

    private final ScriptedUpstream upstream = ScriptedUpstream.playing(this::play);
    private final Map<String, Request> endless = new ConcurrentHashMap<>();

    String baseUrl() {
        return upstream.baseUrl();
    }

    private void play(Request request, Wire wire) throws IOException, InterruptedException {
        JsonNode body = JSON.readTree(request.body());
        String[] words = firstText(body).split(" ", -1);
        String argument = words.length > 2 ? words[2] : "";
        boolean stream = body.path("stream").asBoolean();
        switch (words.length > 1 ? words[1] : "") {
            case "hello" -> text(wire, body, "Hello", " there");
            case "searched" -> searched(wire, argument);
            case "mirror" -> text(wire, body, request.body());
            case "length" -> text(wire, body, Integer.toString(request.body().length()));
            case "json" -> json(wire, body);
            case "tools" -> tools(wire, body);
            case "endless" -> endless(request, wire, argument);
            case "left" -> text(wire, body, Boolean.toString(left(argument)));
            case "error" -> errorInside(wire, stream);
            case "cut" -> cut(wire);
            case "fail" -> fail(wire, argument);
            default ->
                wire.json(404, "{\"error\":{\"message\":\"no such scene\",\"type\":\"x\",\"code\":\"no_scene\"}}");
        }
    }

    private static String firstText(JsonNode body) {
        JsonNode content = body.at("/messages/0/content");
        return content.isArray() ? content.at("/0/text").asText() : content.asText();
    }

    private static void text(Wire wire, JsonNode body, String... pieces) throws IOException {
        if (!body.path("stream").asBoolean()) {
            wire.json(200, Sse.whole(String.join("", pieces), 5, pieces.length), "x-request-id: the-upstreams-own");
            return;
        }
        wire.stream();
        for (String piece : pieces) {
            wire.chunk(Sse.c(piece));
        }
        finish(wire, body, "stop", pieces.length);
    }

    /** An answer after so many searches. */
    private static void searched(Wire wire, String searches) throws IOException {
        String usage = Sse.usage(5, 2);
        String billed = usage.substring(0, usage.length() - 1) + ",\"server_tool_use\":{\"web_search_requests\":"
                + searches + "}}";
        wire.json(200, Sse.whole("Found", 5, 2).replace(usage, billed));
    }

    private static void finish(Wire wire, JsonNode body, String reason, int tokens) throws IOException {
        wire.chunk(Sse.fin(reason));
        if (body.at("/stream_options/include_usage").asBoolean()) {
            wire.chunk(Sse.use(5, tokens));
        }
        wire.chunk(Sse.DONE).end();
    }

    /** An answer of the asked form, as long as the schema arrives unharmed. */
    private static void json(Wire wire, JsonNode body) throws IOException {
        JsonNode city = body.at("/response_format/json_schema/schema/properties/city/type");
        text(wire, body, city.asText().equals("string") ? "{\"city\":\"Berlin\",\"degrees\":7}" : "no schema came");
    }

    /** Two calls at once; then, when both results are there, a text with them. */
    private static void tools(Wire wire, JsonNode body) throws IOException {
        List<String> results = new ArrayList<>();
        body.path("messages").forEach(message -> {
            if (message.path("role").asText().equals("tool")) {
                results.add(message.path("tool_call_id").asText() + "="
                        + message.path("content").asText());
            }
        });
        if (!results.isEmpty()) {
            text(wire, body, String.join(" ", results));
        } else if (body.path("stream").asBoolean()) {
            wire.stream()
                    .chunk(Sse.tc(0, "call_1", "weather", ""))
                    .chunk(Sse.tc(0, null, null, BERLIN.substring(0, 8)))
                    .chunk(Sse.tc(0, null, null, BERLIN.substring(8)))
                    .chunk(Sse.tc(1, "call_2", "weather", ""))
                    .chunk(Sse.tc(1, null, null, PARIS));
            finish(wire, body, "tool_calls", 9);
        } else {
            wire.json(
                    200,
                    "{\"id\":\"c1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m1\",\"choices\":[{\"index\":0,"
                            + "\"message\":{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["
                            + call("call_1", BERLIN) + "," + call("call_2", PARIS)
                            + "]},\"finish_reason\":\"tool_calls\"}],\"usage\":" + Sse.usage(5, 9) + "}");
        }
    }

    private static String call(String id, String arguments) {
        return "{\"id\":\"" + id + "\",\"type\":\"function\",\"function\":{\"name\":\"weather\",\"arguments\":"
                + Sse.quote(arguments) + "}}";
    }

    /** A stream of a minute. */
    private void endless(Request request, Wire wire, String id) throws IOException, InterruptedException {
        endless.put(id, request);
        wire.stream();
        for (int i = 0; i < 6_000; i++) {
            wire.chunk(Sse.c("word "));
            Thread.sleep(10);
        }
    }

    private boolean left(String id) throws InterruptedException {
        Request request = endless.get(id);
        return request != null && request.clientLeftWithin(LEFT_WAIT_MS);
    }

    private static void errorInside(Wire wire, boolean stream) throws IOException {
        String error = "{\"error\":{\"message\":\"the GPU fell over\",\"type\":\"server_error\",\"code\":\"boom\"}}";
        if (stream) {
            wire.stream().chunk(Sse.c("Hel")).chunk("data: " + error + "\n\n").end();
        } else {
            wire.json(500, error);
        }
    }

    private static void cut(Wire wire) throws IOException {
        wire.stream().chunk(Sse.c("Hel"));
        wire.reset();
    }

    private static void fail(Wire wire, String status) throws IOException {
        String error = "{\"error\":{\"message\":\"this is scripted\",\"type\":\"scripted\",\"code\":\"scripted\"}}";
        wire.json(Integer.parseInt(status), error, "retry-after: 1");
    }

    @Override
    public void close() {
        upstream.close();
    }
}
