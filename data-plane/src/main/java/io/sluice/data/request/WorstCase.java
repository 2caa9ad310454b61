package io.sluice.data.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.plugins.api.chat.ChatEdit;
import io.sluice.plugins.api.chat.ChatFacts;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.money.CostEstimate;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PromptBound;
import io.sluice.tenants.money.Served;
import io.sluice.tenants.money.ServerToolBound;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTarget;
import java.time.Instant;
import java.util.List;

/** What one attempt may cost at most. Pure. */
final class WorstCase {
    /** Of one char of a text. */
    private static final int UTF8_BYTES_MAX = 3;

    /** More than the tokens that set one message apart. */
    private static final int MESSAGE_BYTES = 32;

    private WorstCase() {}

    /** Micro-units; -1 where the model has no price, so that nobody knows. */
    static long micros(Planned planned, CompiledTarget target) {
        Identified request = planned.identified();
        return micros(
                request.chat(),
                request.prompt().tokensMax(target.nameUpstream()),
                promptBytes(request.ladder()),
                target,
                request.arrival().at());
    }

    /**
     * Likewise, of one call.
     *
     * @param textTokens that the prompt has at most by the target's vocabulary, images left out; -1 where nobody counted them
     * @param promptBytes that the rung may add to the prompt
     */
    static long micros(ChatRequest request, long textTokens, int promptBytes, CompiledTarget target, Instant at) {
        Price price = target.prices().at(at).orElse(null);
        if (price == null) {
            return -1;
        }
        ChatFacts chat = request.facts();
        long most = textTokens < 0 ? chat.promptBytesMax() : textTokens;
        int serverToolCalls = ServerToolBound.callsMax(chat.serverToolCalls(), target.nameUpstream());
        long bytes = chat.promptBytesMax() < 0 || serverToolCalls > 0 ? -1 : most + promptBytes;
        long prompt = PromptBound.tokensMax(
                bytes, chat.images(), chat.tools(), target.nameUpstream(), target.contextWindow());
        long output = ChatEdit.outputTokensMax(chat, target.maxOutputTokens());
        Served asked = new Served(price.serviceTiers().isEmpty() ? null : askedTier(request), target.region());
        return CostEstimate.worst(price, prompt, output, chat.images(), serverToolCalls, asked, at)
                .micros();
    }

    /** The service tier that a request asks for; null where it asks for none. */
    static String askedTier(ChatRequest request) {
        return request.member("service_tier")
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .orElse(null);
    }

    /** So long is the longest prompt of a ladder's own, bytes: a rung adds no more to the caller's. */
    static int promptBytes(List<CompiledRung> ladder) {
        int longest = 0;
        for (CompiledRung rung : ladder) {
            if (rung instanceof CompiledRung.Pool pool && pool.edit().system() != null) {
                int chars = pool.edit().system().length();
                longest = Math.max(longest, chars * UTF8_BYTES_MAX + MESSAGE_BYTES);
            }
        }
        return longest;
    }
}
