package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Somebody with an access token who asks a running Sluice through GraphQL.
 *
 * @param token what proves who it is
 */
record Admin(SluiceProcess sluice, String token) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The whole reply to a document. */
    JsonNode reply(String document, Map<String, Object> variables) throws Exception {
        HttpResponse<String> answer = sluice.send(HttpRequest.newBuilder(URI.create(sluice.management() + "/graphql"))
                .header("authorization", "Bearer " + token)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(
                        JSON.writeValueAsBytes(Map.of("query", document, "variables", variables))))
                .build());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    /** The data of a query that must go well. */
    JsonNode ask(String document) throws Exception {
        return ask(document, Map.of());
    }

    JsonNode ask(String document, Map<String, Object> variables) throws Exception {
        JsonNode reply = reply(document, variables);
        assertThat(reply.has("errors")).as(reply.toString()).isFalse();
        return reply.get("data");
    }

    /** The payload of one mutation, mistakes and all; {@code selection} may be empty. */
    JsonNode tryTo(String mutation, String selection, Map<String, Object> input) throws Exception {
        String type = Character.toUpperCase(mutation.charAt(0)) + mutation.substring(1) + "Input!";
        return ask(
                        "mutation($input: " + type + ") { " + mutation + "(input: $input) { " + selection
                                + " userErrors { path code message } } }",
                        Map.of("input", input))
                .get(mutation);
    }

    /** The payload of a mutation that must go well. */
    JsonNode make(String mutation, String selection, Map<String, Object> input) throws Exception {
        JsonNode payload = tryTo(mutation, selection, input);
        assertThat(payload.get("userErrors")).as(payload.toString()).isEmpty();
        return payload;
    }

    /** A tenant with an app named {@code app}. */
    void tenant(String id) throws Exception {
        make("createTenant", "", input("id", id, "displayName", id, "timeZone", "Europe/Berlin"));
        make("createApp", "", input("tenantId", id, "id", "app"));
    }

    /** A provider and a pool of one target, both named {@code id}, at an OpenAI-style server. */
    void pool(String tenant, String id, String baseUrl, String model) throws Exception {
        make(
                "putProvider",
                "",
                input(
                        "tenantId",
                        tenant,
                        "id",
                        id,
                        "plugin",
                        "openai",
                        "baseUrl",
                        baseUrl,
                        "credential",
                        "value:sk-x"));
        make(
                "putPool",
                "",
                input(
                        "tenantId",
                        tenant,
                        "id",
                        id,
                        "tier",
                        "STANDARD",
                        "targets",
                        List.of(Map.of("provider", id, "model", model))));
    }

    /** A model with tools and schemas, and its price. */
    void model(String tenant, String id) throws Exception {
        make(
                "putModel",
                "",
                input(
                        "tenantId",
                        tenant,
                        "id",
                        id,
                        "contextWindow",
                        1_000_000,
                        "maxOutputTokens",
                        4_096,
                        "tools",
                        true,
                        "jsonSchema",
                        true));
        make("putPrice", "", input("tenantId", tenant, "model", id, "inputPerMTok", "0.15", "outputPerMTok", "0.60"));
    }

    /** Members in order, name and value by turns. */
    static Map<String, Object> input(Object... members) {
        Map<String, Object> input = new LinkedHashMap<>();
        for (int i = 0; i < members.length; i += 2) {
            input.put((String) members[i], members[i + 1]);
        }
        return input;
    }
}
