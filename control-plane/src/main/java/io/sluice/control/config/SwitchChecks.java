package io.sluice.control.config;

import io.sluice.control.api.ConfigCommand.EndSwitch;
import io.sluice.control.api.ConfigCommand.PutSwitch;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.UserErrorCode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** Manual degradation switches. */
final class SwitchChecks {
    /** What is needed for longer is no emergency but another ladder. */
    static final Duration AHEAD_MAX = Duration.ofDays(30);

    /** Each of them is looked at by every request of its scenario. */
    static final int SWITCHES_MAX = 1_000;

    private SwitchChecks() {}

    static void put(Draft draft, PutSwitch command, Instant now, Problems problems) {
        int mistakes = problems.count();
        boolean named = problems.id(command.id(), "id");
        SwitchConfig present = named ? draft.tree().switches().get(command.id()) : null;
        int version = named
                ? problems.nextVersion(
                        command.version(),
                        present == null ? 0 : present.version(),
                        present != null && !present.activeAt(now))
                : 0;
        rung(draft, command, problems);
        StartChecks.words(command.owner(), "owner", problems);
        StartChecks.words(command.reason(), "reason", problems);
        Instant expiresAt = expiry(command.expiresAt(), now, problems);
        LocalDate reviewOn = review(command.reviewOn(), draft.tree().tenant().timeZone(), now, expiresAt, problems);
        if (present == null && draft.tree().switches().size() >= SWITCHES_MAX) {
            problems.add(
                    UserErrorCode.LIMIT_EXCEEDED,
                    "the tenant has the most switches it can have; put one that has ended again",
                    "id");
        }
        if (problems.count() > mistakes) {
            return;
        }
        SwitchConfig made = new SwitchConfig(
                command.id(),
                version,
                command.scenario(),
                command.fromStep(),
                command.owner(),
                command.reason(),
                expiresAt,
                reviewOn,
                null);
        draft.put(made, present == null ? Change.CREATED : Change.UPDATED);
    }

    private static void rung(Draft draft, PutSwitch command, Problems problems) {
        List<List<String>> ladders = command.scenario() == null
                ? draft.tree().scenarios().values().stream()
                        .map(StartChecks::steps)
                        .toList()
                : StartChecks.steps(draft, command.scenario(), problems).stream()
                        .toList();
        if (!problems.present(command.fromStep(), "fromStep") || (command.scenario() != null && ladders.isEmpty())) {
            return;
        }
        boolean known = ladders.stream().anyMatch(steps -> steps.contains(command.fromStep()));
        boolean below = ladders.stream().anyMatch(steps -> steps.indexOf(command.fromStep()) > 0);
        if (!known) {
            problems.add(
                    UserErrorCode.NOT_FOUND,
                    command.scenario() == null
                            ? "no scenario has such a rung"
                            : "the scenario's rungs are " + String.join(", ", ladders.get(0)),
                    "fromStep");
        } else if (!below) {
            problems.add(
                    UserErrorCode.INVALID,
                    "is the first rung, where requests start anyway; name the rung at which they are to start instead",
                    "fromStep");
        }
    }

    private static Instant expiry(String text, Instant now, Problems problems) {
        if (text == null) {
            problems.add(
                    UserErrorCode.REQUIRED,
                    "is required: a switch must end by itself, at most " + AHEAD_MAX.toDays()
                            + " days from now; name the time at which requests start at the first rung again",
                    "expiresAt");
            return null;
        }
        Optional<Instant> at = problems.instant(text, "expiresAt");
        if (at.isPresent() && !at.get().isAfter(now)) {
            problems.add(
                    UserErrorCode.INVALID,
                    "lies in the past, so the switch would do nothing: it is " + now + " now; name a time up to "
                            + AHEAD_MAX.toDays() + " days ahead",
                    "expiresAt");
            return null;
        }
        if (at.isPresent() && at.get().isAfter(now.plus(AHEAD_MAX))) {
            problems.add(
                    UserErrorCode.INVALID,
                    "lies more than " + AHEAD_MAX.toDays()
                            + " days ahead; what is needed for longer belongs into the scenario's ladder",
                    "expiresAt");
            return null;
        }
        return at.orElse(null);
    }

    private static LocalDate review(String text, ZoneId zone, Instant now, Instant expiresAt, Problems problems) {
        if (!problems.present(text, "reviewOn")) {
            return null;
        }
        LocalDate day;
        try {
            day = LocalDate.parse(text);
        } catch (DateTimeException notOne) {
            problems.add(UserErrorCode.INVALID, "must be a day, such as 2026-01-31", "reviewOn");
            return null;
        }
        LocalDate today = now.atZone(zone).toLocalDate();
        LocalDate last = expiresAt == null ? day : expiresAt.atZone(zone).toLocalDate();
        if (day.isBefore(today) || day.isAfter(last)) {
            problems.add(
                    UserErrorCode.INVALID,
                    "must be from today, " + today + " in " + zone + ", to the day on which the switch expires",
                    "reviewOn");
        }
        return day;
    }

    /** Ending what is over already changes nothing and is no mistake: two people may reach for the same switch. */
    static void end(Draft draft, EndSwitch command, Instant now, Problems problems) {
        if (!problems.id(command.id(), "id")) {
            return;
        }
        SwitchConfig present = draft.tree().switches().get(command.id());
        if (present == null) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such switch", "id");
        } else if (present.activeAt(now)) {
            draft.put(present.ended(now), Change.UPDATED);
        } else {
            draft.put(present, Change.UNCHANGED);
        }
    }
}
