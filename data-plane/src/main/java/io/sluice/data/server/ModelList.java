package io.sluice.data.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.data.request.Caller;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.buffer.Buffer;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What a key may ask for, as OpenAI lists models: the pools of its tenant and {@code auto}. */
final class ModelList {
    private static final String AUTO = "auto";

    private ModelList() {}

    /** The whole list. */
    static Buffer all(Caller caller) {
        ObjectNode root = StrictJson.MAPPER.createObjectNode();
        root.put("object", "list");
        ArrayNode data = root.putArray("data");
        names(caller).forEach(name -> data.add(model(name)));
        return Buffer.buffer(root.toString());
    }

    /** One model by its percent-encoded name; empty where the key may not use it or it does not exist. */
    static Optional<Buffer> one(Caller caller, String encoded) {
        String name = URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
        return names(caller).contains(name)
                ? Optional.of(Buffer.buffer(model(name).toString()))
                : Optional.empty();
    }

    private static List<String> names(Caller caller) {
        return Stream.concat(
                        Stream.of(AUTO),
                        caller.tenant().pools().names().stream().sorted())
                .filter(caller.key()::allowsModel)
                .toList();
    }

    private static ObjectNode model(String name) {
        ObjectNode model = StrictJson.MAPPER.createObjectNode();
        model.put("id", name);
        model.put("object", "model");
        model.put("created", 0);
        model.put("owned_by", "sluice");
        return model;
    }
}
