package io.sluice.control.config;

import static io.sluice.control.config.Given.json;
import static io.sluice.control.config.Given.poolRung;
import static io.sluice.control.config.Given.scenario;
import static io.sluice.control.config.Given.textRung;
import static io.sluice.control.config.Given.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.ApplyDocument;
import io.sluice.control.api.ConfigCommand.PutPool;
import io.sluice.control.api.ConfigCommand.PutScenario;
import io.sluice.control.api.ConfigCommand.PutScenario.Rung;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.RungConfig;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.UserErrorCode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which ladders are refused when they are saved, at which place, and what their owner is told to do. */
class LadderChecksTest {
    private static final Rung STD = poolRung("first", "std");

    private static Rung times(String name, String timeout, String minRemaining) {
        return new Rung(name, "std", null, null, null, null, null, null, timeout, minRemaining);
    }

    private static Rung edits(Double factor, Integer fewShotMax, String variant) {
        return new Rung("low", "std", null, null, null, factor, fewShotMax, variant, null, null);
    }

    private static Rung rules(String rules) {
        return new Rung("words", null, null, json(rules), null, null, null, null, null, null);
    }

    private static PutScenario chat(Rung... ladder) {
        return scenario("acme", "s", ladder);
    }

    private static List<UserError> errors(PutScenario command) {
        return ConfigDecider.decide(Given.acme(), command, Given.context())
                .fold(accepted -> List.of(), ConfigDecision.Refused::errors);
    }

    private static Arguments mistake(String why, PutScenario command, String... paths) {
        return Arguments.of(why, command, List.of(paths));
    }

    static Stream<Arguments> mistakes() {
        String right = "{'answers':[{'anyOf':['refund'],'text':'Soon.'}]}";
        return Stream.of(
                mistake("an attempt has the time it needs", chat(times("a", "PT1S", "PT2S")), "ladder.0.timeout"),
                mistake("a default need counts too", chat(times("a", "PT0.1S", null)), "ladder.0.timeout"),
                mistake(
                        "the first rung leaves the reserve",
                        chat(times("a", null, "PT6S"), textRung("t", "sorry")),
                        "ladder.0.minRemaining"),
                mistake(
                        "a timeout beyond the reserve does nothing",
                        chat(times("a", "PT6S", null), textRung("t", "sorry")),
                        "ladder.0.timeout"),
                mistake("the second can start", chat(STD, times("b", null, "PT6S")), "ladder.1.minRemaining"),
                mistake(
                        "the third can start",
                        chat(STD, times("b", null, "PT3S"), times("c", null, "PT3S"), textRung("t", "sorry")),
                        "ladder.2.minRemaining"),
                mistake(
                        "a first token comes before the reserve",
                        with(chat(STD, textRung("t", "sorry")), "firstTokenTimeout", "PT6S"),
                        "firstTokenTimeout"),
                mistake("a factor is above 0", chat(edits(0.0, null, null)), "ladder.0.maxTokensFactor"),
                mistake("a factor is at most 1", chat(edits(1.1, null, null)), "ladder.0.maxTokensFactor"),
                mistake("a factor is a number", chat(edits(Double.NaN, null, null)), "ladder.0.maxTokensFactor"),
                mistake("examples are counted from 0", chat(edits(null, -1, null)), "ladder.0.fewShotMax"),
                mistake("a prompt is known", chat(edits(null, null, "brief")), "ladder.0.promptVariant"),
                mistake(
                        "a wrong prompt is told once",
                        with(
                                chat(edits(null, null, "brief")),
                                "settings",
                                json("{'promptVariants':{'brief':{'system':''}}}")),
                        "settings.promptVariants.brief.system"),
                mistake(
                        "a prompt has a place that exists",
                        with(chat(STD), "settings", json("{'promptVariants':{'b':{'system':'x','place':'after'}}}")),
                        "settings.promptVariants.b.place"),
                mistake(
                        "a way to find examples is known",
                        with(chat(STD), "settings", json("{'fewShot':'all'}")),
                        "settings.fewShot"),
                mistake(
                        "context has a limit",
                        with(chat(STD), "settings", json("{'context':{'turnsMax':0}}")),
                        "settings.context.turnsMax"),
                mistake(
                        "where all pairs are examples no turns can be cut",
                        with(chat(STD), "settings", json("{'context':{'turnsMax':4},'fewShot':'leading-pairs'}")),
                        "settings.context"),
                mistake(
                        "traffic is shifted to a second pool",
                        with(chat(STD, textRung("t", "sorry")), "settings", json("{'shift':{'enabled':true}}")),
                        "settings.shift"),
                mistake(
                        "a substitute is a rung with a pool",
                        with(
                                chat(STD, poolRung("b", "std")),
                                "settings",
                                json("{'shift':{'substitutes':[{'step':'nowhere'}]}}")),
                        "settings.shift"),
                mistake(
                        "only what may descend is shifted",
                        with(
                                with(chat(STD, poolRung("b", "std")), "kind", "WRITE"),
                                "settings",
                                json("{'shift':{'enabled':true}}")),
                        "settings.shift"),
                mistake(
                        "what concerns the ladder as a whole is told beside mistakes elsewhere",
                        with(
                                with(chat(times("a", "PT6S", null), textRung("t", "sorry")), "core", null),
                                "settings",
                                json("{'shift':{'enabled':true},'budget':{'exempt':1}}")),
                        "core",
                        "settings.budget.exempt",
                        "settings.shift",
                        "ladder.0.timeout"),
                mistake(
                        "a notice says something",
                        with(chat(STD), "settings", json("{'degradedNotice':' '}")),
                        "settings.degradedNotice"),
                mistake(
                        "only a pool is sent a request",
                        chat(STD, new Rung("t", null, null, null, "sorry", 0.5, 1, "v", "PT1S", "PT1S")),
                        "ladder.1.timeout",
                        "ladder.1.minRemaining",
                        "ladder.1.maxTokensFactor",
                        "ladder.1.fewShotMax",
                        "ladder.1.promptVariant"),
                mistake(
                        "a rung is one thing, and what follows from its kind is not told before it has one",
                        chat(
                                new Rung("both", "nowhere", null, json(right), "sorry", 2.0, -1, "v", null, null),
                                poolRung("b", "std")),
                        "ladder.0"),
                mistake("rules are not the first", chat(rules(right)), "ladder.0.pool"),
                mistake("pools stand above rules", chat(STD, rules(right), poolRung("b", "std")), "ladder.1.rules"),
                mistake(
                        "what always answers is the last",
                        chat(
                                STD,
                                rules("{'answers':[{'anyOf':['a'],'text':'x'}],'otherwise':'y'}"),
                                textRung("t", "sorry")),
                        "ladder.1.rules"),
                mistake("rules are an object", chat(STD, rules("[]")), "ladder.1.rules"),
                mistake("rules have answers", chat(STD, rules("{}")), "ladder.1.rules.answers"),
                mistake("rules have an answer", chat(STD, rules("{'answers':[]}")), "ladder.1.rules.answers"),
                mistake(
                        "members of rules are known",
                        chat(STD, rules("{'answers':[{'anyOf':['a'],'text':'x','when':1}],'default':'y'}")),
                        "ladder.1.rules.answers.0.when",
                        "ladder.1.rules.default"),
                mistake(
                        "an answer has phrases and a text",
                        chat(STD, rules("{'answers':[{}]}")),
                        "ladder.1.rules.answers.0.anyOf",
                        "ladder.1.rules.answers.0.text"),
                mistake(
                        "phrases have words",
                        chat(STD, rules("{'answers':[{'anyOf':['ok','?!'],'allOf':[],'text':' '}],'otherwise':''}")),
                        "ladder.1.rules.answers.0.anyOf.1",
                        "ladder.1.rules.answers.0.allOf",
                        "ladder.1.rules.answers.0.text",
                        "ladder.1.rules.otherwise"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void aLadderIsRefusedAtThePlaceOfEachMistake(String why, PutScenario command, List<String> paths) {
        assertThat(errors(command).stream().map(error -> String.join(".", error.path())))
                .containsExactlyInAnyOrderElementsOf(paths);
    }

    @Test
    void aLadderThatCanNotRunIsToldWhichRungAndWhatToChange() {
        assertThat(errors(chat(times("main", "PT4S", null), times("spare", null, "PT7S"), textRung("t", "sorry"))))
                .singleElement()
                .extracting(UserError::message)
                .isEqualTo("rung \"spare\" can not start: when the first rung has taken its time, PT6S are left, rungs"
                        + " between need PT0S, and this one needs PT7S; lower its minRemaining, give the first rung a"
                        + " shorter timeout, or raise the deadline");
    }

    @Test
    void aRightLadderIsKeptAsItIsWritten() {
        PutScenario right = with(
                chat(
                        STD,
                        edits(0.5, 2, "brief"),
                        rules("{'answers':[{'anyOf':['money back'],'allOf':['late'],'text':'Soon.'}]}"),
                        textRung("t", "sorry")),
                "settings",
                json("{'promptVariants':{'brief':{'system':'Be brief.','place':'instead'}},'fewShot':'leading-pairs',"
                        + "'degradedNotice':'{step} answers'}"));
        List<RungConfig> ladder = ConfigDecider.decide(Given.acme(), right, Given.context())
                .fold(
                        accepted -> accepted.configuration()
                                .tenants()
                                .get(new TenantId("acme"))
                                .scenarios()
                                .get("s")
                                .ladder(),
                        refused -> List.of());
        assertThat(ladder).hasSize(4);
        assertThat(ladder.get(1)).isEqualTo(new RungConfig.Pool("low", "std", 0.5, 2, "brief", null, null));
        assertThat(((RungConfig.Rules) ladder.get(2)).rules().answers().get(0).anyOf())
                .containsExactly("money back");
    }

    private static Configuration grouped(String northGroup, String southGroup) {
        Configuration configuration = Given.acme();
        for (ConfigCommand command : List.of(
                with(Given.provider("acme", "north"), "quotaGroup", northGroup),
                with(Given.provider("acme", "south"), "quotaGroup", southGroup),
                Given.pool("acme", "n", new PutPool.Target("north", "small", null, 100)),
                Given.pool("acme", "s", new PutPool.Target("south", "large", null, 100)),
                Given.pool(
                        "acme",
                        "ns",
                        new PutPool.Target("north", "small", null, 100),
                        new PutPool.Target("south", "large", null, 100)))) {
            configuration = Given.after(configuration, command);
        }
        return configuration;
    }

    private static List<String> redundancy(Configuration configuration, Rung... ladder) {
        return ConfigDecider.decide(configuration, chat(ladder), Given.context())
                .fold(accepted -> List.<UserError>of(), ConfigDecision.Refused::errors)
                .stream()
                .map(error -> error.path() + " " + error.code())
                .toList();
    }

    @Test
    void poolsThatShareOneQuotaGroupAreFalseRedundancy() {
        Configuration same = grouped("account", "account");
        List<String> told = List.of("[ladder] FALSE_REDUNDANCY");

        assertThat(redundancy(same, poolRung("a", "n"), poolRung("b", "s"))).isEqualTo(told);
        assertThat(redundancy(same, poolRung("a", "ns"), poolRung("b", "s"), textRung("t", "sorry")))
                .isEqualTo(told);
    }

    @Test
    void onePoolIsNoRedundancyAndPoolsOfTwoAccountsAreTrueOne() {
        assertThat(redundancy(grouped("account", "account"), poolRung("a", "ns"), textRung("t", "sorry")))
                .isEmpty();
        assertThat(redundancy(grouped("one", "other"), poolRung("a", "n"), poolRung("b", "s")))
                .isEmpty();
        assertThat(redundancy(grouped("one", null), poolRung("a", "n"), poolRung("b", "s")))
                .isEmpty();
        assertThat(redundancy(grouped("account", "account"), poolRung("a", "n"), poolRung("b", "std")))
                .isEmpty();
    }

    @Test
    void aDocumentIsToldOfFalseRedundancyToo() {
        ConfigCommand document = new ApplyDocument(
                "acme",
                json("{'scenarios':[{'name':'s','sensitivity':'SEMANTIC','kind':'READ','ladder':"
                        + "[{'name':'a','pool':'n'},{'name':'b','pool':'s'}]}]}"),
                false,
                null);

        assertThat(ConfigDecider.decide(grouped("account", "account"), document, Given.context())
                        .fold(accepted -> List.<UserError>of(), ConfigDecision.Refused::errors))
                .extracting(UserError::code)
                .containsExactly(UserErrorCode.FALSE_REDUNDANCY);
    }
}
