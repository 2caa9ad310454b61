package io.sluice.graphql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.json.JsonMistake;
import io.sluice.tenants.json.StrictJson;
import java.io.IOException;
import java.util.Map;

/**
 * One document to run, as sent over HTTP or in a subscribe message.
 *
 * @param operationName null where the document has one operation
 * @param variables empty where none were sent
 */
record GraphqlRequest(String query, String operationName, Map<String, Object> variables) {
    /** The bytes are no GraphQL request; the message is for the caller. */
    static final class MalformedException extends Exception {
        MalformedException(String message) {
            super(message, null, false, false);
        }
    }

    /** Reads a body strictly: no duplicate keys, no batch, nothing after the object. */
    static GraphqlRequest parse(byte[] body) throws MalformedException {
        return of(tree(body));
    }

    /** Reads JSON from a stranger. */
    static JsonNode tree(byte[] body) throws MalformedException {
        try {
            return StrictJson.MAPPER.readTree(body);
        } catch (JsonProcessingException wrong) {
            throw new MalformedException(JsonMistake.words(wrong));
        } catch (IOException wrong) {
            throw new MalformedException("not UTF-8 JSON");
        }
    }

    static GraphqlRequest of(JsonNode tree) throws MalformedException {
        if (tree.isArray()) {
            throw new MalformedException("one request at a time: batches are not run");
        }
        if (!tree.isObject() || !tree.path("query").isTextual()) {
            throw new MalformedException("must be an object with a string member query");
        }
        JsonNode operationName = tree.path("operationName");
        JsonNode variables = tree.path("variables");
        if (!operationName.isMissingNode() && !operationName.isNull() && !operationName.isTextual()) {
            throw new MalformedException("operationName must be a string");
        }
        if (!variables.isMissingNode() && !variables.isNull() && !variables.isObject()) {
            throw new MalformedException("variables must be an object");
        }
        return new GraphqlRequest(
                tree.path("query").textValue(),
                operationName.textValue(),
                variables.isObject()
                        ? InputObject.object(StrictJson.MAPPER.convertValue(variables, Map.class))
                        : Map.of());
    }
}
