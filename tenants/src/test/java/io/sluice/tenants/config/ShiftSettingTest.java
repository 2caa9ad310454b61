package io.sluice.tenants.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.config.ShiftSetting.Impact;
import io.sluice.tenants.json.StrictJson;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShiftSettingTest {
    private static final List<RungConfig> LADDER = List.of(
            new RungConfig.Pool("first", "a", null, null),
            new RungConfig.Pool("second", "b", null, null),
            new RungConfig.Pool("third", "c", null, null),
            new RungConfig.Text("sorry", "Please call us."));

    private static JsonNode json(String text) throws JsonProcessingException {
        return StrictJson.MAPPER.readTree(text.replace('\'', '"'));
    }

    @Test
    void withoutTheSettingNothingIsShifted() {
        assertThat(ShiftSetting.read(null).enabled()).isFalse();
    }

    @Test
    void enabledAloneAcceptsEveryLowerPoolWithTheUsualLimits() throws Exception {
        ShiftSetting setting = ShiftSetting.read(json("{'enabled': true}"));
        assertThat(setting.table(LADDER))
                .containsExactly(new Impact("second", 1.8, 0.05, 0.15), new Impact("third", 1.8, 0.05, 0.15));
    }

    @Test
    void theImpactTableSaysWhichAndHowMuchWorseInItsOwnOrder() throws Exception {
        ShiftSetting setting = ShiftSetting.read(json(
                "{'substitutes': [{'step': 'third', 'latencyFactorMax': 3, 'errorRateMax': 0.1, 'uselessRateMax': 0},"
                        + " {'step': 'second'}]}"));
        assertThat(setting.enabled()).isTrue();
        assertThat(setting.table(LADDER))
                .containsExactly(new Impact("third", 3, 0.1, 0), new Impact("second", 1.8, 0.05, 0.15));
    }

    @Test
    void itHasToFitTheScenario() throws Exception {
        ShiftSetting any = ShiftSetting.read(json("{'enabled': true}"));
        ShiftSetting named = ShiftSetting.read(json("{'substitutes': [{'step': 'sorry'}]}"));
        assertThat(any.conflict(RequestKind.READ, LADDER)).isEmpty();
        assertThat(any.conflict(RequestKind.WRITE, LADDER).orElseThrow()).contains("kind WRITE");
        assertThat(any.conflict(RequestKind.READ, LADDER.subList(0, 1)).orElseThrow())
                .contains("no second pool");
        assertThat(named.conflict(RequestKind.READ, LADDER).orElseThrow())
                .contains("\"sorry\" is no rung with a pool below the first; such are second, third");
        assertThat(ShiftSetting.read(json("{'enabled': false}")).conflict(RequestKind.WRITE, LADDER))
                .isEmpty();
    }
}
