package io.sluice.tenants.routing;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Takes a text apart into the words that {@link KeywordRules} compares. For one text on one thread. */
final class KeywordReader {
    /** Signs that carry meaning at a word and are no symbols for Unicode. */
    private static final String MORE_SIGNS = "#%&@";

    /** Symbols for Unicode that mark text up or part it. */
    private static final String NO_SIGNS = "|~<>";

    private final List<Word> words = new ArrayList<>();
    private final StringBuilder before = new StringBuilder();
    private final StringBuilder letters = new StringBuilder();
    private final StringBuilder after = new StringBuilder();

    private KeywordReader() {}

    /**
     * A word as it stands in a text.
     *
     * @param before signs right before it; may be empty
     * @param letters folded; never empty
     * @param after signs right after it, which may also be before the next; may be empty
     */
    record Word(String before, String letters, String after) {
        String text() {
            return before + letters + after;
        }

        /** Whether {@code wanted}, letters with or without signs, stands here. */
        boolean bears(String wanted) {
            int start = wanted.indexOf(letters);
            int end = start + letters.length();
            return start >= 0
                    && (end == wanted.length() || !letterAt(wanted, end))
                    && (start == 0 || !letterAt(wanted, wanted.offsetByCodePoints(start, -1)))
                    && before.endsWith(wanted.substring(0, start))
                    && after.startsWith(wanted.substring(end));
        }

        private static boolean letterAt(String text, int at) {
            return partOfWord(text.codePointAt(at));
        }
    }

    /** The words of {@code text}, or of the beginning of a long one. */
    static List<Word> read(String text) {
        int length = Math.min(text.length(), KeywordRules.QUESTION_CHARS_MAX);
        // Upper case first: it writes out what has no single lower-case partner, such as ß.
        String folded = Normalizer.normalize(text.substring(0, length), Normalizer.Form.NFKC)
                .toUpperCase(Locale.ROOT);
        KeywordReader reader = new KeywordReader();
        folded.codePoints().forEach(reader::next);
        reader.part();
        return reader.words;
    }

    private void next(int c) {
        if (standsAlone(c) || partOfWord(c)) {
            boolean begins = standsAlone(c) || !after.isEmpty() || endsAlone();
            if (begins) {
                end();
            }
            letters.appendCodePoint(Character.toLowerCase(c));
        } else if (sign(c)) {
            (letters.isEmpty() ? before : after).appendCodePoint(c);
        } else if (c == '.' && letters.isEmpty()) {
            before.append('.'); // of .NET; behind a word it ends a sentence or parts a name
        } else {
            part();
        }
    }

    private boolean endsAlone() {
        return !letters.isEmpty() && standsAlone(letters.codePointBefore(letters.length()));
    }

    /** Ends the word, if there is one; signs behind it stand before the next. */
    private void end() {
        if (!letters.isEmpty()) {
            words.add(new Word(before.toString(), letters.toString(), after.toString()));
            before.setLength(0);
            before.append(after);
            letters.setLength(0);
            after.setLength(0);
        }
    }

    /** The next word does not touch what was before. */
    private void part() {
        end();
        before.setLength(0);
    }

    private static boolean sign(int c) {
        int type = Character.getType(c);
        boolean symbol =
                type == Character.MATH_SYMBOL || type == Character.CURRENCY_SYMBOL || type == Character.OTHER_SYMBOL;
        return (symbol && NO_SIGNS.indexOf(c) < 0) || MORE_SIGNS.indexOf(c) >= 0;
    }

    private static boolean partOfWord(int c) {
        int type = Character.getType(c);
        return Character.isLetterOrDigit(c)
                || type == Character.NON_SPACING_MARK
                || type == Character.COMBINING_SPACING_MARK;
    }

    /** Chinese, Japanese, Thai, Lao, Khmer and Burmese write no blanks between words. */
    private static boolean standsAlone(int c) {
        if (c < 0x0E00) {
            return false;
        }
        return switch (Character.UnicodeScript.of(c)) {
            case HAN, HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR -> true;
            default -> false;
        };
    }
}
