package io.sluice.plugins.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.plugins.api.AnswerEvent.ToolCallDelta;
import io.sluice.tenants.failure.FailureClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the tool calls of a chunk or a whole answer from its tree, and writes them back there as {@link ToolCalls} sorted them. */
final class ToolCallReader {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /**
     * What was read.
     *
     * @param mended whether the tree was changed
     */
    record Read(List<ToolCallDelta> deltas, boolean mended) {}

    private ToolCallReader() {}

    /** Reads {@code said.tool_calls}. */
    static Read read(ObjectNode said, ToolCalls calls, boolean whole) throws AnswerReader.Unusable {
        JsonNode sent = said.get("tool_calls");
        List<ToolCallDelta> deltas = new ArrayList<>();
        ArrayNode relayed = NODES.arrayNode();
        // In a whole answer each call stands by itself, whatever index it has.
        int number = 0;
        Iterable<JsonNode> pieces = sent.isObject() ? List.of(sent) : sent;
        for (JsonNode piece : pieces) {
            if (piece instanceof ObjectNode call) {
                ToolCallDelta delta = take(calls, piece(call, whole ? number++ : index(call)));
                if (delta != null) {
                    deltas.add(delta);
                    relayed.add(relayed(call, delta, whole));
                }
            }
        }
        boolean mended = !relayed.equals(sent);
        if (relayed.isEmpty()) {
            said.remove("tool_calls");
            mended = true;
        } else if (mended) {
            said.set("tool_calls", relayed);
        }
        return new Read(deltas, mended);
    }

    /** The deprecated single call: counted as a call, relayed as it is. */
    static Optional<ToolCallDelta> readFunctionCall(ObjectNode said, ToolCalls calls) throws AnswerReader.Unusable {
        JsonNode call = said.path("function_call");
        if (!call.isObject()) {
            return Optional.empty();
        }
        String arguments = argumentsText(call.path("arguments"));
        return Optional.ofNullable(take(calls, new ToolCalls.Piece(0, null, nonEmpty(call.path("name")), arguments)));
    }

    /** Writes arguments that were blank into the tree. */
    static void fill(ObjectNode said, ToolCallDelta filled) {
        ArrayNode calls = said.get("tool_calls") instanceof ArrayNode there ? there : said.putArray("tool_calls");
        for (int i = 0; i < calls.size(); i++) {
            JsonNode call = calls.get(i);
            if (call.path("index").asInt(i) == filled.index() && call.path("function") instanceof ObjectNode function) {
                function.put("arguments", filled.arguments());
                return;
            }
        }
        calls.addObject().put("index", filled.index()).putObject("function").put("arguments", filled.arguments());
    }

    private static ToolCallDelta take(ToolCalls calls, ToolCalls.Piece piece) throws AnswerReader.Unusable {
        try {
            return calls.take(piece);
        } catch (ToolCalls.Unclear unclear) {
            throw new AnswerReader.Unusable(FailureClass.UPSTREAM_INTERNAL, unclear.getMessage());
        }
    }

    private static int index(ObjectNode call) {
        JsonNode index = call.path("index");
        return index.isIntegralNumber() && index.canConvertToInt() && index.intValue() >= 0 ? index.intValue() : -1;
    }

    private static ToolCalls.Piece piece(ObjectNode call, int index) {
        JsonNode function = call.path("function");
        boolean custom = call.path("custom").isObject();
        JsonNode body = custom ? call.path("custom") : function;
        JsonNode arguments = custom ? body.path("input") : body.path("arguments");
        return new ToolCalls.Piece(
                index, nonEmpty(call.path("id")), nonEmpty(body.path("name")), argumentsText(arguments));
    }

    private static String nonEmpty(JsonNode value) {
        return value.isTextual() && !value.textValue().isEmpty() ? value.textValue() : null;
    }

    /** Arguments are a string on the wire; some providers send the object itself. */
    private static String argumentsText(JsonNode arguments) {
        if (arguments.isTextual()) {
            return arguments.textValue();
        }
        return arguments.isMissingNode() || arguments.isNull() ? "" : ProviderJson.text(arguments);
    }

    /** The piece as the client sees it: index, id and name as {@code delta} says, every unknown member as it was. */
    private static ObjectNode relayed(ObjectNode call, ToolCallDelta delta, boolean whole) {
        ObjectNode relayed = call.deepCopy();
        if (!whole || call.has("index")) {
            relayed.put("index", delta.index());
        }
        if (call.path("custom").isObject()) {
            return relayed;
        }
        ObjectNode function = call.path("function") instanceof ObjectNode sent ? sent.deepCopy() : NODES.objectNode();
        if (delta.id() != null) {
            relayed.put("id", delta.id());
            relayed.put("type", "function");
            function.put("name", delta.name());
        } else {
            relayed.remove("id");
            function.remove("name");
        }
        relayed.set("function", function.put("arguments", delta.arguments()));
        return relayed;
    }
}
