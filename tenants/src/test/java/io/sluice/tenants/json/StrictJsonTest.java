package io.sluice.tenants.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.KeywordAnswers;
import io.sluice.tenants.config.RungConfig;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":1}",
                "{\"a\":1,\"\\u0061\":1}",
                "{\"x\":{\"b\":1,\"c\":2,\"d\":3,\"b\":4}}",
                "// c\n{}",
                "{/* c */}",
                "# c\n{}",
                "{} {}",
                "{} x",
                "{}]",
                "[1,]",
                "{\"a\":1,}",
                "{'a':1}",
                "{a:1}",
                "NaN",
                "[Infinity]",
                "[+1]",
                "[01]",
                "[.5]",
                "[1.]",
                "[\"a\nb\"]",
                "[\"\\x\"]",
                "[tru]",
                "{",
                "[1"
            })
    void refusesWhatIsNoJsonOrCanBeReadInTwoWays(String text) {
        assertThatThrownBy(() -> StrictJson.MAPPER.readTree(text)).isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void nestsSixtyFourDeepAndNotOneMore() throws Exception {
        assertThat(StrictJson.MAPPER.readTree("[".repeat(64) + "]".repeat(64))).isNotNull();
        assertThatThrownBy(() -> StrictJson.MAPPER.readTree("[".repeat(65) + "]".repeat(65)))
                .isInstanceOf(JsonProcessingException.class);
        assertThatThrownBy(() -> StrictJson.MAPPER.readTree("[".repeat(200_000)))
                .isInstanceOf(JsonProcessingException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.10",
                "0.1",
                "100.0",
                "1.0",
                "-0.0",
                "123456789012345678901234567890",
                "3.141592653589793238462643383279",
                "9007199254740993"
            })
    void numbersOfATreeKeepAllTheirDigits(String number) throws Exception {
        JsonNode tree = StrictJson.MAPPER.readTree("{\"n\":" + number + "}");
        String expected = number.equals("-0.0") ? "0.0" : number; // BigDecimal has no negative zero
        assertThat(StrictJson.MAPPER.writeValueAsString(tree)).isEqualTo("{\"n\":" + expected + "}");
    }

    @Test
    void aNumberOfMoreThanFortyDigitsIsRefused() throws Exception {
        assertThat(StrictJson.MAPPER.readTree("1".repeat(40))).isNotNull();
        assertThatThrownBy(() -> StrictJson.MAPPER.readTree("1".repeat(41)))
                .isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void aMemberThatARecordDoesNotHaveIsRefused() {
        assertThatThrownBy(() -> StrictJson.MAPPER.readValue(
                        "{\"kind\":\"Text\",\"name\":\"n\",\"text\":\"t\",\"more\":1}", RungConfig.class))
                .isInstanceOf(JsonProcessingException.class);
    }

    @ParameterizedTest
    @MethodSource("rungs")
    void rungsComeBackAsTheirKind(RungConfig rung) throws Exception {
        String json = StrictJson.MAPPER.writeValueAsString(rung);
        assertThat(json)
                .contains("\"kind\":\"" + rung.getClass().getSimpleName() + "\"")
                .doesNotContain("io.sluice");
        assertThat(StrictJson.MAPPER.readValue(json, RungConfig.class)).isEqualTo(rung);
    }

    static Stream<RungConfig> rungs() {
        return Stream.of(
                new RungConfig.Pool("first", "main", Duration.ofMillis(1_500), Duration.ofSeconds(1)),
                new RungConfig.Pool("first", "main", null, null),
                new RungConfig.Pool("low", "main", 0.5, 2, "brief", null, null),
                new RungConfig.Rules(
                        "words",
                        new KeywordAnswers(
                                List.of(new KeywordAnswers.Answer(List.of("money back"), List.of(), "Soon.")), null)),
                new RungConfig.Text("last", "Please call 112 \"now\"\n☎"));
    }

    @ParameterizedTest
    @MethodSource("credentials")
    void credentialsComeBackAsTheirKind(CredentialRef ref) throws Exception {
        String json = StrictJson.MAPPER.writeValueAsString(ref);
        assertThat(StrictJson.MAPPER.readValue(json, CredentialRef.class)).isEqualTo(ref);
    }

    static Stream<CredentialRef> credentials() {
        return Stream.of(
                new CredentialRef.Env("KEY"), new CredentialRef.File("key.txt"), new CredentialRef.Sealed("AAAA"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"kind\":\"Nope\",\"name\":\"n\"}",
                "{\"name\":\"n\",\"text\":\"t\"}",
                "{\"kind\":\"java.lang.Runtime\"}",
                "{\"kind\":\"io.sluice.tenants.config.RungConfig$Text\",\"name\":\"n\",\"text\":\"t\"}",
                "{\"kind\":null,\"name\":\"n\",\"text\":\"t\"}",
                "{\"kind\":\"Env\",\"name\":\"n\"}"
            })
    void aKindThatIsNotOnTheListIsRefused(String json) {
        assertThatThrownBy(() -> StrictJson.MAPPER.readValue(json, RungConfig.class))
                .isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void aSealedCredentialIsNotPrinted() {
        assertThat(new CredentialRef.Sealed("c2VjcmV0").toString()).doesNotContain("c2VjcmV0");
    }
}
