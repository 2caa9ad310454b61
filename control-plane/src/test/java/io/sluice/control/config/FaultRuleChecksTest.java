package io.sluice.control.config;

import static io.sluice.control.config.Given.acme;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.ConfigCommand.EndFaultRule;
import io.sluice.control.api.ConfigCommand.PutFaultRule;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.FaultRuleConfig;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultKind;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FaultRuleChecksTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final String IN_AN_HOUR = in(Duration.ofHours(1));

    /** A command by its members, so that a test names only what it is about. */
    private record Rule(
            Integer version,
            String scenario,
            String provider,
            String fault,
            String retryAfter,
            String delay,
            Integer afterEvents,
            Double share,
            String startsAt,
            String endsAt,
            String owner) {
        static Rule of(String fault) {
            return new Rule(null, "chat", "sim", fault, null, null, null, 1.0, null, IN_AN_HOUR, "Ann");
        }

        Rule version(Integer changed) {
            return new Rule(
                    changed, scenario, provider, fault, retryAfter, delay, afterEvents, share, startsAt, endsAt, owner);
        }

        Rule scope(String toScenario, String toProvider) {
            return new Rule(
                    version,
                    toScenario,
                    toProvider,
                    fault,
                    retryAfter,
                    delay,
                    afterEvents,
                    share,
                    startsAt,
                    endsAt,
                    owner);
        }

        Rule words(String toRetryAfter, String toDelay, Integer toAfterEvents) {
            return new Rule(
                    version,
                    scenario,
                    provider,
                    fault,
                    toRetryAfter,
                    toDelay,
                    toAfterEvents,
                    share,
                    startsAt,
                    endsAt,
                    owner);
        }

        Rule share(Double changed) {
            return new Rule(
                    version,
                    scenario,
                    provider,
                    fault,
                    retryAfter,
                    delay,
                    afterEvents,
                    changed,
                    startsAt,
                    endsAt,
                    owner);
        }

        Rule times(String from, String to) {
            return new Rule(version, scenario, provider, fault, retryAfter, delay, afterEvents, share, from, to, owner);
        }

        Rule owner(String changed) {
            return new Rule(
                    version,
                    scenario,
                    provider,
                    fault,
                    retryAfter,
                    delay,
                    afterEvents,
                    share,
                    startsAt,
                    endsAt,
                    changed);
        }

        PutFaultRule put(String id) {
            return new PutFaultRule(
                    "acme",
                    id,
                    version,
                    scenario,
                    null,
                    provider,
                    null,
                    fault,
                    retryAfter,
                    delay,
                    afterEvents,
                    share,
                    startsAt,
                    endsAt,
                    owner,
                    "show that we survive");
        }
    }

    @Test
    void aRuleIsKeptAsItWasPut() {
        Configuration after = after(acme(), Rule.of("RATE_LIMIT").words("PT7S", null, null));

        assertThat(after.tenants().get(ACME).faultRules().get("storm"))
                .isEqualTo(new FaultRuleConfig(
                        "storm",
                        1,
                        "chat",
                        null,
                        "sim",
                        null,
                        new Fault(FaultKind.RATE_LIMIT, 7_000, 0, -1),
                        1,
                        null,
                        Given.NOW.plus(Duration.ofHours(1)),
                        "Ann",
                        "show that we survive"));
    }

    @Test
    void aRuleWithoutAnEndIsRefusedWithTheRemedy() {
        assertThat(refused(acme(), Rule.of("RESET").times(null, null)))
                .containsExactly(new UserError(
                        List.of("endsAt"),
                        UserErrorCode.REQUIRED,
                        "is required: a fault must end by itself, at most 24 hours from now; name the time your drill is"
                                + " over"));
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("end in the past", Rule.of("RESET").times(null, in(Duration.ZERO)), "endsAt"),
                Arguments.of(
                        "end too far ahead",
                        Rule.of("RESET").times(null, in(Duration.ofHours(24).plusMillis(1))),
                        "endsAt"),
                Arguments.of("no time", Rule.of("RESET").times(null, "tomorrow"), "endsAt"),
                Arguments.of("start after end", Rule.of("RESET").times(IN_AN_HOUR, IN_AN_HOUR), "startsAt"),
                Arguments.of("unknown scenario", Rule.of("RESET").scope("other", null), "scenario"),
                Arguments.of("unknown provider", Rule.of("RESET").scope(null, "other"), "provider"),
                Arguments.of("unknown fault", Rule.of("FIRE"), "fault"),
                Arguments.of("no fault", Rule.of(null), "fault"),
                Arguments.of("share 0", Rule.of("RESET").share(0.0), "share"),
                Arguments.of("share above 1", Rule.of("RESET").share(1.1), "share"),
                Arguments.of("share no number", Rule.of("RESET").share(Double.NaN), "share"),
                Arguments.of("share null", Rule.of("RESET").share(null), "share"),
                Arguments.of("no owner", Rule.of("RESET").owner(null), "owner"),
                Arguments.of("blank owner", Rule.of("RESET").owner(" "), "owner"),
                Arguments.of("slow without delay", Rule.of("SLOW"), "delay"),
                Arguments.of("endless delay", Rule.of("SLOW").words(null, "PT1H", null), "delay"),
                Arguments.of("delay of a reset", Rule.of("RESET").words(null, "PT1S", null), "delay"),
                Arguments.of("retry after a cut", Rule.of("CUT").words("PT1S", null, null), "retryAfter"),
                Arguments.of("events of a 500", Rule.of("INTERNAL_ERROR").words(null, null, 3), "afterEvents"),
                Arguments.of("negative events", Rule.of("CUT").words(null, null, -1), "afterEvents"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void aMistakeIsToldAtItsPlace(String what, Rule rule, String member) {
        assertThat(refused(acme(), rule)).as(what).extracting(UserError::path).containsExactly(List.of(member));
    }

    @Test
    void anEndExactlyADayAheadIsRight() {
        assertThat(refused(acme(), Rule.of("RESET").times(null, in(Duration.ofHours(24)))))
                .isEmpty();
    }

    @Test
    void whereFaultsAreOffARuleIsRefusedWithTheRemedy() {
        DecisionContext usual = Given.context();
        DecisionContext off = new DecisionContext(
                usual.now(),
                usual.mint(),
                usual.plugins(),
                usual.upstreams(),
                usual.sealer(),
                usual.places(),
                false,
                Role.PLATFORM_ADMIN);
        List<UserError> errors = ConfigDecider.decide(acme(), Rule.of("RESET").put("storm"), off)
                .fold(accepted -> List.of(), ConfigDecision.Refused::errors);

        assertThat(errors)
                .containsExactly(new UserError(
                        List.of("fault"),
                        UserErrorCode.FORBIDDEN,
                        "fault injection is off here; set faults.enabled: true in the settings file and start again"));
    }

    @Test
    void aChangeNamesTheVersionItRead() {
        Configuration one = after(acme(), Rule.of("RESET"));

        assertThat(refused(one, Rule.of("HANG")))
                .extracting(UserError::code)
                .containsExactly(UserErrorCode.CONFLICT_VERSION);
        assertThat(after(one, Rule.of("HANG").version(1))
                        .tenants()
                        .get(ACME)
                        .faultRules()
                        .get("storm")
                        .version())
                .isEqualTo(2);
    }

    @Test
    void theSameRuleAgainChangesNothing() {
        Configuration one = after(acme(), Rule.of("RESET"));

        assertThat(after(one, Rule.of("RESET").version(1))).isEqualTo(one);
    }

    @Test
    void anEndedRuleIsOverAtOnceAndEndingItAgainChangesNothing() {
        Configuration one = after(acme(), Rule.of("RESET"));
        Configuration ended = Given.after(one, new EndFaultRule("acme", "storm"));
        FaultRuleConfig rule = ended.tenants().get(ACME).faultRules().get("storm");

        assertThat(rule.over(Given.NOW)).isTrue();
        assertThat(rule.version()).isEqualTo(2);
        assertThat(Given.after(ended, new EndFaultRule("acme", "storm"))).isEqualTo(ended);
    }

    @Test
    void aRuleThatIsOverIsReplacedWithoutItsVersionWhichGrows() {
        Configuration ended = Given.after(after(acme(), Rule.of("RESET")), new EndFaultRule("acme", "storm"));
        FaultRuleConfig again =
                after(ended, Rule.of("HANG")).tenants().get(ACME).faultRules().get("storm");

        assertThat(again.over(Given.NOW)).isFalse();
        assertThat(again.version()).isEqualTo(3);
        assertThat(refused(ended, Rule.of("HANG").version(1)))
                .extracting(UserError::code)
                .containsExactly(UserErrorCode.CONFLICT_VERSION);
    }

    @Test
    void anUnknownRuleCanNotBeEnded() {
        List<UserError> errors = ConfigDecider.decide(acme(), new EndFaultRule("acme", "none"), Given.context())
                .fold(accepted -> List.of(), ConfigDecision.Refused::errors);

        assertThat(errors).extracting(UserError::code).containsExactly(UserErrorCode.NOT_FOUND);
    }

    @Test
    void rulesThatAreNotOverAreBounded() {
        Configuration full = acme();
        for (int i = 0; i < FaultRuleChecks.RUNNING_MAX; i++) {
            full = Given.after(full, Rule.of("RESET").put("rule" + i));
        }

        assertThat(refused(full, Rule.of("RESET")))
                .extracting(UserError::code)
                .containsExactly(UserErrorCode.LIMIT_EXCEEDED);
        Configuration oneEnded = Given.after(full, new EndFaultRule("acme", "rule7"));
        assertThat(refused(oneEnded, Rule.of("RESET"))).isEmpty();
    }

    private static Configuration after(Configuration before, Rule rule) {
        return Given.after(before, rule.put("storm"));
    }

    private static List<UserError> refused(Configuration before, Rule rule) {
        return ConfigDecider.decide(before, rule.put("storm"), Given.context())
                .fold(accepted -> List.of(), ConfigDecision.Refused::errors);
    }

    private static String in(Duration ahead) {
        return Given.NOW.plus(ahead).toString();
    }
}
