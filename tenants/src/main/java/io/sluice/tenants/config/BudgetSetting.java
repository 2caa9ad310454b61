package io.sluice.tenants.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;

/**
 * What money may do to a scenario: {@code {"exempt": true}}, {@code {"floor": "STANDARD"}}, {@code {"refuseWith": 429}}.
 *
 * @param exempt whether no band concerns it; its caps still hold
 * @param floor no band sends its requests to a lighter tier, or to a text; null where a band may
 * @param status of the refusal of a request that no money is left for: 402, or 429 with code {@code insufficient_quota}
 */
public record BudgetSetting(boolean exempt, Tier floor, int status) {
    /** Bands concern it, without a floor. */
    public static final BudgetSetting NONE = new BudgetSetting(false, null, BudgetSetting.PAYMENT_REQUIRED);

    /** Stops the retries of every client that is known. */
    public static final int PAYMENT_REQUIRED = 402;

    /** OpenAI's own; some clients repeat it. */
    public static final int TOO_MANY_REQUESTS = 429;

    private static final String EXEMPT = "exempt";
    private static final String FLOOR = "floor";
    private static final String REFUSE_WITH = "refuseWith";
    private static final Set<String> MEMBERS = Set.of(EXEMPT, FLOOR, REFUSE_WITH);

    /** What is wrong with {@code value}; empty where nothing is. */
    static Optional<String> problem(JsonNode value) {
        if (!value.isObject() || value.isEmpty()) {
            return Optional.of("must be an object with some of exempt, floor and refuseWith");
        }
        for (Iterator<String> names = value.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!MEMBERS.contains(name)) {
                return Optional.of("has the unknown member " + name + "; known are exempt, floor, refuseWith");
            }
        }
        if (value.has(EXEMPT) && !value.get(EXEMPT).isBoolean()) {
            return Optional.of("exempt must be true or false");
        }
        if (value.has(FLOOR) && tier(value.get(FLOOR)).isEmpty()) {
            return Optional.of("floor must be one of " + Arrays.toString(Tier.values()));
        }
        JsonNode status = value.path(REFUSE_WITH);
        boolean known = status.isMissingNode()
                || (status.isIntegralNumber()
                        && (status.asLong() == PAYMENT_REQUIRED || status.asLong() == TOO_MANY_REQUESTS));
        return known ? Optional.empty() : Optional.of("refuseWith must be 402 or 429");
    }

    /** Reads a value that was found right when it was saved; null means that there is none. */
    static BudgetSetting read(JsonNode value) {
        return value == null
                ? NONE
                : new BudgetSetting(
                        value.path(EXEMPT).asBoolean(false),
                        tier(value.path(FLOOR)).orElse(null),
                        value.path(REFUSE_WITH).asInt(PAYMENT_REQUIRED));
    }

    private static Optional<Tier> tier(JsonNode word) {
        return Arrays.stream(Tier.values())
                .filter(tier -> word.isTextual() && tier.name().equals(word.textValue()))
                .findFirst();
    }
}
