package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.graphql.CsvText.Figure;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTextTest {
    @Test
    void separatesCellsByCommasAndEndsLinesAsTheStandardSays() {
        assertThat(CsvText.line(Arrays.asList("a", null, 7, Figure.of("-0.5")))).isEqualTo("a,,7,-0.5\r\n");
    }

    @Test
    void quotesWhatWouldBreakTheLine() {
        assertThat(CsvText.line(List.of("a,b", "say \"no\"", "two\nlines", " blank", "plain text")))
                .isEqualTo("\"a,b\",\"say \"\"no\"\"\",\"two\nlines\",\" blank\",plain text\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=1+1",
                "+1",
                "-1",
                "@SUM(A1)",
                "=HYPERLINK(\"http://x\")",
                "\t=1",
                "\r=1",
                " =1",
                "\u00a0=1",
                "\uff1d1",
                "\uff0b1",
                "\uff0d1",
                "\uff201",
                "\ufeff=1",
                "=cmd|' /C calc'!A0",
                "\tplain"
            })
    void makesNoCellAFormula(String text) {
        String cell = CsvText.line(List.of(text)).strip().replaceAll("^\"", "");
        assertThat(cell).startsWith("'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop", "a=b", "a-b", "user@example.org", "1", "{\"a\":\"=1\"}", "'=1"})
    void leavesOtherTextsAsTheyAre(String text) {
        String cell = CsvText.line(List.of(text)).replace("\r\n", "");
        String read =
                cell.startsWith("\"") ? cell.substring(1, cell.length() - 1).replace("\"\"", "\"") : cell;
        assertThat(read).isEqualTo(text);
    }
}
