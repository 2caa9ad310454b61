package io.sluice.plugins.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.simulator.SimulatorScript.ToolUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a simulated model says to a request: the same to the same request, always.
 *
 * @param tokens pieces of the text, in order; empty where a tool is called
 * @param tool name of the called tool; null where none is
 * @param arguments its arguments as JSON text
 * @param finish {@code stop}, {@code length} or {@code tool_calls}
 */
record SimulatedAnswer(List<String> tokens, String tool, String arguments, String finish, int promptTokens) {
    SimulatedAnswer {
        tokens = List.copyOf(tokens);
    }

    static SimulatedAnswer to(ChatRequest request, SimulatorScript script) {
        JsonNode body = request.tree();
        String prompt = lastText(body.path("messages"));
        JsonNode tool = calledTool(body, prompt, script.toolCall());
        if (tool != null) {
            JsonNode function = tool.path("function");
            return new SimulatedAnswer(
                    List.of(),
                    function.path("name").asText(),
                    arguments(function.path("parameters")).toString(),
                    "tool_calls",
                    request.facts().promptTokens());
        }
        String[] words =
                ("You said: " + (prompt.isBlank() ? "nothing" : prompt)).strip().split("\\s+", -1);
        int wanted = script.tokens() == 0 ? words.length : script.tokens();
        int cap = request.facts().maxTokens() == 0
                ? Integer.MAX_VALUE
                : request.facts().maxTokens();
        int count = Math.min(wanted, cap);
        List<String> tokens = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tokens.add((i == 0 ? "" : " ") + words[i % words.length]);
        }
        return new SimulatedAnswer(
                tokens,
                null,
                null,
                count < wanted ? "length" : "stop",
                request.facts().promptTokens());
    }

    String text() {
        return String.join("", tokens);
    }

    int completionTokens() {
        return tool == null ? tokens.size() : 1 + arguments.length() / 4;
    }

    private static String lastText(JsonNode messages) {
        JsonNode content = messages.path(messages.size() - 1).path("content");
        if (content.isTextual()) {
            return content.textValue();
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            text.append(part.path("text").asText("")).append(' ');
        }
        return text.toString();
    }

    private static JsonNode calledTool(JsonNode body, String prompt, ToolUse use) {
        JsonNode tools = body.path("tools");
        JsonNode choice = body.path("tool_choice");
        boolean answered = body.path("messages")
                .path(body.path("messages").size() - 1)
                .path("role")
                .asText()
                .equals("tool");
        if (tools.isEmpty()
                || use == ToolUse.NEVER
                || answered
                || choice.asText().equals("none")) {
            return null;
        }
        String asked = prompt.toLowerCase(Locale.ROOT);
        for (JsonNode tool : tools) {
            String name = tool.path("function").path("name").asText();
            boolean chosen = choice.path("function").path("name").asText().equals(name);
            if (chosen || asked.contains("call " + name.toLowerCase(Locale.ROOT))) {
                return tool;
            }
        }
        return use == ToolUse.ALWAYS || choice.asText().equals("required") ? tools.get(0) : null;
    }

    /** An object with a plain value for every property of the schema. */
    private static ObjectNode arguments(JsonNode schema) {
        ObjectNode arguments = JsonNodeFactory.instance.objectNode();
        schema.path("properties")
                .fields()
                .forEachRemaining(each -> arguments.set(each.getKey(), value(each.getValue())));
        return arguments;
    }

    private static JsonNode value(JsonNode schema) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (!schema.path("enum").isEmpty()) {
            return schema.path("enum").get(0);
        }
        return switch (schema.path("type").asText()) {
            case "integer", "number" -> nodes.numberNode(1);
            case "boolean" -> nodes.booleanNode(true);
            case "array" -> nodes.arrayNode();
            case "object" -> arguments(schema);
            default -> nodes.textNode("x");
        };
    }
}
