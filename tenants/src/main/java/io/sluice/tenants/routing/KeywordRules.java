package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.config.KeywordAnswers;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keyword answers, ready to be asked. Texts are compared word by word, after NFKC normalisation and case folding; a word is a run
 * of letters, digits and combining marks, and each character of a script that writes no blanks between words is a word of its
 * own. Linear in the question's length, no regular expressions. Immutable.
 *
 * @param phrases all phrases, each a list of folded words, by their first word
 * @param rules in the order in which they are asked
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KeywordRules(Map<String, List<Phrase>> phrases, List<Rule> rules, String otherwise) {
    /** A question is short; of a longer text only its beginning is looked at. */
    static final int QUESTION_CHARS_MAX = 16_384;

    public KeywordRules {
        phrases = Map.copyOf(phrases);
        rules = List.copyOf(rules);
    }

    /** A run of words, with a number that rules name it by. */
    public record Phrase(int id, List<String> words) {}

    /** Fits where one of {@code anyOf}, if there is any, and all of {@code allOf} were found. */
    public record Rule(List<Integer> anyOf, List<Integer> allOf, String text) {
        boolean fits(Set<Integer> found) {
            return (anyOf.isEmpty() || anyOf.stream().anyMatch(found::contains)) && found.containsAll(allOf);
        }
    }

    /** Compiles answers that were found right. */
    public static KeywordRules of(KeywordAnswers answers) {
        Map<List<String>, Integer> ids = new HashMap<>();
        List<Rule> rules = answers.answers().stream()
                .map(answer -> new Rule(numbered(answer.anyOf(), ids), numbered(answer.allOf(), ids), answer.text()))
                .toList();
        Map<String, List<Phrase>> phrases = new HashMap<>();
        ids.forEach((words, id) -> phrases.computeIfAbsent(words.get(0), first -> new ArrayList<>())
                .add(new Phrase(id, words)));
        return new KeywordRules(phrases, rules, answers.otherwise());
    }

    private static List<Integer> numbered(List<String> texts, Map<List<String>, Integer> ids) {
        return texts.stream()
                .map(text -> ids.computeIfAbsent(words(text), made -> ids.size()))
                .toList();
    }

    /** The answer to {@code question}; null where there is none. */
    public String answer(String question) {
        List<String> words = words(question);
        Set<Integer> found = new HashSet<>();
        for (int i = 0; i < words.size(); i++) {
            for (Phrase phrase : phrases.getOrDefault(words.get(i), List.of())) {
                int end = i + phrase.words().size();
                if (end <= words.size() && words.subList(i, end).equals(phrase.words())) {
                    found.add(phrase.id());
                }
            }
        }
        for (Rule rule : rules) {
            if (rule.fits(found)) {
                return rule.text();
            }
        }
        return otherwise;
    }

    /** A question that the first rule fits, made of its own keywords; empty where there is no rule. */
    public String ownQuestion() {
        if (rules.isEmpty()) {
            return "";
        }
        Rule first = rules.get(0);
        List<Integer> needed = new ArrayList<>(first.allOf());
        first.anyOf().stream().limit(1).forEach(needed::add);
        return needed.stream().map(this::words).collect(Collectors.joining(" "));
    }

    private String words(int phrase) {
        return phrases.values().stream()
                .flatMap(List::stream)
                .filter(each -> each.id() == phrase)
                .map(each -> String.join(" ", each.words()))
                .findFirst()
                .orElse("");
    }

    /** The folded words of a text; empty where it has none. */
    public static List<String> words(String text) {
        String begin = text.length() > QUESTION_CHARS_MAX ? text.substring(0, QUESTION_CHARS_MAX) : text;
        // Upper case first: it writes out what has no single lower-case partner, such as ß.
        String folded = Normalizer.normalize(begin, Normalizer.Form.NFKC).toUpperCase(Locale.ROOT);
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        folded.codePoints().forEach(c -> {
            boolean alone = standsAlone(c);
            if (alone || !partOfWord(c)) {
                end(word, words);
            }
            if (alone || partOfWord(c)) {
                word.appendCodePoint(Character.toLowerCase(c));
            }
            if (alone) {
                end(word, words);
            }
        });
        end(word, words);
        return words;
    }

    private static void end(StringBuilder word, List<String> words) {
        if (!word.isEmpty()) {
            words.add(word.toString());
            word.setLength(0);
        }
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
