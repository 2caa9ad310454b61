package io.sluice.tenants.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.json.StrictJson;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScenarioSettingsTest {
    @Test
    void silenceMeansTheDefaults() {
        assertThat(ScenarioSettings.parse(scenario(null, null, Map.of())))
                .isEqualTo(new ScenarioSettings.Parsed(
                        ScenarioDefaults.ATTEMPTS_MAX,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(2),
                        Duration.ofSeconds(30),
                        Duration.ZERO,
                        Lane.REALTIME,
                        Duration.ofSeconds(60)));
    }

    @Test
    void whatIsSaidHolds() throws Exception {
        Map<String, JsonNode> settings = new HashMap<>();
        settings.put("attemptsMax", node("7"));
        settings.put("streamTotal", node("\"PT3M\""));
        settings.put("streamIdle", node("\"PT9S\""));
        settings.put("lane", node("\"batch\""));
        settings.put("lowerRungsReserve", node("\"PT2S\""));
        settings.put("cache", node("{\"exact\": {\"ttl\": \"PT10M\"}}"));
        assertThat(ScenarioSettings.parse(scenario(Duration.ofSeconds(60), Duration.ofSeconds(3), settings)))
                .isEqualTo(new ScenarioSettings.Parsed(
                        7,
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        Duration.ofMinutes(3),
                        Duration.ofSeconds(9),
                        Duration.ofMinutes(10),
                        Lane.BATCH,
                        Duration.ofSeconds(60)));
    }

    @Test
    void contextIsReadTogetherWithWhatExamplesAre() throws Exception {
        Map<String, JsonNode> settings =
                Map.of("context", node("{\"turnsMax\": 4, \"tokensMax\": 2000}"), "fewShot", node("\"leading-pairs\""));

        assertThat(ScenarioSettings.parse(scenario(null, null, settings)).context())
                .isEqualTo(new ContextSetting(4, 2_000, true));
        assertThat(ScenarioSettings.parse(scenario(null, null, Map.of())).context())
                .isEqualTo(ContextSetting.NONE);
    }

    @Test
    void aLimitOfTurnsAndLeadingPairsContradictEachOther() throws Exception {
        JsonNode pairs = node("\"leading-pairs\"");

        assertThat(ScenarioSettings.contextConflict(Map.of("context", node("{\"turnsMax\": 4}"), "fewShot", pairs)))
                .isPresent();
        assertThat(ScenarioSettings.contextConflict(Map.of("context", node("{\"tokensMax\": 400}"), "fewShot", pairs)))
                .isEmpty();
        assertThat(ScenarioSettings.contextConflict(Map.of("context", node("{\"turnsMax\": 4}"))))
                .isEmpty();
        assertThat(ScenarioSettings.contextConflict(Map.of("fewShot", pairs))).isEmpty();
    }

    @Test
    void lowerRungsNeverGetMoreThanHalfOfTheDeadline() {
        assertThat(ScenarioSettings.parse(scenario(Duration.ofSeconds(2), null, Map.of()))
                        .lowerRungsReserve())
                .isEqualTo(Duration.ofSeconds(1));
    }

    private static JsonNode node(String json) throws Exception {
        return StrictJson.MAPPER.readTree(json);
    }

    private static ScenarioConfig scenario(Duration deadline, Duration firstToken, Map<String, JsonNode> settings) {
        return new ScenarioConfig(
                "s",
                1,
                Sensitivity.CREATIVE,
                RequestKind.READ,
                false,
                deadline,
                firstToken,
                List.of(new RungConfig.Text("t", "t")),
                settings);
    }
}
