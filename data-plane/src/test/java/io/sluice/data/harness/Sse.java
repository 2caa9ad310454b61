package io.sluice.data.harness;

import io.sluice.plugins.api.chat.JsonText;
import java.util.ArrayList;
import java.util.List;

/** The chunk notation of the case list: C("t"), FIN("r"), USE(p,c), DONE, TC(i,id,name,args). */
public final class Sse {
    public static final String DONE = "data: [DONE]\n\n";

    private Sse() {}

    /** A content chunk. */
    public static String c(String text) {
        return chunk("{\"content\":" + quote(text) + "}", "null");
    }

    /** A chunk with a finish reason. */
    public static String fin(String reason) {
        return chunk("{}", quote(reason));
    }

    /** A usage chunk without choices. */
    public static String use(int prompt, int completion) {
        return "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m1\",\"choices\":[],\"usage\":"
                + usage(prompt, completion) + "}\n\n";
    }

    /** A usage object. */
    public static String usage(int prompt, int completion) {
        return "{\"prompt_tokens\":" + prompt + ",\"completion_tokens\":" + completion + ",\"total_tokens\":"
                + (prompt + completion) + "}";
    }

    /** A tool call piece; null leaves a member out; {@code args} is plain text. */
    public static String tc(Integer index, String id, String name, String args) {
        StringBuilder call = new StringBuilder("{");
        call.append(index == null ? "" : "\"index\":" + index + ",");
        call.append(id == null ? "" : "\"id\":" + quote(id) + ",");
        call.append("\"type\":\"function\",\"function\":{");
        call.append(name == null ? "" : "\"name\":" + quote(name) + ",");
        call.append("\"arguments\":").append(quote(args)).append("}}");
        return chunk("{\"tool_calls\":[" + call + "]}", "null");
    }

    /** A chunk with any delta. */
    public static String chunk(String delta, String finishReason) {
        return "data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m1\",\"choices\":[{\"index\":0,\"delta\":"
                + delta + ",\"finish_reason\":" + finishReason + "}]}\n\n";
    }

    /** A whole answer. */
    public static String whole(String content, int prompt, int completion) {
        return "{\"id\":\"c1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m1\",\"choices\":[{\"index\":0,\"message\":"
                + "{\"role\":\"assistant\",\"content\":" + quote(content) + "},\"finish_reason\":\"stop\"}],\"usage\":"
                + usage(prompt, completion) + "}";
    }

    /** A JSON string. */
    public static String quote(String text) {
        return JsonText.quote(text);
    }

    /** The data payloads of an event stream as a strict client reads it: fails on anything but data events and comments. */
    public static List<String> payloads(String stream) {
        List<String> payloads = new ArrayList<>();
        for (String event : stream.split("\n\n", -1)) {
            if (event.isEmpty() || event.startsWith(":")) {
                continue;
            }
            if (!event.startsWith("data: ") || event.indexOf('\n') >= 0) {
                throw new AssertionError("not one data line: " + event);
            }
            payloads.add(event.substring("data: ".length()));
        }
        if (!stream.isEmpty() && !stream.endsWith("\n\n")) {
            throw new AssertionError("the last event is not ended: " + stream);
        }
        return payloads;
    }
}
