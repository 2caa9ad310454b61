package io.sluice.tenants.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a scenario's traffic may be shifted to a lower rung while its first one is in trouble, and how good that rung has to be
 * (requirement F4): {@code {"substitutes": [{"step": "second", "latencyFactorMax": 2}]}}, or {@code {"enabled": true}} for every lower
 * rung with a pool.
 *
 * @param enabled whether traffic may be shifted at all
 * @param substitutes the impact table: accepted rungs in the order in which they are tried; empty means every lower rung with a pool,
 *     in the order of the ladder, each with the usual limits
 */
public record ShiftSetting(boolean enabled, List<Impact> substitutes) {
    /** Nobody said that traffic may be shifted, so it is not. */
    public static final ShiftSetting NONE = new ShiftSetting(false, List.of());

    /** Names of its members. */
    public static final String ENABLED = "enabled";

    public static final String SUBSTITUTES = "substitutes";

    /** Names of the members of one substitute. */
    public static final String STEP = "step";

    public static final String LATENCY = "latencyFactorMax";

    public static final String ERRORS = "errorRateMax";

    public static final String USELESS = "uselessRateMax";

    /** A substitute that takes a hundred times as long is none. */
    public static final int LATENCY_FACTOR_MAX = 100;

    /** A ladder has no more rungs. */
    public static final int SUBSTITUTES_MAX = 15;

    public ShiftSetting {
        substitutes = List.copyOf(substitutes);
    }

    /**
     * How much worse a substitute may be, as against what the first rung usually is.
     *
     * @param step name of its rung
     * @param latencyFactorMax most that its p95 may be, in times of the first rung's usual p95
     * @param errorRateMax largest share of calls that fail
     * @param uselessRateMax largest share of answers that come and are of no use
     */
    public record Impact(String step, double latencyFactorMax, double errorRateMax, double uselessRateMax) {
        /** As slow as this the first rung itself would count as in trouble, so that nothing would be won (requirement F4). */
        public static final double LATENCY_FACTOR_USUAL = 1.8;

        /** Likewise. */
        public static final double ERROR_RATE_USUAL = 0.05;

        /** Likewise. */
        public static final double USELESS_RATE_USUAL = 0.15;

        /** One with the usual limits. */
        public static Impact usual(String step) {
            return new Impact(step, LATENCY_FACTOR_USUAL, ERROR_RATE_USUAL, USELESS_RATE_USUAL);
        }
    }

    /** The impact table for a ladder: rungs that it does not have, or that are no lower pools, are left out. */
    public List<Impact> table(List<RungConfig> ladder) {
        List<String> lower = lowerPools(ladder);
        return substitutes.isEmpty()
                ? lower.stream().map(Impact::usual).toList()
                : substitutes.stream()
                        .filter(each -> lower.contains(each.step()))
                        .toList();
    }

    /** Names of the rungs with a pool below the first, in order. */
    public static List<String> lowerPools(List<RungConfig> ladder) {
        return ladder.stream()
                .skip(1)
                .filter(rung -> rung instanceof RungConfig.Pool)
                .map(RungConfig::name)
                .toList();
    }

    /** Why a value that is right by itself does not fit the scenario; empty where it does. */
    public Optional<String> conflict(RequestKind kind, List<RungConfig> ladder) {
        if (!enabled) {
            return Optional.empty();
        }
        if (!kind.mayDescend()) {
            return Optional.of("requests of kind " + kind + " may not be answered by a lower rung; leave it out");
        }
        List<String> lower = lowerPools(ladder);
        if (lower.isEmpty()) {
            return Optional.of(
                    "the ladder has no second pool that traffic could be shifted to; add one, or leave it out");
        }
        return substitutes.stream()
                .map(Impact::step)
                .filter(step -> !lower.contains(step))
                .findFirst()
                .map(step -> "\"" + step + "\" is no rung with a pool below the first; such are "
                        + String.join(", ", lower));
    }

    /** Reads a value that was found right when it was saved; null means that there is none. */
    public static ShiftSetting read(JsonNode value) {
        if (value == null) {
            return NONE;
        }
        List<Impact> table = new ArrayList<>();
        value.path(SUBSTITUTES)
                .forEach(each -> table.add(new Impact(
                        each.get(STEP).textValue(),
                        each.path(LATENCY).asDouble(Impact.LATENCY_FACTOR_USUAL),
                        each.path(ERRORS).asDouble(Impact.ERROR_RATE_USUAL),
                        each.path(USELESS).asDouble(Impact.USELESS_RATE_USUAL))));
        return new ShiftSetting(value.path(ENABLED).asBoolean(true), table);
    }
}
