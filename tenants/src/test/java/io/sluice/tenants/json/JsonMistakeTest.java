package io.sluice.tenants.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JsonMistakeTest {
    static Stream<Arguments> texts() {
        return Stream.of(
                Arguments.of("{\"a\": NaN}", "NaN and Infinity are no numbers of JSON (line 1, column 10)"),
                Arguments.of("{\"a\": Infinity}", "NaN and Infinity are no numbers of JSON (line 1, column 15)"),
                Arguments.of("{\"a\": -Infinity}", "NaN and Infinity are no numbers of JSON (line 1, column 16)"),
                Arguments.of(
                        "{\"a\": 1,\n\"a\": 2}", "an object has the same key twice; send it once (line 2, column 4)"),
                Arguments.of("{\"a\":}", "not valid JSON (line 1, column 6)"),
                Arguments.of("{\"a\": 1", "not valid JSON (line 1, column 8)"),
                Arguments.of("nonsense", "not valid JSON (line 1, column 9)"),
                Arguments.of("{} {}", "not valid JSON (line 1, column 4)"),
                Arguments.of(
                        "[".repeat(100) + "]".repeat(100),
                        "nested deeper than 64, or with a longer number, name or string than is read"));
    }

    @ParameterizedTest
    @MethodSource("texts")
    void saysWhatIsWrongInItsOwnWords(String text, String words) {
        JsonProcessingException wrong =
                catchThrowableOfType(JsonProcessingException.class, () -> StrictJson.MAPPER.readTree(text));
        assertThat(JsonMistake.words(wrong)).isEqualTo(words);
    }
}
