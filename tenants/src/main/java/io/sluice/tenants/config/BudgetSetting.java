package io.sluice.tenants.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Optional;

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

    /** Names of its members. */
    public static final String EXEMPT = "exempt";

    public static final String FLOOR = "floor";

    public static final String REFUSE_WITH = "refuseWith";

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
