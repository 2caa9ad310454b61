package io.sluice.tenants.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The keys that {@link ScenarioConfig#settings} may have, and how they are read. An unknown key or a wrong value is a mistake
 * that is reported when the scenario is saved.
 */
public final class ScenarioSettings {
    /** Attempts of one request over all rungs, 1 to 10. */
    public static final String ATTEMPTS_MAX = "attemptsMax";

    /** Duration of a stream from its first token on, ISO-8601. */
    public static final String STREAM_TOTAL = "streamTotal";

    /** Longest silence within a stream, ISO-8601. */
    public static final String STREAM_IDLE = "streamIdle";

    /** Share of the deadline kept for rungs below the first, ISO-8601. */
    public static final String LOWER_RUNGS_RESERVE = "lowerRungsReserve";

    /** For how long equal requests of kind READ share an answer; see {@link CacheSetting}. */
    public static final String CACHE = "cache";

    /** The lane of the scenario's requests: {@code realtime} or {@code batch}. */
    public static final String LANE = "lane";

    /** All known keys. */
    public static final Set<String> KEYS =
            Set.of(ATTEMPTS_MAX, STREAM_TOTAL, STREAM_IDLE, LOWER_RUNGS_RESERVE, CACHE, LANE);

    private ScenarioSettings() {}

    /** What is wrong with {@code value} for {@code key}; empty where nothing is. */
    public static Optional<String> problem(String key, JsonNode value) {
        if (!KEYS.contains(key)) {
            return Optional.of("unknown setting; known are "
                    + String.join(", ", KEYS.stream().sorted().toList()));
        }
        if (key.equals(ATTEMPTS_MAX)) {
            boolean whole = value.isIntegralNumber() && value.canConvertToInt();
            return whole && value.intValue() >= 1 && value.intValue() <= 10
                    ? Optional.empty()
                    : Optional.of("must be a whole number from 1 to 10");
        }
        if (key.equals(CACHE)) {
            return CacheSetting.problem(value);
        }
        if (key.equals(LANE)) {
            return value.isTextual() && Lane.of(value.textValue()).isPresent()
                    ? Optional.empty()
                    : Optional.of("must be \"realtime\" or \"batch\"");
        }
        return duration(value).isPresent()
                ? Optional.empty()
                : Optional.of("must be a positive ISO-8601 duration of at most an hour, such as PT30S");
    }

    static int attemptsMax(Map<String, JsonNode> settings) {
        JsonNode value = settings.get(ATTEMPTS_MAX);
        return value == null ? ScenarioDefaults.ATTEMPTS_MAX : value.intValue();
    }

    private static Lane lane(Map<String, JsonNode> settings) {
        return Optional.ofNullable(settings.get(LANE))
                .flatMap(word -> Lane.of(word.textValue()))
                .orElse(Lane.REALTIME);
    }

    static Duration durationOr(Map<String, JsonNode> settings, String key, Duration otherwise) {
        return Optional.ofNullable(settings.get(key))
                .flatMap(ScenarioSettings::duration)
                .orElse(otherwise);
    }

    private static Optional<Duration> duration(JsonNode value) {
        try {
            Duration duration = Duration.parse(value.asText());
            boolean sane = !duration.isNegative() && !duration.isZero() && duration.compareTo(Duration.ofHours(1)) <= 0;
            return sane ? Optional.of(duration) : Optional.empty();
        } catch (DateTimeParseException notIso) {
            return Optional.empty();
        }
    }

    /**
     * The settings of a scenario in the form the request path uses.
     *
     * @param deadline of a real-time request
     * @param exactCacheTtl zero where equal requests share no answer
     * @param lane of a request that asks for none
     * @param batchDeadline of a batch request
     */
    public record Parsed(
            int attemptsMax,
            Duration deadline,
            Duration lowerRungsReserve,
            Duration firstToken,
            Duration streamTotal,
            Duration streamIdle,
            Duration exactCacheTtl,
            Lane lane,
            Duration batchDeadline) {}

    /** Reads a scenario that was found right when it was saved. */
    public static Parsed parse(ScenarioConfig scenario) {
        Map<String, JsonNode> settings = scenario.settings();
        Duration deadline = scenario.deadline() == null ? ScenarioDefaults.DEADLINE : scenario.deadline();
        Duration half = deadline.dividedBy(2);
        Duration reserve = durationOr(settings, LOWER_RUNGS_RESERVE, ScenarioDefaults.LOWER_RUNGS_RESERVE);
        return new Parsed(
                attemptsMax(settings),
                deadline,
                reserve.compareTo(half) > 0 ? half : reserve,
                scenario.firstTokenTimeout() == null
                        ? ScenarioDefaults.FIRST_TOKEN_TIMEOUT
                        : scenario.firstTokenTimeout(),
                durationOr(settings, STREAM_TOTAL, ScenarioDefaults.STREAM_TOTAL),
                durationOr(settings, STREAM_IDLE, ScenarioDefaults.STREAM_IDLE),
                CacheSetting.exactTtl(settings.get(CACHE)),
                lane(settings),
                scenario.deadline() == null ? ScenarioDefaults.BATCH_DEADLINE : scenario.deadline());
    }
}
