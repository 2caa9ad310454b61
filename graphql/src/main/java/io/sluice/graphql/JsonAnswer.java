package io.sluice.graphql;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.Map;

/** Writes whole JSON answers. */
final class JsonAnswer {
    private JsonAnswer() {}

    /** An error of HTTP, before GraphQL has a say: {@code {"error":{"message","code"}}}. */
    static void error(HttpServerResponse response, int status, String code, String message) {
        send(response, status, Map.of("error", Map.of("message", message, "code", code)));
    }

    static void send(HttpServerResponse response, int status, Object body) {
        if (response.ended() || response.closed()) {
            return;
        }
        try {
            response.setStatusCode(status)
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json; charset=utf-8")
                    .end(Buffer.buffer(StrictJson.MAPPER.writeValueAsBytes(body)));
        } catch (JsonProcessingException fault) {
            throw new IllegalStateException(fault);
        }
    }
}
