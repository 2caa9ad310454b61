package io.sluice.data.request;

import io.sluice.plugins.api.chat.ChatFacts;
import io.sluice.tenants.decision.PromptRecord;
import io.sluice.tenants.decision.PromptRecord.Count;
import io.sluice.tenants.decision.PromptRecord.Use;
import io.sluice.tenants.money.Vocabulary;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was counted of a request's prompt, nearly always nothing. For one request on one event loop. */
final class PromptCount {
    private Map<Vocabulary, Long> counts;
    private Set<Use> uses;

    /** Whether anything was counted. */
    boolean counted() {
        return counts != null;
    }

    boolean has(Vocabulary vocabulary) {
        return counts != null && counts.containsKey(vocabulary);
    }

    void add(Map<Vocabulary, Long> more) {
        counts = counts == null ? new EnumMap<>(Vocabulary.class) : counts;
        counts.putAll(more);
    }

    /** What is counted serves this, too. */
    void serves(Use use) {
        uses = uses == null ? EnumSet.noneOf(Use.class) : uses;
        uses.add(use);
    }

    /** Tokens of all texts for one model, an upper bound; -1 where they were not counted by its vocabulary. */
    long tokensMax(String nameUpstream) {
        if (counts == null) {
            return -1;
        }
        return Vocabulary.of(nameUpstream).map(counts::get).orElse(-1L);
    }

    /** Tokens of the prompt, images and all, for one model: the estimate, or the count where that is less; null where there is none. */
    Integer tokens(String nameUpstream, ChatFacts facts) {
        long texts = tokensMax(nameUpstream);
        return texts < 0
                ? null
                : (Integer)
                        (int) Math.min(facts.promptTokens(), texts + (long) facts.images() * ChatFacts.IMAGE_TOKENS);
    }

    /** Null where nothing was counted. */
    PromptRecord record(ChatFacts facts) {
        return counts == null
                ? null
                : new PromptRecord(
                        facts.promptBytesMax(),
                        counts.entrySet().stream()
                                .map(each -> new Count(each.getKey(), each.getValue()))
                                .toList(),
                        List.copyOf(uses));
    }
}
