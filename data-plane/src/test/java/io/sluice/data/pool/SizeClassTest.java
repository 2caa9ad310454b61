package io.sluice.data.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeClassTest {
    @ParameterizedTest
    @CsvSource({
        "true, 0, 0, 0",
        "true, 256, 999, 0",
        "true, 257, 0, 1",
        "true, 512, 0, 1",
        "true, 513, 0, 2",
        "true, 100000, 0, 9",
        "true, 9223372036854775807, 0, 15",
        "false, 999, 0, 16",
        "false, 999, 16, 16",
        "false, 0, 17, 17",
        "false, 0, 1000, 22",
        "false, 0, 9223372036854775807, 31"
    })
    void aStreamCountsByItsPromptAWholeAnswerByItself(boolean streamed, long prompt, long answer, int expected) {
        assertThat(SizeClass.of(streamed, prompt, answer)).isEqualTo(expected);
    }
}
