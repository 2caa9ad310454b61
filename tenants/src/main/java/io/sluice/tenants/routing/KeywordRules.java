package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.config.KeywordAnswers;
import io.sluice.tenants.routing.KeywordReader.Word;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keyword answers, ready to be asked. Texts are compared word by word, after NFKC normalisation and case folding; a word is a run
 * of letters, digits and combining marks, and each character of a script that writes no blanks between words is a word of its
 * own. Signs at a word of a phrase, such as those of C++, must stand there in the question too; more signs there, and all other
 * punctuation, are not compared. Linear in the question's length, no regular expressions. Immutable.
 *
 * @param phrases all phrases, each a list of folded words with the signs at them, by their first word without its signs
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
    public record Phrase(int id, List<String> words) {
        private boolean standsAt(List<Word> question, int start) {
            if (start + words.size() > question.size()) {
                return false;
            }
            for (int i = 0; i < words.size(); i++) {
                if (!question.get(start + i).bears(words.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }

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
        ids.forEach((words, id) -> phrases.computeIfAbsent(
                        KeywordReader.read(words.get(0)).get(0).letters(), first -> new ArrayList<>())
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
        List<Word> words = KeywordReader.read(question);
        Set<Integer> found = new HashSet<>();
        for (int i = 0; i < words.size(); i++) {
            for (Phrase phrase : phrases.getOrDefault(words.get(i).letters(), List.of())) {
                if (phrase.standsAt(words, i)) {
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

    /** The folded words of a text, with the signs at them; empty where it has none. */
    public static List<String> words(String text) {
        return KeywordReader.read(text).stream().map(Word::text).toList();
    }
}
