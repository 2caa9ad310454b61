package io.sluice.tenants.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The keys that {@link ScenarioConfig#settings} may have, and how they are read. An unknown key or a wrong value is refused when
 * the scenario is saved.
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

    /** Which messages are examples beside those that are marked by name; see {@link #LEADING_PAIRS}. */
    public static final String FEW_SHOT = "fewShot";

    /** The only value of {@link #FEW_SHOT}: user and assistant in turn, directly after the system messages, are examples. */
    public static final String LEADING_PAIRS = "leading-pairs";

    /** System prompts that rungs may name, by name; see {@link PromptVariant}. */
    public static final String PROMPT_VARIANTS = "promptVariants";

    /** What stands before an answer of a lower rung, for its reader; {@code {step}} becomes the rung's name. */
    public static final String DEGRADED_NOTICE = "degradedNotice";

    /** What money may do to the scenario; see {@link BudgetSetting}. */
    public static final String BUDGET = "budget";

    /** How much of a conversation its models get to read; see {@link ContextSetting}. */
    public static final String CONTEXT = "context";

    /** Whether traffic moves to a lower rung while the first is in trouble; see {@link ShiftSetting}. */
    public static final String SHIFT = "shift";

    /** All known keys. */
    public static final Set<String> KEYS = Set.of(
            ATTEMPTS_MAX,
            STREAM_TOTAL,
            STREAM_IDLE,
            LOWER_RUNGS_RESERVE,
            CACHE,
            LANE,
            FEW_SHOT,
            PROMPT_VARIANTS,
            DEGRADED_NOTICE,
            BUDGET,
            CONTEXT,
            SHIFT);

    private ScenarioSettings() {}

    /** The prompts that rungs may name. */
    public static Map<String, PromptVariant> promptVariants(Map<String, JsonNode> settings) {
        return PromptVariant.parse(settings.get(PROMPT_VARIANTS));
    }

    /** Whether leading pairs of messages are examples. */
    public static boolean leadingPairs(Map<String, JsonNode> settings) {
        return settings.containsKey(FEW_SHOT);
    }

    /** Why a value of {@link #CONTEXT} that is right by itself is not among the other settings; empty where it is. */
    public static Optional<String> contextConflict(Map<String, JsonNode> settings) {
        JsonNode context = settings.get(CONTEXT);
        boolean conflict = context != null && context.has(ContextSetting.TURNS) && leadingPairs(settings);
        return conflict
                ? Optional.of(
                        "turnsMax has no effect with fewShot " + LEADING_PAIRS
                                + ": there every answered question counts as an example, and examples stay; leave one of them out")
                : Optional.empty();
    }

    /** Whether and to where traffic may be shifted. */
    public static ShiftSetting shift(Map<String, JsonNode> settings) {
        return ShiftSetting.read(settings.get(SHIFT));
    }

    /** What stands before a lower rung's answer; null where nothing does. */
    public static String degradedNotice(Map<String, JsonNode> settings) {
        JsonNode notice = settings.get(DEGRADED_NOTICE);
        return notice == null ? null : notice.textValue();
    }

    /** How long equal requests share an answer; zero where they share none. */
    public static Duration exactCacheTtl(Map<String, JsonNode> settings) {
        return CacheSetting.read(settings.get(CACHE), CacheSetting.TTL).orElse(Duration.ZERO);
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

    /** What of {@code deadline} is kept for rungs below the first: at most half of it. */
    public static Duration reserve(Map<String, JsonNode> settings, Duration deadline) {
        Duration half = deadline.dividedBy(2);
        Duration reserve = durationOr(settings, LOWER_RUNGS_RESERVE, ScenarioDefaults.LOWER_RUNGS_RESERVE);
        return reserve.compareTo(half) > 0 ? half : reserve;
    }

    /** A positive duration of at most an hour; empty where {@code value} is none. */
    public static Optional<Duration> duration(JsonNode value) {
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
     * @param budget what money may do to it
     * @param context how much of a conversation its models get to read
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
            Duration batchDeadline,
            BudgetSetting budget,
            ContextSetting context) {
        /** Of a scenario that bands concern as they do most, and whose models read whole conversations. */
        public Parsed(
                int attemptsMax,
                Duration deadline,
                Duration lowerRungsReserve,
                Duration firstToken,
                Duration streamTotal,
                Duration streamIdle,
                Duration exactCacheTtl,
                Lane lane,
                Duration batchDeadline) {
            this(
                    attemptsMax,
                    deadline,
                    lowerRungsReserve,
                    firstToken,
                    streamTotal,
                    streamIdle,
                    exactCacheTtl,
                    lane,
                    batchDeadline,
                    BudgetSetting.NONE,
                    ContextSetting.NONE);
        }
    }

    /** Reads a scenario that was found right when it was saved. */
    public static Parsed parse(ScenarioConfig scenario) {
        Map<String, JsonNode> settings = scenario.settings();
        Duration deadline = scenario.deadline() == null ? ScenarioDefaults.DEADLINE : scenario.deadline();
        return new Parsed(
                attemptsMax(settings),
                deadline,
                reserve(settings, deadline),
                scenario.firstTokenTimeout() == null
                        ? ScenarioDefaults.FIRST_TOKEN_TIMEOUT
                        : scenario.firstTokenTimeout(),
                durationOr(settings, STREAM_TOTAL, ScenarioDefaults.STREAM_TOTAL),
                durationOr(settings, STREAM_IDLE, ScenarioDefaults.STREAM_IDLE),
                exactCacheTtl(settings),
                lane(settings),
                scenario.deadline() == null ? ScenarioDefaults.BATCH_DEADLINE : scenario.deadline(),
                BudgetSetting.read(settings.get(BUDGET)),
                ContextSetting.read(settings.get(CONTEXT), leadingPairs(settings)));
    }
}
