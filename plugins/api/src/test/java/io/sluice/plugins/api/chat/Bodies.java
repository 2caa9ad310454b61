package io.sluice.plugins.api.chat;

import io.sluice.tenants.failure.Refusal;
import java.nio.charset.StandardCharsets;
import org.assertj.core.api.Assertions;

/** Bodies of requests and what comes of them. */
final class Bodies {
    private static final ChatRequestParser PARSER = new ChatRequestParser(ChatLimits.DEFAULT);

    private Bodies() {}

    /** A plain right request with {@code members} added; begin them with a comma. */
    static String with(String members) {
        return "{\"model\":\"m1\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]" + members + "}";
    }

    /** A right request but for its messages. */
    static String messages(String messages) {
        return "{\"model\":\"m1\",\"messages\":" + messages + "}";
    }

    /** A right request with one user message of that content. */
    static String content(String content) {
        return messages("[{\"role\":\"user\",\"content\":" + content + "}]");
    }

    static ChatParse parse(byte[] body) {
        return PARSER.parse(body);
    }

    static ChatParse parse(String body) {
        return parse(body.getBytes(StandardCharsets.UTF_8));
    }

    static ChatRequest parsed(String body) {
        return parse(body).fold(request -> request, refused -> Assertions.fail("refused: " + refused));
    }

    static ChatParse.Refused refused(byte[] body) {
        return parse(body).fold(request -> Assertions.fail("was not refused"), refused -> refused);
    }

    static ChatParse.Refused refused(String body) {
        return refused(body.getBytes(StandardCharsets.UTF_8));
    }

    /** Fails unless {@code body} is refused as {@code refusal} with {@code param}. */
    static void assertRefused(String body, Refusal refusal, String param) {
        ChatParse.Refused refused = refused(body);
        Assertions.assertThat(refused.refusal()).as(refused.message()).isEqualTo(refusal);
        Assertions.assertThat(refused.param()).as(refused.message()).isEqualTo(param);
        Assertions.assertThat(refused.message()).isNotBlank();
    }
}
