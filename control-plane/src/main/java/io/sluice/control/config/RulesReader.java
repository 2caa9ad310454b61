package io.sluice.control.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.config.KeywordAnswers;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.routing.KeywordRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the keyword answers of a rules rung; every mistake is told at its path. */
final class RulesReader {
    /** More is a knowledge base, not a rung. */
    static final int ANSWERS_MAX = 200;

    /** Of one answer. */
    static final int PHRASES_MAX = 50;

    /** Longest phrase. */
    static final int PHRASE_CHARS_MAX = 200;

    private RulesReader() {}

    /** The answers; empty where there is a mistake. */
    static Optional<KeywordAnswers> read(JsonNode rules, Problems problems) {
        int mistakes = problems.count();
        MemberReader in = new MemberReader(rules, problems);
        List<KeywordAnswers.Answer> answers = in.list("answers", RulesReader::answer);
        String otherwise = in.text("otherwise");
        if (rules.isObject()) {
            in.finish();
            boolean some = answers != null && !answers.isEmpty() && answers.size() <= ANSWERS_MAX;
            if (problems.count() == mistakes && !some) {
                problems.add(
                        UserErrorCode.INVALID,
                        "must have 1 to " + ANSWERS_MAX
                                + " answers, such as {\"anyOf\": [\"refund\", \"money back\"], \"text\": \"…\"}",
                        "answers");
            }
        }
        if (otherwise != null) {
            text(otherwise, problems, "otherwise");
        }
        return problems.count() > mistakes ? Optional.empty() : Optional.of(new KeywordAnswers(answers, otherwise));
    }

    private static KeywordAnswers.Answer answer(MemberReader in) {
        List<String> anyOf = phrases(in, "anyOf");
        List<String> allOf = phrases(in, "allOf");
        String text = in.text("text");
        Problems problems = in.problems();
        if (!in.has("anyOf") && !in.has("allOf")) {
            problems.add(UserErrorCode.REQUIRED, "must have phrases in anyOf or allOf", "anyOf");
        }
        if (problems.present(text, "text")) {
            text(text, problems, "text");
        }
        return new KeywordAnswers.Answer(anyOf, allOf, text == null ? "" : text);
    }

    private static List<String> phrases(MemberReader in, String member) {
        List<String> phrases = new ArrayList<>();
        JsonNode list = in.any(member);
        if (list == null) {
            return phrases;
        }
        if (!list.isArray() || list.isEmpty() || list.size() > PHRASES_MAX) {
            in.problems().add(UserErrorCode.INVALID, "must be a list of 1 to " + PHRASES_MAX + " phrases", member);
            return phrases;
        }
        for (int i = 0; i < list.size(); i++) {
            String phrase = list.get(i).textValue();
            boolean words = phrase != null
                    && phrase.length() <= PHRASE_CHARS_MAX
                    && !KeywordRules.words(phrase).isEmpty();
            if (words) {
                phrases.add(phrase);
            } else {
                in.problems()
                        .add(
                                UserErrorCode.INVALID,
                                "must be a text of at most " + PHRASE_CHARS_MAX + " characters with a letter or digit",
                                member,
                                Integer.toString(i));
            }
        }
        return phrases;
    }

    private static void text(String text, Problems problems, String member) {
        if (text.isBlank() || text.length() > ScenarioChecks.TEXT_CHARS_MAX) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must be 1 to " + ScenarioChecks.TEXT_CHARS_MAX + " characters, not only blanks",
                    member);
        }
    }
}
