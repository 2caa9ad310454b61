package io.sluice.plugins.simulator;

import io.sluice.plugins.api.chat.JsonText;
import java.util.ArrayList;
import java.util.List;

/**
 * A simulated answer in the words of the OpenAI dialect. Pure.
 *
 * @param number of the call, part of the answer's id
 * @param model as the caller named it
 * @param choices {@code n} of the request
 * @param usage the usage object; null where the answer has none
 */
record AnswerText(SimulatedAnswer answer, long number, long createdS, String model, int choices, String usage) {
    /** The whole answer. */
    String whole() {
        StringBuilder each = new StringBuilder();
        for (int choice = 0; choice < choices; choice++) {
            each.append(choice == 0 ? "" : ",")
                    .append("{\"index\":")
                    .append(choice)
                    .append(",\"message\":{\"role\":\"assistant\",\"content\":")
                    .append(answer.tool() == null ? JsonText.quote(answer.text()) : "null")
                    .append(",\"refusal\":null")
                    .append(answer.tool() == null ? "" : ",\"tool_calls\":[" + call(choice, answer.arguments()) + "]")
                    .append("},\"logprobs\":null,\"finish_reason\":\"")
                    .append(answer.finish())
                    .append("\"}");
        }
        return head("chat.completion") + each + "]" + (usage == null ? "" : ",\"usage\":" + usage) + "}";
    }

    /** The stream's events, each the text behind {@code data: }; {@code includeUsage} adds the last one with the usage. */
    List<String> chunks(boolean includeUsage) {
        List<String> chunks = new ArrayList<>(choices * (answer.tokens().size() + 3) + 2);
        addAll(chunks, "{\"role\":\"assistant\",\"content\":\"\"}");
        for (String token : answer.tokens()) {
            addAll(chunks, "{\"content\":" + JsonText.quote(token) + "}");
        }
        if (answer.tool() != null) {
            for (int choice = 0; choice < choices; choice++) {
                chunks.add(chunk(choice, "{\"tool_calls\":[" + indexed(call(choice, "")) + "]}", "null"));
            }
            for (String part : halves(answer.arguments())) {
                addAll(
                        chunks,
                        "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":" + JsonText.quote(part) + "}}]}");
            }
        }
        for (int choice = 0; choice < choices; choice++) {
            chunks.add(chunk(choice, "{}", JsonText.quote(answer.finish())));
        }
        if (includeUsage && usage != null) {
            chunks.add(head("chat.completion.chunk") + "],\"usage\":" + usage + "}");
        }
        chunks.add("[DONE]");
        return chunks;
    }

    private void addAll(List<String> chunks, String delta) {
        for (int choice = 0; choice < choices; choice++) {
            chunks.add(chunk(choice, delta, "null"));
        }
    }

    private String chunk(int choice, String delta, String finish) {
        return head("chat.completion.chunk") + "{\"index\":" + choice + ",\"delta\":" + delta
                + ",\"logprobs\":null,\"finish_reason\":" + finish + "}]}";
    }

    private String head(String object) {
        return "{\"id\":\"chatcmpl-sim-" + number + "\",\"object\":\"" + object + "\",\"created\":" + createdS
                + ",\"model\":" + JsonText.quote(model) + ",\"system_fingerprint\":\"fp_simulator\",\"choices\":[";
    }

    private String call(int choice, String arguments) {
        return "{\"id\":\"call_sim_" + number + "_" + choice + "\",\"type\":\"function\",\"function\":{\"name\":"
                + JsonText.quote(answer.tool()) + ",\"arguments\":" + JsonText.quote(arguments) + "}}";
    }

    private static String indexed(String call) {
        return "{\"index\":0," + call.substring(1);
    }

    private static List<String> halves(String text) {
        int half = text.length() / 2;
        return List.of(text.substring(0, half), text.substring(half));
    }
}
