package io.sluice.plugins.openai;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Case AT06: what a provider says of itself is passed on without what nobody else may know. */
class OperatorTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Incorrect API key provided: sk-live-abc123def | Incorrect API key provided: ***",
                "see https://user:pw@host.internal:8000/v1/x?key=1, please | see ***, please",
                "cannot reach 10.1.2.3:8000 | cannot reach ***",
                "cannot reach localhost:8000 | cannot reach ***",
                "no such file /srv/app/models/main.gguf | no such file ***",
                "boom Traceback (most recent call last): File \"/a.py\" | boom (stack trace left out)",
                "boom at com.x.Main.run(Main.java:7) at com.x.Y.z(Y.java:8) | boom (stack trace left out)",
                "boom at Object.<anonymous> (/srv/index.js:10:5) | boom (stack trace left out)"
            })
    void leavesOutKeysPlacesAndStackTraces(String words, String clean) {
        assertThat(OperatorText.of(words)).isEqualTo(clean);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'max_tokens' must be at least 1 (got 0.5)",
                "messages[2].content/type is wrong",
                "use gpt-4o or org/name:tag at 128,000 tokens (input 130,001)",
                "version 1.2.3 and ratio 3/4"
            })
    void keepsWhatTheCallerCanUse(String words) {
        assertThat(OperatorText.of(words)).isEqualTo(words);
    }

    @Test
    void leavesOutWhatTurnsHidesOrBreaksText() {
        assertThat(OperatorText.of("a\u202Eb\u2069c\uFEFFd\u2028e\u0085f\u0000g\r\nh"))
                .isEqualTo("abcd e f g h");
        assertThat(OperatorText.of("key sk-\u200Blive-abc123def")).isEqualTo("key ***");
    }
}
