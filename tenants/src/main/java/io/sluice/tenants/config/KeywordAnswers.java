package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;

/**
 * Answers that people wrote for questions with certain words in them: what a rules rung says.
 *
 * @param answers the first that fits the question is given
 * @param otherwise given where none fits; null means that the rung does not answer then
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record KeywordAnswers(List<Answer> answers, String otherwise) {
    public KeywordAnswers {
        answers = List.copyOf(answers);
    }

    /**
     * One answer. It fits where one phrase of {@code anyOf} (if there is any) and every phrase of {@code allOf} stands in the
     * question, in whole words, with the signs at them and whatever their case.
     */
    public record Answer(List<String> anyOf, List<String> allOf, String text) {
        public Answer {
            anyOf = List.copyOf(anyOf);
            allOf = List.copyOf(allOf);
            Objects.requireNonNull(text);
        }
    }
}
