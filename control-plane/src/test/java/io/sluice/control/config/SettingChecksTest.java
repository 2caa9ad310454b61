package io.sluice.control.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.json.StrictJson;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingChecksTest {
    private static final String A_VARIANT = "{'brief':{'system':'Answer in one sentence.','place':'instead'}}";

    private static JsonNode json(String text) throws Exception {
        return StrictJson.MAPPER.readTree(text.replace('\'', '"'));
    }

    private static List<UserError> mistakes(String settings) throws Exception {
        Map<String, JsonNode> members = new TreeMap<>();
        json(settings).properties().forEach(each -> members.put(each.getKey(), each.getValue()));
        Problems problems = new Problems();
        SettingChecks.check(members, problems);
        return problems.all();
    }

    private static List<String> paths(String settings) throws Exception {
        return mistakes(settings).stream()
                .map(each -> String.join(".", each.path()))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "attemptsMax       | 1",
                "attemptsMax       | 10",
                "streamTotal       | 'PT1H'",
                "streamIdle        | 'PT0.001S'",
                "lowerRungsReserve | 'PT5S'",
                "cache             | {'exact':{'ttl':'PT1S'}}",
                "cache             | {'exact':{'ttl':'P7D'}}",
                "lane              | 'batch'",
                "lane              | 'realtime'",
                "fewShot           | 'leading-pairs'",
                "degradedNotice    | 'By {step}.'",
                "budget            | {'exempt':true}",
                "budget            | {'floor':'STANDARD','refuseWith':429}",
                "context           | {'turnsMax':1}",
                "context           | {'turnsMax':10000,'tokensMax':100}",
                "shift             | {'enabled':false}",
                "shift             | {'substitutes':[{'step':'a','latencyFactorMax':100,'errorRateMax':0},{'step':'b'}]}",
                "promptVariants    | {}",
                "promptVariants    | " + A_VARIANT
            })
    void takesRightValues(String name, String value) throws Exception {
        assertThat(mistakes("{'" + name + "':" + value + "}")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "attemptsMax       | 0",
                "attemptsMax       | 11",
                "attemptsMax       | 4294967297",
                "attemptsMax       | 2.0",
                "attemptsMax       | '3'",
                "attemptsMax       | null",
                "streamTotal       | 'PT1H1S'",
                "streamTotal       | 'PT0S'",
                "streamIdle        | '-PT1S'",
                "streamIdle        | '30'",
                "streamIdle        | 30",
                "streamIdle        | {}",
                "lowerRungsReserve | 'P99999999999D'",
                "cache             | true",
                "cache             | {}",
                "cache             | {'exact':{}}",
                "cache             | {'exact':{'ttl':'P8D'}}",
                "cache             | {'exact':{'ttl':'PT0.5S'}}",
                "cache             | {'exact':{'ttl':'PT1M','x':1}}",
                "cache             | {'exact':{'ttl':'PT1M'},'semantic':{}}",
                "lane              | 'bulk'",
                "lane              | 1",
                "fewShot           | 'all'",
                "degradedNotice    | ' '",
                "budget            | 7",
                "budget            | {}",
                "context           | 10",
                "context           | {}",
                "shift             | 7",
                "shift             | {}",
                "promptVariants    | []",
                "promptVariants    | null",
                "attemptMax        | 3"
            })
    void saysWhichValueIsWrong(String name, String value) throws Exception {
        assertThat(paths("{'" + name + "':" + value + "}")).containsExactly(name);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "budget         | {'exempt':1}                           | exempt            | true or false",
                "budget         | {'floor':'CHEAP'}                      | floor             | must be one of",
                "budget         | {'floor':3}                            | floor             | must be a string",
                "budget         | {'refuseWith':500}                     | refuseWith        | must be 402 or 429",
                "budget         | {'refuseWith':402.0}                   | refuseWith        | must be a whole number",
                "budget         | {'exempt':null}                        | exempt            | null is no value",
                "budget         | {'exemt':true}                         | exemt             | unknown member; known are exempt",
                "context        | {'turnsMax':0}                         | turnsMax          | a whole number from 1 to 10000",
                "context        | {'turnsMax':10001}                     | turnsMax          | a whole number from 1 to 10000",
                "context        | {'turnsMax':2.0}                       | turnsMax          | a whole number",
                "context        | {'turnsMax':'2'}                       | turnsMax          | a whole number",
                "context        | {'turnsMax':null}                      | turnsMax          | null is no value",
                "context        | {'tokensMax':99}                       | tokensMax         | a whole number from 100",
                "context        | {'tokensMax':4294967396}               | tokensMax         | a whole number",
                "context        | {'turnsMax':1,'tokens':1000}           | tokens            | unknown member",
                "shift          | {'on':true}                            | on                | unknown member",
                "shift          | {'enabled':1}                          | enabled           | true or false",
                "shift          | {'enabled':true,'substitutes':null}    | substitutes       | null is no value",
                "shift          | {'substitutes':{}}                     | substitutes       | must be a list",
                "shift          | {'substitutes':[]}                     | substitutes       | a list of 1 to 15",
                "shift          | {'substitutes':[{}]}                   | substitutes.0.step | is required",
                "shift          | {'substitutes':[{'step':7}]}           | substitutes.0.step | must be a string",
                "shift          | {'substitutes':[{'step':'a'},{'step':'a'}]} | substitutes.1.step | before",
                "shift          | {'substitutes':[{'step':'a','latencyFactorMax':0.5}]} | substitutes.0.latencyFactorMax | from 1 to 100",
                "shift          | {'substitutes':[{'step':'a','errorRateMax':2}]} | substitutes.0.errorRateMax | from 0 to 1",
                "shift          | {'substitutes':[{'step':'a','uselessRateMax':'1'}]} | substitutes.0.uselessRateMax | must be a number",
                "shift          | {'substitutes':[{'step':'a','slow':1}]} | substitutes.0.slow | unknown member",
                "promptVariants | {'Brief':{'system':'x'}}               | Brief             | lower-case",
                "promptVariants | {'brief':'x'}                          | brief             | must be an object with",
                "promptVariants | {'brief':{'place':'before'}}           | brief.system      | is required",
                "promptVariants | {'brief':{'system':' '}}               | brief.system      | must be a text of 1",
                "promptVariants | {'brief':{'system':'x','place':'after'}} | brief.place     | \"before\"",
                "promptVariants | {'brief':{'system':'x','role':'user'}} | brief.role        | unknown member"
            })
    void saysWhichMemberIsWrong(String name, String value, String member, String words) throws Exception {
        assertThat(mistakes("{'" + name + "':" + value + "}")).singleElement().satisfies(only -> {
            assertThat(String.join(".", only.path())).isEqualTo(name + "." + member);
            assertThat(only.message()).contains(words);
        });
    }

    @Test
    void allMistakesOfAllSettingsAreToldAtOnce() throws Exception {
        assertThat(paths("{'budget':{'exempt':1,'floor':'CHEAP','refuseWith':500,'x':0},"
                        + "'context':{'turnsMax':0,'tokensMax':1},"
                        + "'promptVariants':{'a':{'system':''},'b':{'place':'after'}},"
                        + "'shift':{'enabled':1,'substitutes':[{'step':'a','errorRateMax':2},{'uselessRateMax':-1}]}}"))
                .containsExactly(
                        "budget.exempt",
                        "budget.floor",
                        "budget.refuseWith",
                        "budget.x",
                        "context.turnsMax",
                        "context.tokensMax",
                        "promptVariants.a.system",
                        "promptVariants.b.system",
                        "promptVariants.b.place",
                        "shift.enabled",
                        "shift.substitutes.0.errorRateMax",
                        "shift.substitutes.1.step",
                        "shift.substitutes.1.uselessRateMax");
    }

    @Test
    void anUnknownSettingIsAnsweredWithTheKnownOnes() throws Exception {
        assertThat(mistakes("{'x':1}"))
                .singleElement()
                .satisfies(only -> assertThat(only.message())
                        .contains("attemptsMax", "lane", "lowerRungsReserve", "streamIdle", "streamTotal"));
    }
}
