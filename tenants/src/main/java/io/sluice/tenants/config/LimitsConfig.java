package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * How much traffic one rule lets through. A limit that is null is none.
 *
 * @param requestsPerMinute requests in any 60 seconds
 * @param tokensPerMinute tokens of prompts and answers in any 60 seconds
 * @param maxConcurrency requests that run at once
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LimitsConfig(Integer requestsPerMinute, Integer tokensPerMinute, Integer maxConcurrency) {
    /** Limits nothing. */
    public static final LimitsConfig NONE = new LimitsConfig(null, null, null);

    /** The rule, or null where it would limit nothing: a rule that is there always has a limit. */
    public static LimitsConfig orNull(Integer requestsPerMinute, Integer tokensPerMinute, Integer maxConcurrency) {
        LimitsConfig limits = new LimitsConfig(requestsPerMinute, tokensPerMinute, maxConcurrency);
        return limits.limitsNothing() ? null : limits;
    }

    /** Whether no limit is set. */
    @JsonIgnore
    public boolean limitsNothing() {
        return requestsPerMinute == null && tokensPerMinute == null && maxConcurrency == null;
    }
}
