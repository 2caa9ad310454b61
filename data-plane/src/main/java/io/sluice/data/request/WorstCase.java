package io.sluice.data.request;

import io.sluice.plugins.api.chat.ChatFacts;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.routing.CompiledTarget;

/** What one attempt may cost at most. Pure. */
final class WorstCase {
    /** What providers put around each message, tokens. */
    private static final int MESSAGE_TOKENS = 16;

    private WorstCase() {}

    /** Micro-units; -1 where the model has no price, so that nobody knows. */
    static long micros(Planned planned, CompiledTarget target) {
        ChatFacts chat = planned.identified().chat().facts();
        long prompt = Math.max(planned.identified().chat().bytes(), chat.promptTokens())
                + (long) MESSAGE_TOKENS * chat.messages();
        int most =
                chat.maxTokens() == 0 ? target.maxOutputTokens() : Math.min(chat.maxTokens(), target.maxOutputTokens());
        TokenUsage usage = new TokenUsage(prompt, 0, 0, (long) most * chat.choices(), 0, true);
        return target.prices()
                .at(planned.identified().arrival().at())
                .map(price -> price.costOf(usage).micros())
                .orElse(-1L);
    }
}
