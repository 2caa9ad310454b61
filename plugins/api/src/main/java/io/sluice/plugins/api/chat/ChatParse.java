package io.sluice.plugins.api.chat;

import io.sluice.tenants.failure.Refusal;
import java.util.function.Function;

/** What came of parsing a body. */
public sealed interface ChatParse {
    /** A right request. */
    record Parsed(ChatRequest request) implements ChatParse {}

    /**
     * A wrong one.
     *
     * @param message what is wrong and what to write instead; never quotes the prompt
     * @param param path of the wrong member, such as {@code messages[2].content}; null where the whole body is wrong
     */
    record Refused(Refusal refusal, String message, String param) implements ChatParse {}

    /** One answer for each outcome. */
    default <T> T fold(Function<ChatRequest, T> parsed, Function<Refused, T> refused) {
        return this instanceof Parsed p ? parsed.apply(p.request()) : refused.apply((Refused) this);
    }
}
