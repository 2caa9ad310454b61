package io.sluice.tenants.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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

    private static final String ENABLED = "enabled";
    private static final String SUBSTITUTES = "substitutes";
    private static final String STEP = "step";
    private static final String LATENCY = "latencyFactorMax";
    private static final String ERRORS = "errorRateMax";
    private static final String USELESS = "uselessRateMax";
    private static final Set<String> MEMBERS = Set.of(ENABLED, SUBSTITUTES);

    /** A substitute that takes a hundred times as long is none. */
    private static final double LATENCY_FACTOR_MAX = 100;

    /** A ladder has no more rungs. */
    private static final int SUBSTITUTES_MAX = 15;

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

    /** What is wrong with {@code value}; empty where nothing is. */
    static Optional<String> problem(JsonNode value) {
        if (!value.isObject() || value.isEmpty()) {
            return Optional.of("must be an object with enabled, substitutes or both");
        }
        Optional<String> unknown = unknown(value, MEMBERS, "enabled, substitutes");
        if (unknown.isPresent()) {
            return unknown;
        }
        if (value.has(ENABLED) && !value.get(ENABLED).isBoolean()) {
            return Optional.of("enabled must be true or false");
        }
        JsonNode list = value.path(SUBSTITUTES);
        if (list.isMissingNode()) {
            return Optional.empty();
        }
        if (!list.isArray() || list.isEmpty() || list.size() > SUBSTITUTES_MAX) {
            return Optional.of("substitutes must be a list of 1 to " + SUBSTITUTES_MAX + " objects with a step each");
        }
        Set<String> steps = new HashSet<>();
        for (JsonNode each : list) {
            Optional<String> wrong = impactProblem(each);
            if (wrong.isPresent()) {
                return wrong;
            }
            if (!steps.add(each.get(STEP).textValue())) {
                return Optional.of("substitutes has the step " + each.get(STEP).textValue() + " twice");
            }
        }
        return Optional.empty();
    }

    private static Optional<String> impactProblem(JsonNode each) {
        if (!each.isObject()
                || !each.path(STEP).isTextual()
                || each.get(STEP).textValue().isBlank()) {
            return Optional.of("each of substitutes must be an object with the name of a rung as its step");
        }
        return unknown(
                        each,
                        Set.of(STEP, LATENCY, ERRORS, USELESS),
                        "step, latencyFactorMax, errorRateMax, uselessRateMax")
                .or(() -> number(each, LATENCY, 1, LATENCY_FACTOR_MAX))
                .or(() -> number(each, ERRORS, 0, 1))
                .or(() -> number(each, USELESS, 0, 1));
    }

    private static Optional<String> unknown(JsonNode object, Set<String> members, String known) {
        for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!members.contains(name)) {
                return Optional.of("has the unknown member " + name + "; known are " + known);
            }
        }
        return Optional.empty();
    }

    private static Optional<String> number(JsonNode object, String name, double min, double max) {
        JsonNode value = object.path(name);
        boolean right =
                value.isMissingNode() || (value.isNumber() && value.doubleValue() >= min && value.doubleValue() <= max);
        return right ? Optional.empty() : Optional.of(name + " must be a number from " + min + " to " + max);
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
