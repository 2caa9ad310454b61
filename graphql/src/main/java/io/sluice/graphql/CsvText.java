package io.sluice.graphql;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Lines of CSV after RFC 4180, in which no cell is a formula: spreadsheets run what begins with {@code = + - @}, also after blanks and
 * as full-width characters, so a text that does gets an apostrophe in front. Numbers of our own may be negative. Pure.
 */
final class CsvText {
    private static final Pattern FORMULA =
            Pattern.compile("[\\s\\u00A0\\uFEFF]*[=+\\-@\\uFF1D\\uFF0B\\uFF0D\\uFF20].*|[\\t\\r\\n].*", Pattern.DOTALL);

    private CsvText() {}

    /** One line with its end. Texts are strings, numbers are {@link Number}s or {@link Figure}s, null is an empty cell. */
    static String line(List<?> cells) {
        StringBuilder line = new StringBuilder(cells.size() * 12);
        for (int i = 0; i < cells.size(); i++) {
            if (i > 0) {
                line.append(',');
            }
            line.append(cell(cells.get(i)));
        }
        return line.append("\r\n").toString();
    }

    /** A number as we write it: never quoted, never guarded. */
    record Figure(String text) {
        static Figure of(Object number) {
            return new Figure(number.toString());
        }
    }

    private static String cell(Object value) {
        if (value == null) {
            return "";
        }
        if (value instanceof Figure figure) {
            return figure.text();
        }
        if (value instanceof Number number) {
            return number.toString();
        }
        String text = value.toString();
        return quoted(FORMULA.matcher(text).matches() ? "'" + text : text);
    }

    private static String quoted(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c < ' ') && text.equals(text.strip());
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
