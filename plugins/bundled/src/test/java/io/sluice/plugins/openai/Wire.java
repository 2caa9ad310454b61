package io.sluice.plugins.openai;

import io.sluice.plugins.api.AnswerDecoder;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.UpstreamHeaders;
import io.sluice.plugins.api.chat.ChatLimits;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.ChatRequestParser;
import io.sluice.plugins.api.chat.JsonText;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What providers put on the wire, in short words, and the codec's answer to it. */
final class Wire {
    static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    static final String DONE = "data: [DONE]\n\n";
    static final String EVENT_STREAM = "text/event-stream";
    static final String JSON = "application/json";

    private Wire() {}

    /** A chunk with text. */
    static String c(String text) {
        return choice("\"delta\":{\"content\":" + JsonText.quote(text) + "},\"finish_reason\":null");
    }

    /** The chunk that ends a choice. */
    static String fin(String reason) {
        return choice("\"delta\":{},\"finish_reason\":\"" + reason + "\"");
    }

    /** The chunk with the usage. */
    static String use(long prompt, long completion) {
        return event(
                "{\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m1\",\"choices\":[],\"usage\":"
                        + usage(prompt, completion) + "}");
    }

    static String usage(long prompt, long completion) {
        return "{\"prompt_tokens\":" + prompt + ",\"completion_tokens\":" + completion + ",\"total_tokens\":"
                + (prompt + completion) + "}";
    }

    /** A chunk with one piece of a tool call; null leaves a member out. */
    static String tc(Integer index, String id, String name, String arguments) {
        List<String> function = new ArrayList<>();
        if (name != null) {
            function.add("\"name\":" + JsonText.quote(name));
        }
        if (arguments != null) {
            function.add("\"arguments\":" + JsonText.quote(arguments));
        }
        return delta("{\"tool_calls\":[{" + (index == null ? "" : "\"index\":" + index + ",")
                + (id == null ? "" : "\"id\":" + JsonText.quote(id) + ",") + "\"type\":\"function\",\"function\":{"
                + String.join(",", function) + "}}]}");
    }

    static String delta(String delta) {
        return choice("\"delta\":" + delta + ",\"finish_reason\":null");
    }

    /** A chunk whose only choice has the members {@code members} besides its index. */
    static String choice(String members) {
        return event(
                "{\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m1\",\"choices\":[{\"index\":0,"
                        + members + "}]}");
    }

    static String event(String json) {
        return "data: " + json + "\n\n";
    }

    /** A whole answer. */
    static String whole(String message, String finish, String usage) {
        return "{\"id\":\"c1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m1\",\"choices\":[{\"index\":0,\"message\":"
                + message + ",\"finish_reason\":" + finish + "}]" + (usage == null ? "" : ",\"usage\":" + usage) + "}";
    }

    static ChatRequest request(String more) {
        byte[] body = ("{\"model\":\"m1\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]" + more + "}")
                .getBytes(StandardCharsets.UTF_8);
        return new ChatRequestParser(ChatLimits.DEFAULT).parse(body).fold(request -> request, refused -> {
            throw new IllegalArgumentException(refused.message());
        });
    }

    static UpstreamHeaders headers(Map<String, String> headers) {
        return name -> headers.get(name.toLowerCase(Locale.ROOT));
    }

    /** The answer to a request for a stream. */
    static Answer stream(String body) {
        return decode(true, 200, Map.of("content-type", EVENT_STREAM), bytes(body), Integer.MAX_VALUE);
    }

    /** The answer to a request for a whole answer. */
    static Answer document(String body) {
        return decode(false, 200, Map.of("content-type", JSON), bytes(body), Integer.MAX_VALUE);
    }

    static Answer error(int status, String body) {
        return decode(false, status, Map.of("content-type", JSON), bytes(body), Integer.MAX_VALUE);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Decodes {@code body}, cut into pieces of {@code pieceBytes}. */
    static Answer decode(boolean streamed, int status, Map<String, String> headers, byte[] body, int pieceBytes) {
        return decode(decoder(streamed), status, headers, body, pieceBytes);
    }

    static AnswerDecoder decoder(boolean streamed) {
        return new OpenAiDecoder(streamed, Vendor.OTHER, InstantSource.fixed(NOW));
    }

    static Answer decode(AnswerDecoder decoder, int status, Map<String, String> headers, byte[] body, int pieceBytes) {
        List<AnswerFrame> frames = new ArrayList<>();
        decoder.head(status, headers(headers));
        for (int from = 0; from < body.length && !terminal(frames); from += pieceBytes) {
            int to = (int) Math.min(body.length, (long) from + pieceBytes);
            decoder.data(Buffer.buffer(to - from).appendBytes(body, from, to - from), frames::add);
            if (pieceBytes == Integer.MAX_VALUE) {
                break;
            }
        }
        if (!terminal(frames)) {
            decoder.end(frames::add);
        }
        return new Answer(frames);
    }

    private static boolean terminal(List<AnswerFrame> frames) {
        return frames.stream().flatMap(frame -> frame.events().stream()).anyMatch(AnswerEvent::terminal);
    }
}
