package io.sluice.graphql;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.charset.StandardCharsets;

/**
 * A message of graphql-transport-ws as it came.
 *
 * @param id of the operation; null where there is none
 * @param payload a missing node where there is none
 */
record SocketMessage(String type, String id, JsonNode payload) {
    static SocketMessage parse(String text) throws GraphqlRequest.MalformedException {
        JsonNode tree = GraphqlRequest.tree(text.getBytes(StandardCharsets.UTF_8));
        JsonNode id = tree.path("id");
        if (!tree.isObject() || !tree.path("type").isTextual()) {
            throw new GraphqlRequest.MalformedException("a message is an object with a type");
        }
        JsonNode payload = tree.get("payload");
        return new SocketMessage(
                tree.path("type").textValue(), id.textValue(), payload == null ? MissingNode.getInstance() : payload);
    }
}
