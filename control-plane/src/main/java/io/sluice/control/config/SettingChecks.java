package io.sluice.control.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.config.BudgetSetting;
import io.sluice.tenants.config.CacheSetting;
import io.sluice.tenants.config.ContextSetting;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.config.PromptVariant;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.config.ShiftSetting;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.config.UserErrorCode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The settings of a scenario, before they are saved; every mistake is told at its own path. */
final class SettingChecks {
    private static final int ATTEMPTS_MAX = 10;

    /** A line, not a text. */
    private static final int NOTICE_CHARS_MAX = 500;

    private static final Pattern VARIANT_NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,30}");

    private SettingChecks() {}

    /**
     * Tells what is wrong.
     *
     * @param problems of the settings, at their path
     * @return names of the settings that are wrong
     */
    static Set<String> check(Map<String, JsonNode> settings, Problems problems) {
        Set<String> wrong = new HashSet<>();
        settings.forEach((name, value) -> {
            int mistakes = problems.count();
            check(name, value, problems.at(name));
            if (problems.count() > mistakes) {
                wrong.add(name);
            }
        });
        return wrong;
    }

    private static void check(String name, JsonNode value, Problems problems) {
        switch (name) {
            case ScenarioSettings.ATTEMPTS_MAX -> attempts(value, problems);
            case ScenarioSettings.CACHE ->
                CacheSetting.problem(value, CacheSetting.TTL)
                        .ifPresent(message -> problems.add(UserErrorCode.INVALID, message));
            case ScenarioSettings.LANE ->
                right(
                        value.isTextual() && Lane.of(value.textValue()).isPresent(),
                        "must be \"realtime\" or \"batch\"",
                        problems);
            case ScenarioSettings.FEW_SHOT ->
                right(
                        value.asText().equals(ScenarioSettings.LEADING_PAIRS),
                        "must be \"" + ScenarioSettings.LEADING_PAIRS + "\"",
                        problems);
            case ScenarioSettings.BUDGET ->
                members(
                        value,
                        "must be an object with some of exempt, floor and refuseWith",
                        problems,
                        SettingChecks::budget);
            case ScenarioSettings.CONTEXT ->
                members(value, "must be an object with turnsMax, tokensMax or both", problems, SettingChecks::context);
            case ScenarioSettings.SHIFT ->
                members(value, "must be an object with enabled, substitutes or both", problems, SettingChecks::shift);
            case ScenarioSettings.PROMPT_VARIANTS -> variants(value, problems);
            case ScenarioSettings.DEGRADED_NOTICE ->
                right(
                        text(value, NOTICE_CHARS_MAX),
                        "must be a text of 1 to " + NOTICE_CHARS_MAX + " characters",
                        problems);
            case ScenarioSettings.STREAM_TOTAL, ScenarioSettings.STREAM_IDLE, ScenarioSettings.LOWER_RUNGS_RESERVE ->
                right(
                        ScenarioSettings.duration(value).isPresent(),
                        "must be a positive ISO-8601 duration of at most an hour, such as PT30S",
                        problems);
            default ->
                problems.add(
                        UserErrorCode.INVALID,
                        "unknown setting; known are "
                                + String.join(
                                        ", ",
                                        ScenarioSettings.KEYS.stream().sorted().toList()));
        }
    }

    private static void right(boolean right, String otherwise, Problems problems) {
        if (!right) {
            problems.add(UserErrorCode.INVALID, otherwise);
        }
    }

    private static void attempts(JsonNode value, Problems problems) {
        right(
                value.isIntegralNumber()
                        && value.canConvertToInt()
                        && value.intValue() >= 1
                        && value.intValue() <= ATTEMPTS_MAX,
                "must be a whole number from 1 to " + ATTEMPTS_MAX,
                problems);
    }

    private static boolean text(JsonNode value, int charsMax) {
        return value.isTextual()
                && !value.textValue().isBlank()
                && value.textValue().length() <= charsMax;
    }

    /** Members of an object that has some, none of them null. */
    private static void members(JsonNode value, String otherwise, Problems problems, Consumer<MemberReader> members) {
        if (!value.isObject() || value.isEmpty()) {
            problems.add(UserErrorCode.INVALID, otherwise);
            return;
        }
        MemberReader in = new MemberReader(value, problems);
        members.accept(in);
        in.refuseNulls();
        in.finish();
    }

    private static void budget(MemberReader in) {
        in.truth(BudgetSetting.EXEMPT);
        String floor = in.text(BudgetSetting.FLOOR);
        if (floor != null) {
            in.problems().oneOf(Tier.class, floor, BudgetSetting.FLOOR);
        }
        Integer status = in.whole(BudgetSetting.REFUSE_WITH);
        if (status != null && status != BudgetSetting.PAYMENT_REQUIRED && status != BudgetSetting.TOO_MANY_REQUESTS) {
            in.problems().add(UserErrorCode.INVALID, "must be 402 or 429", BudgetSetting.REFUSE_WITH);
        }
    }

    private static void context(MemberReader in) {
        whole(in, ContextSetting.TURNS, 1, ContextSetting.TURNS_MAX);
        whole(in, ContextSetting.TOKENS, ContextSetting.TOKENS_MIN, ContextSetting.TOKENS_MAX);
    }

    private static void whole(MemberReader in, String name, int min, int max) {
        Integer number = in.whole(name);
        if (number != null) {
            in.problems().range(number, min, max, name);
        }
    }

    private static void shift(MemberReader in) {
        in.truth(ShiftSetting.ENABLED);
        Set<String> steps = new HashSet<>();
        List<String> named = in.list(ShiftSetting.SUBSTITUTES, each -> substitute(each, steps));
        if (named != null && (named.isEmpty() || named.size() > ShiftSetting.SUBSTITUTES_MAX)) {
            in.problems()
                    .add(
                            UserErrorCode.INVALID,
                            "must be a list of 1 to " + ShiftSetting.SUBSTITUTES_MAX + " objects with a step each",
                            ShiftSetting.SUBSTITUTES);
        }
    }

    private static String substitute(MemberReader in, Set<String> steps) {
        String step = in.text(ShiftSetting.STEP);
        if (in.problems().present(step, ShiftSetting.STEP) && !steps.add(step)) {
            in.problems().add(UserErrorCode.DUPLICATE, "a substitute before has this step", ShiftSetting.STEP);
        }
        number(in, ShiftSetting.LATENCY, 1, ShiftSetting.LATENCY_FACTOR_MAX);
        number(in, ShiftSetting.ERRORS, 0, 1);
        number(in, ShiftSetting.USELESS, 0, 1);
        in.refuseNulls();
        return step;
    }

    private static void number(MemberReader in, String name, int min, int max) {
        Double number = in.number(name);
        if (number != null && !(number >= min && number <= max)) {
            in.problems().add(UserErrorCode.INVALID, "must be a number from " + min + " to " + max, name);
        }
    }

    private static void variants(JsonNode value, Problems problems) {
        if (!value.isObject() || value.size() > PromptVariant.VARIANTS_MAX) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must be an object of at most " + PromptVariant.VARIANTS_MAX
                            + " variants by name, such as {\"conservative\": {\"system\": \"Answer in one sentence.\"}}");
            return;
        }
        value.properties().forEach(variant -> {
            Problems here = problems.at(variant.getKey());
            if (!VARIANT_NAME.matcher(variant.getKey()).matches()) {
                here.add(
                        UserErrorCode.INVALID,
                        "a variant's name must be 1 to 31 lower-case letters, digits and hyphens, the first no hyphen");
            }
            members(
                    variant.getValue(),
                    "must be an object with a member system, and perhaps place",
                    here,
                    SettingChecks::variant);
        });
    }

    private static void variant(MemberReader in) {
        JsonNode system = in.any(PromptVariant.SYSTEM);
        if (in.problems().present(system, PromptVariant.SYSTEM) && !text(system, PromptVariant.CHARS_MAX)) {
            in.problems()
                    .add(
                            UserErrorCode.INVALID,
                            "must be a text of 1 to " + PromptVariant.CHARS_MAX + " characters, not only blanks",
                            PromptVariant.SYSTEM);
        }
        String place = in.text(PromptVariant.PLACE);
        if (place != null && !place.equals(PromptVariant.BEFORE) && !place.equals(PromptVariant.INSTEAD)) {
            in.problems()
                    .add(
                            UserErrorCode.INVALID,
                            "must be \"before\" (the default: before the caller's system message) or \"instead\" (in its place)",
                            PromptVariant.PLACE);
        }
    }
}
