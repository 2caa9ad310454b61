package io.sluice.tenants.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** The scenario setting {@code cache}: {@code {"exact": {"ttl": "PT10M"}}} lets equal requests share an answer for that long. */
final class CacheSetting {
    private static final String EXACT = "exact";

    private static final String TTL = "ttl";

    /** Below a second nothing is shared; after a week nobody remembers that there is a cache. */
    private static final Duration TTL_MIN = Duration.ofSeconds(1);

    private static final Duration TTL_MAX = Duration.ofDays(7);

    private CacheSetting() {}

    /** What is wrong with {@code value}; empty where nothing is. */
    static Optional<String> problem(JsonNode value) {
        JsonNode exact = value.path(EXACT);
        boolean shaped = value.isObject() && value.size() == 1 && exact.isObject() && exact.size() == 1;
        return shaped && duration(exact.path(TTL)).isPresent()
                ? Optional.empty()
                : Optional.of("must be {\"exact\": {\"ttl\": \"PT10M\"}} with an ISO-8601 duration from " + TTL_MIN
                        + " to P7D");
    }

    /** How long an answer is good; zero where {@code value} is null: nothing is shared. */
    static Duration exactTtl(JsonNode value) {
        return value == null
                ? Duration.ZERO
                : duration(value.path(EXACT).path(TTL)).orElse(Duration.ZERO);
    }

    private static Optional<Duration> duration(JsonNode text) {
        try {
            Duration duration = Duration.parse(text.asText());
            boolean sane = duration.compareTo(TTL_MIN) >= 0 && duration.compareTo(TTL_MAX) <= 0;
            return sane ? Optional.of(duration) : Optional.empty();
        } catch (DateTimeParseException notIso) {
            return Optional.empty();
        }
    }
}
