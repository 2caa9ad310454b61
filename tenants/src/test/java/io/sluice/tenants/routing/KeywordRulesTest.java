package io.sluice.tenants.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.config.KeywordAnswers;
import io.sluice.tenants.config.KeywordAnswers.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which question finds which answer. */
class KeywordRulesTest {
    private static KeywordRules rules(String otherwise, Answer... answers) {
        return KeywordRules.of(new KeywordAnswers(List.of(answers), otherwise));
    }

    private static Answer any(String text, String... phrases) {
        return new Answer(List.of(phrases), List.of(), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "refund|I want a refund|true",
                "refund|REFUND!|true",
                "refund|refunds are late|false",
                "refund|prerefund|false",
                "money back|my money,  back please|true",
                "money back|back money|false",
                "money back|money|false",
                "don't|you DON'T listen|true",
                "straße|STRASSE 5|true",
                "STRASSE|die Straße|true",
                "ΟΔΟΣ|η οδός|false",
                "οδος|Η ΟΔΟΣ ΜΟΥ|true",
                "café|CAFE\u0301|true",
                "退款|我要退款吗|true",
                "退款|款退|false",
                "คืนเงิน|ขอคืนเงินครับ|true",
                "возврат|ВОЗВРАТ денег|true",
                "c3|see C3.|true",
                "ﬁne|fine|true",
                "हिन्दी|मैं हिन्दी बोलता|true",
            })
    void wholeWordsAreFoundWhateverTheirForm(String phrase, String question, boolean found) {
        assertThat(rules(null, any("yes", phrase)).answer(question)).isEqualTo(found ? "yes" : null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "C++|How do I do this in C++?|true",
                "C++|is (C++) or c++17 better|true",
                "C++|Ｃ＋＋ please|true",
                "C++|vitamin C|false",
                "C++|How do I do this in C#?|false",
                "C++|a plan C, and C|false",
                "C++|C+|false",
                "C#|C#.|true",
                "C#|see C|false",
                "C# code|my C# code|true",
                "C# code|my C code|false",
                ".NET|which .NET, please|true",
                ".NET|a net|false",
                "AT&T|from AT&T!|true",
                "AT&T|look at T|false",
                "50%|a 50% cut|true",
                "50%|50 cuts|false",
                "$5|it cost $5.|true",
                "$5|5 times|false",
                "退款#|我要退款#|true",
                "退款#|我要退款|false",
                "refund|#refund @bot|true",
                "refund|**refund** `refund` ~~refund~~ <b>refund</b>|true",
                "refund now|refund/now|true",
                "money back|money.back|true",
                "don't|you DON’T listen|true",
            })
    void signsAtAWordOfAPhraseMustStandInTheQuestion(String phrase, String question, boolean found) {
        assertThat(rules(null, any("yes", phrase)).answer(question)).isEqualTo(found ? "yes" : null);
    }

    @Test
    void theFirstThatFitsAnswers() {
        KeywordRules rules = rules(null, any("one", "a"), any("two", "a", "b"));
        assertThat(rules.answer("b a")).isEqualTo("one");
        assertThat(rules.answer("b")).isEqualTo("two");
    }

    @Test
    void allOfMeansEveryPhraseAndOneOfAnyOf() {
        KeywordRules rules = rules(null, new Answer(List.of("order", "parcel"), List.of("late", "very"), "sorry"));
        assertThat(rules.answer("my parcel is very, very late")).isEqualTo("sorry");
        assertThat(rules.answer("my parcel is late")).isNull();
        assertThat(rules.answer("very late")).isNull();
    }

    @Test
    void allOfAloneIsEnough() {
        assertThat(rules(null, new Answer(List.of(), List.of("late"), "sorry")).answer("late?"))
                .isEqualTo("sorry");
    }

    @ParameterizedTest
    @CsvSource({
        "refund",
        "don't",
        "STRASSE",
        "คืนเงิน",
        "退款",
        "CAFE\u0301",
        "money  back!",
        "C++",
        ".NET C#",
        "AT&T",
        "$5"
    })
    void theOwnQuestionOfTheRulesFindsTheFirstAnswer(String phrase) {
        KeywordRules rules =
                rules(null, new Answer(List.of(phrase, "parcel"), List.of("very late"), "one"), any("two", phrase));
        assertThat(rules.answer(rules.ownQuestion())).isEqualTo("one");
    }

    @Test
    void withoutRulesThereIsNoOwnQuestion() {
        assertThat(rules("write to us").ownQuestion()).isEmpty();
    }

    @Test
    void otherwiseAnswersWhereNothingFits() {
        assertThat(rules("write to us", any("one", "a")).answer("")).isEqualTo("write to us");
    }

    @Test
    void longerPhrasesWithTheSameBeginningAreAllFound() {
        KeywordRules rules = rules(null, any("long", "money back now"), any("short", "money"));
        assertThat(rules.answer("money back now")).isEqualTo("long");
        assertThat(rules.answer("money back")).isEqualTo("short");
    }

    @Test
    void onlyTheBeginningOfALongTextIsLookedAt() {
        String padding = "x ".repeat(KeywordRules.QUESTION_CHARS_MAX / 2);
        assertThat(rules(null, any("yes", "refund")).answer(padding + "refund")).isNull();
        assertThat(rules(null, any("yes", "refund")).answer("refund " + padding))
                .isEqualTo("yes");
    }
}
