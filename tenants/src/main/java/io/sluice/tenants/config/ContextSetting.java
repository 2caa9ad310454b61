package io.sluice.tenants.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

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
    private static final int TURNS_MAX = 10_000;

    /** Below this not even a system message and a question fit. */
    private static final int TOKENS_MIN = 100;

    /** The largest windows of today have two million. */
    private static final int TOKENS_MAX = 10_000_000;

    static final String TURNS = "turnsMax";
    private static final String TOKENS = "tokensMax";
    private static final Set<String> MEMBERS = Set.of(TURNS, TOKENS);

    /** What is wrong with {@code value}; empty where nothing is. */
    static Optional<String> problem(JsonNode value) {
        if (!value.isObject() || value.isEmpty()) {
            return Optional.of("must be an object with turnsMax, tokensMax or both");
        }
        for (Iterator<String> names = value.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!MEMBERS.contains(name)) {
                return Optional.of("has the unknown member " + name + "; known are turnsMax, tokensMax");
            }
        }
        return whole(value, TURNS, 1, TURNS_MAX).or(() -> whole(value, TOKENS, TOKENS_MIN, TOKENS_MAX));
    }

    private static Optional<String> whole(JsonNode value, String name, int min, int max) {
        JsonNode number = value.path(name);
        boolean right = number.isMissingNode()
                || (number.isIntegralNumber()
                        && number.canConvertToInt()
                        && number.intValue() >= min
                        && number.intValue() <= max);
        return right ? Optional.empty() : Optional.of(name + " must be a whole number from " + min + " to " + max);
    }

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
