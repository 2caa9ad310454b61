package io.sluice.control.config;

import static io.sluice.control.config.Given.NOW;
import static io.sluice.control.config.Given.accepted;
import static io.sluice.control.config.Given.after;
import static io.sluice.control.config.Given.errors;
import static io.sluice.control.config.Given.mistakes;
import static io.sluice.control.config.Given.poolRung;
import static io.sluice.control.config.Given.scenario;
import static io.sluice.control.config.Given.textRung;
import static io.sluice.control.config.Given.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.ApplyDocument;
import io.sluice.control.api.ConfigCommand.EndSwitch;
import io.sluice.control.api.ConfigCommand.PutDrill;
import io.sluice.control.api.ConfigCommand.PutScenario;
import io.sluice.control.api.ConfigCommand.PutSwitch;
import io.sluice.control.api.ConfigCommand.StartDrill;
import io.sluice.control.api.ConfigCommand.StopDrill;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.DrillSchedule;
import io.sluice.tenants.config.SwitchConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SwitchAndDrillTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    /** Scenario {@code chat} with the rungs first and sorry, {@code pay} of kind WRITE. */
    private static Configuration twoRungs() {
        Configuration acme = after(
                Given.acme(),
                with(scenario("acme", "chat", poolRung("first", "std"), textRung("sorry", "Sorry.")), "version", 1));
        return after(
                acme,
                with(scenario("acme", "pay", poolRung("first", "std"), textRung("sorry", "Sorry.")), "kind", "WRITE"));
    }

    private static PutSwitch off() {
        return new PutSwitch(
                "acme", "off", null, "chat", "sorry", "ops", "std is down", "2026-11-30T12:00:00Z", "2026-11-30");
    }

    private static PutDrill drill() {
        return new PutDrill("acme", "d", null, "chat", "sorry", 0.1, null, null, "ops", "does it work?", true);
    }

    private static Arguments mistake(String sentence, ConfigCommand command, String... expected) {
        return Arguments.of(sentence, command, List.of(expected));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"switches", "drills", "runs"})
    void refusesWithThePathOfEveryMistake(String sentence, ConfigCommand command, List<String> expected) {
        assertThat(mistakes(twoRungs(), command)).as(sentence).containsExactlyInAnyOrderElementsOf(expected);
    }

    static Stream<Arguments> switches() {
        return Stream.of(
                mistake("a switch that has expired does nothing", expires("2026-11-29T12:00:00Z"), "expiresAt INVALID"),
                mistake(
                        "a switch that expired long ago too",
                        with(expires("2025-01-01T00:00:00Z"), "reviewOn", "2026-11-29"),
                        "expiresAt INVALID"),
                mistake("a switch ends within 30 days", expires("2026-12-29T12:00:01Z"), "expiresAt INVALID"),
                mistake("a switch has an end", expires(null), "expiresAt REQUIRED"),
                mistake("an end is a time", expires("tomorrow"), "expiresAt INVALID"),
                mistake("a switch is reviewed", with(off(), "reviewOn", null), "reviewOn REQUIRED"),
                mistake("a review is on a day", with(off(), "reviewOn", "soon"), "reviewOn INVALID"),
                mistake("a review after the end is none", with(off(), "reviewOn", "2026-12-01"), "reviewOn INVALID"),
                mistake("a review before today is none", with(off(), "reviewOn", "2026-11-28"), "reviewOn INVALID"),
                mistake("a switch has an owner", with(off(), "owner", null), "owner REQUIRED"),
                mistake("an owner has a name", with(off(), "owner", " "), "owner INVALID"),
                mistake("a switch has a reason", with(off(), "reason", null), "reason REQUIRED"),
                mistake("a switch has a known scenario", with(off(), "scenario", "x"), "scenario NOT_FOUND"),
                mistake("a switch has a known rung", with(off(), "fromStep", "x"), "fromStep NOT_FOUND"),
                mistake(
                        "a switch of all scenarios has a rung that one has",
                        with(with(off(), "scenario", null), "fromStep", "x"),
                        "fromStep NOT_FOUND"),
                mistake("above the first rung is nothing", with(off(), "fromStep", "first"), "fromStep INVALID"),
                mistake("a new switch has no version", with(off(), "version", 1), "version CONFLICT_VERSION"),
                mistake("only what there is can be ended", new EndSwitch("acme", "x"), "id NOT_FOUND"));
    }

    private static PutSwitch expires(String at) {
        return with(off(), "expiresAt", at);
    }

    static Stream<Arguments> drills() {
        return Stream.of(
                mistake("a drill has a share", with(drill(), "share", null), "share REQUIRED"),
                mistake("a drill of nobody is none", with(drill(), "share", 0.0), "share INVALID"),
                mistake("nobody takes part twice", with(drill(), "share", 1.01), "share INVALID"),
                mistake("NaN is no share", with(drill(), "share", Double.NaN), "share INVALID"),
                mistake("a drill has a known scenario", with(drill(), "scenario", "x"), "scenario NOT_FOUND"),
                mistake("what never descends is not drilled", with(drill(), "scenario", "pay"), "scenario INVALID"),
                mistake("a drill has a known rung", with(drill(), "fromStep", "x"), "fromStep NOT_FOUND"),
                mistake("a drill has an owner", with(drill(), "owner", null), "owner REQUIRED"),
                mistake("a drill has a reason", with(drill(), "reason", null), "reason REQUIRED"),
                mistake("GQ04: null is not the default", with(drill(), "enabled", null), "enabled REQUIRED"),
                mistake(
                        "a drill has one schedule",
                        with(once("2026-12-01T10:00:00Z", "2026-12-01T11:00:00Z"), "monthly", monthly(1, "10:00")),
                        "monthly INVALID"),
                mistake(
                        "a window in the past never comes",
                        once("2026-11-29T10:00:00Z", "2026-11-29T11:00:00Z"),
                        "once.until INVALID"),
                mistake(
                        "a window of next year but one is forgotten",
                        once("2027-11-30T11:00:00Z", "2027-11-30T12:00:01Z"),
                        "once.until INVALID"),
                mistake(
                        "a window ends after it begins",
                        once("2026-12-01T10:00:00Z", "2026-12-01T10:00:00Z"),
                        "once.until INVALID"),
                mistake(
                        "a window is at most a day",
                        once("2026-12-01T10:00:00Z", "2026-12-02T10:00:01Z"),
                        "once.until INVALID"),
                mistake("a window has both ends", once(null, null), "once.from REQUIRED", "once.until REQUIRED"),
                mistake(
                        "some months have no 29th",
                        with(drill(), "monthly", monthly(29, "10:00")),
                        "monthly.day INVALID"),
                mistake("a time of day is one", with(drill(), "monthly", monthly(1, "25:00")), "monthly.at INVALID"),
                mistake(
                        "a monthly window has all of it",
                        with(drill(), "monthly", new PutDrill.Monthly(null, null, null)),
                        "monthly.day REQUIRED",
                        "monthly.at REQUIRED",
                        "monthly.duration REQUIRED"));
    }

    private static PutDrill once(String from, String until) {
        return with(drill(), "once", new PutDrill.Once(from, until));
    }

    private static PutDrill.Monthly monthly(int day, String at) {
        return new PutDrill.Monthly(day, at, "PT30M");
    }

    static Stream<Arguments> runs() {
        return Stream.of(
                mistake("only what there is can be started", new StartDrill("acme", "x", 1.0, "PT5M"), "id NOT_FOUND"),
                mistake(
                        "nobody watches longer than an hour",
                        new StartDrill("acme", "x", 2.0, "PT61M"),
                        "id NOT_FOUND",
                        "share INVALID",
                        "duration INVALID"),
                mistake("only what there is can be stopped", new StopDrill("acme", "x"), "id NOT_FOUND"));
    }

    @Test
    void anExpiredSwitchIsToldWhatToDoInstead() {
        assertThat(errors(twoRungs(), expires("2026-11-29T12:00:00Z")))
                .singleElement()
                .satisfies(error -> assertThat(error.message())
                        .isEqualTo("lies in the past, so the switch would do nothing: it is 2026-11-29T12:00:00Z now;"
                                + " name a time up to 30 days ahead"));
    }

    @Test
    void aSwitchIsKeptAsItWasTyped() {
        assertThat(switchIn(after(twoRungs(), off())))
                .isEqualTo(new SwitchConfig(
                        "off",
                        1,
                        "chat",
                        "sorry",
                        "ops",
                        "std is down",
                        Instant.parse("2026-11-30T12:00:00Z"),
                        LocalDate.of(2026, 11, 30),
                        null));
    }

    @Test
    void aSwitchOfAScenarioThatNeverDescendsIsAWayToPauseIt() {
        assertThat(mistakes(twoRungs(), with(off(), "scenario", "pay"))).isEmpty();
    }

    @Test
    void anEndedSwitchIsOverAndEndingItAgainChangesNothing() {
        Configuration ended = after(after(twoRungs(), off()), new EndSwitch("acme", "off"));
        assertThat(switchIn(ended).activeAt(NOW)).isFalse();
        assertThat(switchIn(ended).version()).isEqualTo(2);
        assertThat(accepted(ended, new EndSwitch("acme", "off")).changes())
                .extracting(ObjectChange::change)
                .containsExactly(Change.UNCHANGED);
    }

    @Test
    void anEndedSwitchCanBePutAgain() {
        Configuration ended = after(after(twoRungs(), off()), new EndSwitch("acme", "off"));
        assertThat(switchIn(after(ended, with(off(), "version", 2))).activeAt(NOW))
                .isTrue();
    }

    @Test
    void anEndedSwitchIsReplacedWithoutItsVersionWhichGrows() {
        Configuration again = after(after(after(twoRungs(), off()), new EndSwitch("acme", "off")), off());
        assertThat(switchIn(again).activeAt(NOW)).isTrue();
        assertThat(switchIn(again).version()).isEqualTo(3);
        assertThat(mistakes(again, off())).containsExactly("version CONFLICT_VERSION");
    }

    @Test
    void aWrongVersionOfAnEndedSwitchIsStillAMistake() {
        Configuration ended = after(after(twoRungs(), off()), new EndSwitch("acme", "off"));
        assertThat(mistakes(ended, with(off(), "version", 1))).containsExactly("version CONFLICT_VERSION");
    }

    @Test
    void aSwitchWithoutAnEndIsToldToHaveOne() {
        assertThat(errors(twoRungs(), expires(null)))
                .singleElement()
                .satisfies(error -> assertThat(error.message())
                        .startsWith("is required: a switch must end by itself, at most 30 days from now"));
    }

    @Test
    void theSameDrillNeedsNoVersionAndAnotherDoes() {
        Configuration drilled = after(twoRungs(), drill());
        assertThat(after(drilled, drill())).isEqualTo(drilled);
        assertThat(mistakes(drilled, with(drill(), "share", 0.2))).containsExactly("version CONFLICT_VERSION");
    }

    @Test
    void aRungThatASwitchNeedsCanNotBeTakenAway() {
        assertThat(mistakes(
                        after(twoRungs(), off()),
                        with(scenario("acme", "chat", poolRung("first", "std")), "version", 2)))
                .containsExactly("ladder IN_USE");
    }

    private static PutScenario first(String name, int version) {
        return with(scenario("acme", name, poolRung("sorry", "std"), textRung("end", "Sorry.")), "version", version);
    }

    @Test
    void aSwitchThatIsOnDoesNotLoseItsEffectByARungThatMovesToTheTop() {
        assertThat(mistakes(after(twoRungs(), off()), first("chat", 2))).containsExactly("ladder IN_USE");
    }

    @Test
    void theLastScenarioWithTheRungOfASwitchOfAllKeepsIt() {
        Configuration all = after(twoRungs(), with(off(), "scenario", null));
        Configuration one = after(all, first("chat", 2));

        assertThat(errors(one, with(first("pay", 1), "kind", "WRITE")))
                .singleElement()
                .satisfies(error -> {
                    assertThat(error.path()).containsExactly("ladder");
                    assertThat(error.message())
                            .isEqualTo("the switch off starts requests at the rung sorry, and no other scenario has it"
                                    + " below its first; keep it there or end the switch first");
                });
        assertThat(mistakes(after(one, new EndSwitch("acme", "off")), with(first("pay", 1), "kind", "WRITE")))
                .isEmpty();
    }

    @Test
    void aDocumentIsHeldToTheSame() {
        Configuration one = after(after(twoRungs(), with(off(), "scenario", null)), first("pay", 1));
        ApplyDocument document = new ApplyDocument(
                "acme",
                Given.json("{'scenarios':[{'name':'chat','sensitivity':'SEMANTIC','kind':'READ',"
                        + "'ladder':[{'name':'first','pool':'std'}]}]}"),
                false,
                null);
        assertThat(mistakes(one, document)).containsExactly("document.scenarios IN_USE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"WRITE", "COMPLIANCE"})
    void aDrilledScenarioStaysOneThatDescends(String kind) {
        PutScenario same =
                with(scenario("acme", "chat", poolRung("first", "std"), textRung("sorry", "Sorry.")), "version", 2);
        Configuration drilled = after(twoRungs(), drill());

        assertThat(errors(drilled, with(same, "kind", kind))).singleElement().satisfies(error -> {
            assertThat(error.path()).containsExactly("kind");
            assertThat(error.message())
                    .startsWith("the drill d sends requests of chat down, which " + kind + " requests must not be");
        });
        Configuration off = after(drilled, with(with(drill(), "version", 1), "enabled", false));
        assertThat(mistakes(off, with(same, "kind", kind))).isEmpty();
        assertThat(mistakes(after(off, new StartDrill("acme", "d", 1.0, "PT5M")), with(same, "kind", kind)))
                .containsExactly("kind IN_USE");
    }

    @Test
    void aRungThatADrillNeedsCanNotBeTakenAway() {
        assertThat(mistakes(
                        after(twoRungs(), drill()),
                        with(scenario("acme", "chat", poolRung("first", "std")), "version", 2)))
                .containsExactly("ladder IN_USE");
    }

    @Test
    void withoutAScheduleADrillRunsMonthly() {
        DrillConfig drill = drillIn(after(twoRungs(), drill()));
        assertThat(drill.schedule()).isEqualTo(DrillSchedule.DEFAULT);
        assertThat(drill.scheduled(NOW, BERLIN))
                .contains(new DrillSchedule.Window(
                        Instant.parse("2026-12-01T09:00:00Z"), Instant.parse("2026-12-01T09:15:00Z")));
    }

    @Test
    void aMonthlyDrillIsKeptAsItWasTyped() {
        assertThat(drillIn(after(twoRungs(), with(drill(), "monthly", monthly(28, "22:30"))))
                        .schedule())
                .isEqualTo(new DrillSchedule.Monthly(28, LocalTime.of(22, 30), Duration.ofMinutes(30)));
    }

    @Test
    void theSameDrillAgainChangesNothing() {
        assertThat(accepted(after(twoRungs(), drill()), with(drill(), "version", 1))
                        .changes())
                .extracting(ObjectChange::change)
                .containsExactly(Change.UNCHANGED);
    }

    @Test
    void aStartedDrillRunsAtOnceUntilItIsStopped() {
        Configuration started =
                after(after(twoRungs(), with(drill(), "enabled", false)), new StartDrill("acme", "d", 1.0, "PT5M"));
        assertThat(drillIn(started).runAt(NOW, BERLIN)).isPresent().get().satisfies(run -> {
            assertThat(run.share()).isEqualTo(1);
            assertThat(run.window().until()).isEqualTo(NOW.plusSeconds(300));
        });
        assertThat(drillIn(after(started, new StopDrill("acme", "d"))).runAt(NOW, BERLIN))
                .isEmpty();
    }

    @Test
    void withoutAShareAStartedDrillHasItsOwn() {
        Configuration started = after(after(twoRungs(), drill()), new StartDrill("acme", "d", null, "PT5M"));
        assertThat(drillIn(started).runAt(NOW, BERLIN).orElseThrow().share()).isEqualTo(0.1);
    }

    @Test
    void aDocumentMayHoldDrills() {
        ApplyDocument document = new ApplyDocument(
                "acme",
                Given.json("{'drills':[{'id':'d','scenario':'chat','fromStep':'sorry','share':0.5,'owner':'ops',"
                        + "'reason':'why','monthly':{'day':3,'at':'09:00','duration':'PT10M'}}]}"),
                false,
                null);
        DrillConfig drill = drillIn(after(twoRungs(), document));
        assertThat(drill.schedule())
                .isEqualTo(new DrillSchedule.Monthly(3, LocalTime.of(9, 0), Duration.ofMinutes(10)));
        assertThat(drill.enabled()).isTrue();
    }

    private static SwitchConfig switchIn(Configuration configuration) {
        return configuration.tenants().get(ACME).switches().get("off");
    }

    private static DrillConfig drillIn(Configuration configuration) {
        return configuration.tenants().get(ACME).drills().get("d");
    }
}
