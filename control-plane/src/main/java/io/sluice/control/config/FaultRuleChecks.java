package io.sluice.control.config;

import io.sluice.control.api.ConfigCommand.EndFaultRule;
import io.sluice.control.api.ConfigCommand.PutFaultRule;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.FaultRuleConfig;
import io.sluice.tenants.config.UserErrorCode;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultKind;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/** Faults on purpose: what strikes whom, and until when. */
final class FaultRuleChecks {
    /** A drill of more than a day is an outage that somebody forgot. */
    static final Duration AHEAD_MAX = Duration.ofHours(24);

    /** Rules that run or will run: each is looked at for every attempt. */
    static final int RUNNING_MAX = 50;

    /** Bounds memory; an id whose rule is over can be used again. */
    static final int RULES_MAX = 1_000;

    /** Longer than any first token is waited for; a delayed call holds a permit that others may want. */
    private static final Duration DELAY_MAX = Duration.ofMinutes(1);

    /** Providers send resets of an hour at most for limits that pass. */
    private static final Duration RETRY_AFTER_MAX = Duration.ofHours(1);

    /** Longer streams are cut by time before. */
    private static final int EVENTS_MAX = 100_000;

    private static final Set<FaultKind> WITH_RETRY_AFTER =
            EnumSet.of(FaultKind.RATE_LIMIT, FaultKind.QUOTA, FaultKind.UNAVAILABLE, FaultKind.OVERLOADED);

    private static final Set<FaultKind> WITH_DELAY = EnumSet.of(FaultKind.SLOW, FaultKind.SLOW_BODY);

    private static final Set<FaultKind> WITH_EVENTS = EnumSet.of(
            FaultKind.CUT, FaultKind.TRUNCATED, FaultKind.BAD_JSON, FaultKind.ERROR_IN_STREAM, FaultKind.HANG);

    private FaultRuleChecks() {}

    static void put(Draft draft, PutFaultRule command, DecisionContext context, Problems problems) {
        int mistakes = problems.count();
        if (!context.faults()) {
            problems.add(
                    UserErrorCode.FORBIDDEN,
                    "fault injection is off here; set faults.enabled: true in the settings file and start again",
                    "fault");
            return;
        }
        boolean named = problems.id(command.id(), "id");
        FaultRuleConfig now = named ? draft.tree().faultRules().get(command.id()) : null;
        boolean over = now != null && now.over(context.now());
        int version = named ? problems.nextVersion(command.version(), now == null ? 0 : now.version(), over) : 0;
        scope(draft, command, problems);
        Fault fault = fault(command, problems);
        Double share = command.share();
        if (problems.notNull(share, "share") && !(share > 0 && share <= 1)) {
            problems.add(UserErrorCode.INVALID, "must be above 0 and at most 1: 0.1 strikes every tenth", "share");
        }
        Instant endsAt = end(command.endsAt(), context.now(), problems);
        Instant startsAt = problems.instant(command.startsAt(), "startsAt").orElse(null);
        if (startsAt != null && endsAt != null && !startsAt.isBefore(endsAt)) {
            problems.add(UserErrorCode.INVALID, "must be before endsAt", "startsAt");
        }
        person(command.owner(), "owner", problems);
        person(command.reason(), "reason", problems);
        room(draft, now, context.now(), problems);
        if (problems.count() > mistakes) {
            return;
        }
        FaultRuleConfig same = rule(command, now == null ? 0 : now.version(), fault, startsAt, endsAt);
        if (same.equals(now)) {
            draft.put(now, Change.UNCHANGED);
        } else {
            draft.put(rule(command, version, fault, startsAt, endsAt), now == null ? Change.CREATED : Change.UPDATED);
        }
    }

    private static FaultRuleConfig rule(
            PutFaultRule command, int version, Fault fault, Instant startsAt, Instant endsAt) {
        return new FaultRuleConfig(
                command.id(),
                version,
                command.scenario(),
                command.pool(),
                command.provider(),
                command.model(),
                fault,
                command.share(),
                startsAt,
                endsAt,
                command.owner(),
                command.reason());
    }

    private static void scope(Draft draft, PutFaultRule command, Problems problems) {
        if (command.scenario() != null && !draft.hasScenario(command.scenario())) {
            problems.add(UserErrorCode.NOT_FOUND, "the tenant has no such scenario", "scenario");
        }
        if (command.pool() != null
                && draft.visible(command.pool(), Catalog::pools).isEmpty()) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such pool", "pool");
        }
        if (command.provider() != null
                && draft.visible(command.provider(), Catalog::providers).isEmpty()) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such provider", "provider");
        }
        if (command.model() != null
                && draft.visible(command.model(), Catalog::models).isEmpty()) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such model", "model");
        }
    }

    /** The fault; null where its kind is missing or wrong. */
    private static Fault fault(PutFaultRule command, Problems problems) {
        FaultKind kind = problems.oneOf(FaultKind.class, command.fault(), "fault");
        if (kind == null) {
            return null;
        }
        belongs(WITH_RETRY_AFTER.contains(kind), command.retryAfter(), kind, "retryAfter", problems);
        belongs(WITH_DELAY.contains(kind), command.delay(), kind, "delay", problems);
        belongs(WITH_EVENTS.contains(kind), command.afterEvents(), kind, "afterEvents", problems);
        Duration retryAfter = problems.duration(command.retryAfter(), RETRY_AFTER_MAX, "retryAfter")
                .orElse(Duration.ZERO);
        Duration delay = problems.duration(command.delay(), DELAY_MAX, "delay").orElse(Duration.ZERO);
        if (WITH_DELAY.contains(kind)) {
            problems.present(command.delay(), "delay");
        }
        if (command.afterEvents() != null) {
            problems.range(command.afterEvents(), 0, EVENTS_MAX, "afterEvents");
        }
        return new Fault(
                kind,
                retryAfter.toMillis(),
                delay.toMillis(),
                command.afterEvents() == null ? -1 : command.afterEvents());
    }

    /** What a kind has no use for would be stored and then do nothing. */
    private static void belongs(boolean does, Object value, FaultKind kind, String member, Problems problems) {
        if (!does && value != null) {
            problems.add(UserErrorCode.INVALID, "says nothing about " + kind + "; leave it out", member);
        }
    }

    /** The end; null where it is missing or wrong. */
    private static Instant end(String text, Instant now, Problems problems) {
        if (text == null) {
            problems.add(
                    UserErrorCode.REQUIRED,
                    "is required: a fault must end by itself, at most 24 hours from now; name the time your drill is over",
                    "endsAt");
            return null;
        }
        Instant end = problems.instant(text, "endsAt").orElse(null);
        if (end != null && !end.isAfter(now)) {
            problems.add(UserErrorCode.INVALID, "lies in the past; name the time your drill is over", "endsAt");
        } else if (end != null && end.isAfter(now.plus(AHEAD_MAX))) {
            problems.add(
                    UserErrorCode.INVALID,
                    "lies more than 24 hours ahead; name an earlier time and put the rule again when it is over",
                    "endsAt");
        }
        return end;
    }

    private static void person(String text, String member, Problems problems) {
        if (problems.present(text, member)) {
            problems.name(text, member);
        }
    }

    private static void room(Draft draft, FaultRuleConfig now, Instant at, Problems problems) {
        var rules = draft.tree().faultRules().values();
        long running = rules.stream().filter(rule -> !rule.over(at)).count();
        if (running >= RUNNING_MAX && (now == null || now.over(at))) {
            problems.add(
                    UserErrorCode.LIMIT_EXCEEDED,
                    "the tenant has " + RUNNING_MAX + " fault rules that are not over, the most; end one first",
                    "id");
        } else if (now == null && rules.size() >= RULES_MAX) {
            problems.add(
                    UserErrorCode.LIMIT_EXCEEDED,
                    "the tenant has " + RULES_MAX + " fault rules, the most; put one that is over again",
                    "id");
        }
    }

    static void end(Draft draft, EndFaultRule command, DecisionContext context, Problems problems) {
        if (!problems.present(command.id(), "id")) {
            return;
        }
        FaultRuleConfig rule = draft.tree().faultRules().get(command.id());
        if (rule == null) {
            problems.add(UserErrorCode.NOT_FOUND, "the tenant has no such fault rule", "id");
        } else if (rule.over(context.now())) {
            draft.put(rule, Change.UNCHANGED);
        } else {
            draft.put(rule.ended(context.now()), Change.UPDATED);
        }
    }
}
