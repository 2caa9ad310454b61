package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The business label of a request and what follows from it.
 *
 * @param core whether the scenario keeps its models longest when money runs short
 * @param deadline for the whole request; null means {@link ScenarioDefaults#DEADLINE}
 * @param firstTokenTimeout for one streamed attempt; null means {@link ScenarioDefaults#FIRST_TOKEN_TIMEOUT}
 * @param ladder ordered by what is given up; the first rung is the normal one
 * @param settings further settings, each documented in {@link ScenarioSettings}
 * @param limits of all its traffic; null where it has none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ScenarioConfig(
        String name,
        int version,
        Sensitivity sensitivity,
        RequestKind kind,
        boolean core,
        Duration deadline,
        Duration firstTokenTimeout,
        List<RungConfig> ladder,
        Map<String, JsonNode> settings,
        LimitsConfig limits) {
    public ScenarioConfig {
        Objects.requireNonNull(name);
        Objects.requireNonNull(sensitivity);
        Objects.requireNonNull(kind);
        ladder = List.copyOf(ladder);
        settings = settings == null ? Map.of() : Map.copyOf(settings);
    }

    /** A scenario without limits of its own. */
    public ScenarioConfig(
            String name,
            int version,
            Sensitivity sensitivity,
            RequestKind kind,
            boolean core,
            Duration deadline,
            Duration firstTokenTimeout,
            List<RungConfig> ladder,
            Map<String, JsonNode> settings) {
        this(name, version, sensitivity, kind, core, deadline, firstTokenTimeout, ladder, settings, null);
    }
}
