package io.sluice.tenants.config;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * How much of a conversation a scenario's models get to read (requirement B9): {@code {"turnsMax": 10}}, {@code {"tokensMax": 8000}}, or
 * both.
 *
 * @param turnsMax most turns, the newest ones; 0 where all are
 * @param tokensMax estimated tokens of the longest prompt, messages and tools; 0 where the models' windows decide
 * @param leadingPairs whether unmarked pairs directly after the system messages are examples, which always stay
 */
public record ContextSetting(int turnsMax, int tokensMax, boolean leadingPairs) {
    /** All of it, as far as the window of a model goes. */
    public static final ContextSetting NONE = new ContextSetting(0, 0, false);

    /** Requests have no more messages. */
    public static final int TURNS_MAX = 10_000;

    /** Below this not even a system message and a question fit. */
    public static final int TOKENS_MIN = 100;

    /** The largest windows of today have two million. */
    public static final int TOKENS_MAX = 10_000_000;

    /** Names of its members. */
    public static final String TURNS = "turnsMax";

    public static final String TOKENS = "tokensMax";

    /** Reads a value that was found right when it was saved; null means that there is none. */
    static ContextSetting read(JsonNode value, boolean leadingPairs) {
        return value == null
                ? NONE
                : new ContextSetting(
                        value.path(TURNS).asInt(0), value.path(TOKENS).asInt(0), leadingPairs);
    }

    /** Whether a request of so many messages and so many estimated tokens surely passes whole. */
    public boolean passes(int messages, int promptTokens) {
        return (turnsMax == 0 || messages <= turnsMax) && (tokensMax == 0 || promptTokens <= tokensMax);
    }
}
