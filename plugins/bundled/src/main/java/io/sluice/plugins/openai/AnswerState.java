package io.sluice.plugins.openai;

import io.sluice.plugins.api.AnswerEvent;
import io.sluice.tenants.money.TokenUsage;
import java.util.ArrayList;
import java.util.List;

/** What one answer has said so far. For one answer on one thread. */
final class AnswerState {
    /** OpenAI's own limit of {@code n}. */
    static final int CHOICES_MAX = 128;

    private final List<ChoiceState> choices = new ArrayList<>(1);
    private final CallIds callIds;
    private boolean started;
    private String id;
    private boolean spoke;
    private TokenUsage held;
    private boolean usageReported;
    private String serviceTier;
    private int searches = UsageReader.UNSAID;

    AnswerState(CallIds callIds) {
        this.callIds = callIds;
    }

    boolean started() {
        return started;
    }

    /** The answer's id, fixed by its first chunk; null where that had none. */
    String id() {
        return id;
    }

    /** Notes the first chunk. */
    AnswerEvent.Started start(String id, long createdS, String model) {
        started = true;
        this.id = id;
        return new AnswerEvent.Started(id, createdS, model);
    }

    /** The choice with the provider's number {@code index}, begun when it is first named. */
    ChoiceState choice(int index) {
        for (ChoiceState choice : choices) {
            if (choice.index() == index) {
                return choice;
            }
        }
        ChoiceState begun = new ChoiceState(index, callIds);
        choices.add(begun);
        return begun;
    }

    /** Whether anything of the choice came. */
    boolean begun(int index) {
        return choices.stream().anyMatch(choice -> choice.index() == index);
    }

    /** Whether the choice has begun and not ended. */
    boolean running(int index) {
        for (ChoiceState choice : choices) {
            if (choice.index() == index) {
                return !choice.finished();
            }
        }
        return false;
    }

    /** Whether the choice has ended; false where it has not begun. */
    boolean finished(int index) {
        for (ChoiceState choice : choices) {
            if (choice.index() == index) {
                return choice.finished();
            }
        }
        return false;
    }

    /** Notes that text, thinking, a call or anything else that is an answer came; blanks are none. */
    void speak() {
        spoke = true;
    }

    /** Whether anything that is an answer came. */
    boolean spoke() {
        return spoke;
    }

    /** Whether every choice that began has ended, and at least one has. */
    boolean complete() {
        for (ChoiceState choice : choices) {
            if (!choice.finished()) {
                return false;
            }
        }
        return !choices.isEmpty();
    }

    /** Whether a choice ended in a way that explains why nothing was said. */
    boolean filtered() {
        return choices.stream().anyMatch(ChoiceState::filtered);
    }

    /**
     * Takes a trustworthy usage.
     *
     * @return whether it is to be reported now. One without answer tokens is held back: it is a first running total, or a lie
     *     if text came
     */
    boolean takeUsage(TokenUsage usage) {
        if (usage.outputTotal() > 0) {
            usageReported = true;
            held = null;
            return true;
        }
        if (!usageReported) {
            held = usage;
        }
        return false;
    }

    /** Notes in which service tier the provider says that it works; null where it does not say. */
    void served(String tier) {
        serviceTier = tier == null ? serviceTier : tier;
    }

    /** Notes how many searches the provider says that it bills so far; {@link UsageReader#UNSAID} where it does not say. */
    void searched(int count) {
        searches = count == UsageReader.UNSAID ? searches : count;
    }

    /** What is to be reported of a trustworthy usage. */
    AnswerEvent.UsageReported reported(TokenUsage usage) {
        return new AnswerEvent.UsageReported(usage, serviceTier, searches);
    }

    /** The usage held back, if it can be believed at the end; null otherwise. */
    TokenUsage heldUsage() {
        return spoke ? null : held;
    }

    /** Whether the provider gave usage with tokens of an answer: then an empty answer is an answer. */
    boolean usageKnown() {
        return usageReported;
    }
}
