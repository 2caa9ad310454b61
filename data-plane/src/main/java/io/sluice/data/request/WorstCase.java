package io.sluice.data.request;

import io.sluice.plugins.api.chat.ChatEdit;
import io.sluice.plugins.api.chat.ChatFacts;
import io.sluice.tenants.money.CostEstimate;
import io.sluice.tenants.money.PromptBound;
import io.sluice.tenants.routing.CompiledTarget;
import java.time.Instant;

/** What one attempt may cost at most. Pure. */
final class WorstCase {
    private WorstCase() {}

    /** Micro-units; -1 where the model has no price, so that nobody knows. */
    static long micros(Planned planned, CompiledTarget target) {
        ChatFacts chat = planned.identified().chat().facts();
        Instant at = planned.identified().arrival().at();
        long prompt = PromptBound.tokensMax(
                chat.promptBytesMax(), chat.images(), chat.tools(), target.nameUpstream(), target.contextWindow());
        long output = ChatEdit.outputTokensMax(chat, target.maxOutputTokens());
        return target.prices()
                .at(at)
                .map(price -> CostEstimate.worst(price, prompt, output, chat.images(), at).micros())
                .orElse(-1L);
    }
}
