package io.sluice.plugins.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalTextTest {
    private static byte[] text(String json, String... without) throws IOException {
        return CanonicalText.of(json.getBytes(StandardCharsets.UTF_8), Set.of(without));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"b\":[true,null]} | { \"b\" : [ true , null ] , \"a\" : 1 }",
                "{\"a\":\"\\u00e9\\n\"}      | {\"a\":\"é\\u000a\"}",
                "{\"a\":{\"x\":1,\"y\":2}}   | {\"a\":{\"y\":2,\"x\":1}}"
            })
    void orderBlanksAndEscapesDoNotMatter(String one, String other) throws IOException {
        assertThat(text(one)).isEqualTo(text(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1}         | {\"a\":1.0}",
                "{\"a\":1}         | {\"a\":\"1\"}",
                "{\"a\":null}      | {\"a\":\"null\"}",
                "{\"a\":null}      | {}",
                "{\"a\":[1,2]}     | {\"a\":[2,1]}",
                "{\"a\":[1,[2]]}   | {\"a\":[[1],2]}",
                "{\"a\":[12]}      | {\"a\":[1,2]}",
                "{\"a\":[\"x\",\"y\"]} | {\"a\":[\"x\\\"1:y\"]}",
                "{\"a\":{\"b\":1}} | {\"a\":{},\"b\":1}",
                "{\"a\":[]}        | {\"a\":{}}"
            })
    void everythingElseDoes(String one, String other) throws IOException {
        assertThat(text(one)).isNotEqualTo(text(other));
    }

    @Test
    void membersThatDoNotCountAreLeftOutAtTheTopOnly() throws IOException {
        assertThat(text("{\"a\":1,\"stream\":true}", "stream")).isEqualTo(text("{\"a\":1}"));
        assertThat(text("{\"a\":{\"stream\":true}}", "stream")).isNotEqualTo(text("{\"a\":{}}"));
    }
}
