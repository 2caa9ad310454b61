package io.sluice.plugins.api;

import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.money.TokenUsage;

/**
 * What a provider's answer says, in order. Every attempt ends with exactly one {@link Completed} or {@link Failed}, and
 * nothing comes after it.
 */
public sealed interface AnswerEvent {
    /**
     * The answer began.
     *
     * @param id the provider's id of the answer; may be null
     * @param createdS seconds since the epoch; 0 where unknown
     * @param model as the provider names it; may be null
     */
    record Started(String id, long createdS, String model) implements AnswerEvent {}

    /** A piece of text; never empty. */
    record ContentDelta(int choice, String text) implements AnswerEvent {}

    /** A piece of the model's thinking; never empty. */
    record ReasoningDelta(int choice, String text) implements AnswerEvent {}

    /**
     * A piece of a tool call. Every call has an index of its own within its choice, counted from 0; the first piece of a call
     * carries id and name.
     *
     * @param id non-empty in the first piece, null in later ones
     * @param name non-empty in the first piece, null in later ones
     * @param arguments a piece of the JSON text; may be empty, never null
     */
    record ToolCallDelta(int choice, int index, String id, String name, String arguments) implements AnswerEvent {}

    /**
     * Tokens used so far; a later one replaces an earlier one, they are never added. Sent only for figures that can be true:
     * where a provider reports none, zero for a prompt, negative, fractional or absurd ones, there is no such event and the
     * gateway counts by itself. Truth against the text delivered is the gateway's to check.
     *
     * @param serviceTier in which the provider served the call, in its own words; null where it does not say
     * @param serverToolCalls so many times the provider bills its own tools, such as web searches; -1 where it does not say, and then the
     *     gateway takes what the request asks for
     */
    record UsageReported(TokenUsage usage, String serviceTier, int serverToolCalls) implements AnswerEvent {
        /** Of a provider that says nothing of tiers and tools. */
        public UsageReported(TokenUsage usage) {
            this(usage, null, -1);
        }
    }

    /** One choice is complete. */
    record Finished(int choice, FinishReason reason) implements AnswerEvent {}

    /** The whole answer is complete. Terminal. */
    record Completed() implements AnswerEvent {}

    /**
     * The attempt failed. Terminal.
     *
     * @param status what the provider answered, or the status its error object names; 0 where there was none
     * @param message the provider's own words, for operators; shown to callers only for {@code BAD_REQUEST},
     *     {@code CONTEXT_LENGTH} and {@code CONTENT_FILTER}; never null
     * @param retryAfterMs how long the provider wants to be left alone; 0 where it did not say
     */
    record Failed(FailureClass failure, int status, String message, long retryAfterMs) implements AnswerEvent {}

    /**
     * Whether an answer that has sent this can no longer be taken back: the commit point of requirement A7. Blanks are nothing
     * yet: an answer may turn out to have no more than them.
     */
    default boolean bearsContent() {
        return (this instanceof ContentDelta content && !content.text().isBlank())
                || (this instanceof ReasoningDelta reasoning
                        && !reasoning.text().isBlank())
                || this instanceof ToolCallDelta;
    }

    /** Whether nothing may come after it. */
    default boolean terminal() {
        return this instanceof Completed || this instanceof Failed;
    }
}
