package io.sluice.control.config;

import io.sluice.control.api.ConfigCommand.Limits;
import io.sluice.tenants.config.LimitsConfig;

/** Limits on traffic, wherever they are written. */
final class LimitChecks {
    /** Far above what a machine does in a minute. */
    static final int PER_MINUTE_MAX = 1_000_000_000;

    private LimitChecks() {}

    /** The rule, null where it limits nothing; mistakes are told below {@code member}. */
    static LimitsConfig read(Limits typed, String member, Problems problems) {
        return typed == null
                ? null
                : read(typed.requestsPerMinute(), typed.tokensPerMinute(), typed.maxConcurrency(), problems.at(member));
    }

    /** Likewise where the limits stand among other members. */
    static LimitsConfig read(
            Integer requestsPerMinute, Integer tokensPerMinute, Integer maxConcurrency, Problems problems) {
        optional(requestsPerMinute, PER_MINUTE_MAX, "requestsPerMinute", problems);
        optional(tokensPerMinute, PER_MINUTE_MAX, "tokensPerMinute", problems);
        optional(maxConcurrency, ProviderChecks.CONCURRENCY_MAX, "maxConcurrency", problems);
        return LimitsConfig.orNull(requestsPerMinute, tokensPerMinute, maxConcurrency);
    }

    /** A limit that may be left out. 0 would refuse everything: a key is revoked, a tenant suspended instead. */
    static void optional(Integer limit, int max, String member, Problems problems) {
        if (limit != null) {
            problems.range(limit, 1, max, member);
        }
    }
}
