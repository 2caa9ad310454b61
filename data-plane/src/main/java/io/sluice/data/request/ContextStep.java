package io.sluice.data.request;

import io.sluice.data.seeing.RequestMeters;
import io.sluice.plugins.api.chat.ChatFacts;
import io.sluice.plugins.api.chat.ChatHistory;
import io.sluice.plugins.api.chat.ChatParse;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.ChatRequestParser;
import io.sluice.tenants.config.ContextSetting;
import io.sluice.tenants.context.ContextCut;
import io.sluice.tenants.context.ContextDecider;
import io.sluice.tenants.context.ContextInput;
import io.sluice.tenants.decision.ContextRecord;
import io.sluice.tenants.failure.Refusal;

/**
 * Leaves out the oldest turns of a conversation where its scenario wants that (requirement B9). All that follows, limits, cache key,
 * estimates and reservation, is of what is left; only an idempotency key stands for the request as it came. Stateless.
 */
final class ContextStep {
    private final ChatRequestParser parser;
    private final RequestMeters meters;

    ContextStep(ChatRequestParser parser, RequestMeters meters) {
        this.parser = parser;
        this.meters = meters;
    }

    /** Whether the scenario may leave something out of this very request. */
    static boolean concerns(Identified identified) {
        ChatFacts facts = identified.chat().facts();
        return !identified.scenario().settings().context().passes(facts.messages(), facts.promptTokens());
    }

    /** The request as its models get to read it; about two microseconds per kilobyte. */
    Outcome<Identified> cut(Identified identified) {
        if (!concerns(identified)) {
            return Outcome.go(identified);
        }
        ContextSetting setting = identified.scenario().settings().context();
        ChatHistory history = ChatHistory.of(identified.chat(), setting.leadingPairs());
        ContextInput input = history.input(setting.turnsMax(), setting.tokensMax());
        ContextCut cut = ContextDecider.decide(input);
        if (!cut.fits()) {
            return Outcome.halt(tooLong(identified, setting));
        }
        if (cut.turnsDropped() == 0) {
            return Outcome.go(identified);
        }
        ChatRequest left = parsed(history.without(cut));
        return Outcome.go(identified.cutTo(left, new ContextRecord(input, cut)));
    }

    private ChatRequest parsed(byte[] body) {
        ChatParse parse = parser.parse(body);
        return parse.fold(request -> request, refused -> {
            throw new IllegalStateException("a cut made a right request wrong: " + refused.refusal());
        });
    }

    private static Stop tooLong(Identified identified, ContextSetting setting) {
        return Stop.of(
                Refusal.CONTEXT_LENGTH_EXCEEDED,
                "scenario \"" + identified.scenario().name() + "\" takes prompts of at most " + setting.tokensMax()
                        + " tokens, and this one has about "
                        + identified.chat().facts().promptTokens()
                        + "; older turns would have been left out, but what always stays and the newest turn are longer by themselves."
                        + " Send less, or ask whoever manages the scenario to raise tokensMax",
                "messages");
    }

    /** Tells and counts what was left out. */
    void tell(Identified identified) {
        if (identified.context() != null) {
            Reply.cut(identified.arrival(), identified.context());
            meters.contextCut(
                    identified.caller().tenant().id().value(),
                    identified.scenario().name());
        }
    }
}
