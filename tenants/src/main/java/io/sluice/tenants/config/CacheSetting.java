package io.sluice.tenants.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * How the sharing of answers is written: the scenario setting {@code cache} is {@code {"exact": {"ttl": "PT10M"}}} and lets equal
 * requests share an answer for that long; a rung is {@code {"exact": {"maxAge": "PT24H"}}}.
 */
public final class CacheSetting {
    /** In the scenario's setting. */
    public static final String TTL = "ttl";

    /** In a rung. */
    public static final String MAX_AGE = "maxAge";

    private static final String EXACT = "exact";

    /** Below a second nothing is shared; after a week nobody remembers that there is a cache. */
    private static final Duration MIN = Duration.ofSeconds(1);

    private static final Duration MAX = Duration.ofDays(7);

    private CacheSetting() {}

    /** What is wrong with {@code value}, whose time has the name {@code member}; empty where nothing is. */
    public static Optional<String> problem(JsonNode value, String member) {
        return read(value, member).isPresent()
                ? Optional.empty()
                : Optional.of("must be {\"exact\": {\"" + member
                        + "\": \"PT10M\"}} with an ISO-8601 duration from PT1S to P7D");
    }

    /** The time; empty where {@code value} is absent or wrong. */
    public static Optional<Duration> read(JsonNode value, String member) {
        if (value == null || !value.isObject() || value.size() != 1) {
            return Optional.empty();
        }
        JsonNode exact = value.path(EXACT);
        return exact.isObject() && exact.size() == 1 ? duration(exact.path(member)) : Optional.empty();
    }

    private static Optional<Duration> duration(JsonNode text) {
        try {
            Duration duration = Duration.parse(text.asText());
            boolean sane = duration.compareTo(MIN) >= 0 && duration.compareTo(MAX) <= 0;
            return sane ? Optional.of(duration) : Optional.empty();
        } catch (DateTimeParseException notIso) {
            return Optional.empty();
        }
    }
}
