package io.sluice.control.config;

import io.sluice.control.api.ConfigCommand.PutDrill;
import io.sluice.control.api.ConfigCommand.StartDrill;
import io.sluice.control.api.ConfigCommand.StopDrill;
import io.sluice.control.config.ObjectChange.Change;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.DrillConfig.Started;
import io.sluice.tenants.config.DrillSchedule;
import io.sluice.tenants.config.DrillSchedule.Monthly;
import io.sluice.tenants.config.DrillSchedule.Once;
import io.sluice.tenants.config.DrillSchedule.Window;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.UserErrorCode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.util.Optional;

/** Drills: their schedules, and runs begun and stopped by hand. */
final class DrillChecks {
    /** A drill is an exercise, not a way of running. */
    static final Duration WINDOW_MAX = Duration.ofHours(24);

    /** What is begun by hand is watched by whoever began it, and nobody watches for longer. */
    static final Duration STARTED_MAX = Duration.ofHours(1);

    /** Who plans further ahead forgets it; a year and a day of grace. */
    static final Duration ONCE_AHEAD_MAX = Duration.ofDays(366);

    /** Each of them is looked at by every request of its scenario. */
    static final int DRILLS_MAX = 200;

    private DrillChecks() {}

    static void put(Draft draft, PutDrill command, Instant now, Problems problems) {
        int mistakes = problems.count();
        boolean named = problems.id(command.id(), "id");
        DrillConfig present = named ? draft.tree().drills().get(command.id()) : null;
        rung(draft, command, problems);
        if (problems.present(command.share(), "share")) {
            share(command.share(), problems);
        }
        DrillSchedule schedule = schedule(command, now, problems);
        StartChecks.words(command.owner(), "owner", problems);
        StartChecks.words(command.reason(), "reason", problems);
        problems.notNull(command.enabled(), "enabled");
        if (present == null && draft.tree().drills().size() >= DRILLS_MAX) {
            problems.add(UserErrorCode.LIMIT_EXCEEDED, "the tenant has the most drills it can have", "id");
        }
        boolean same = present != null
                && problems.count() == mistakes
                && present.equals(made(command, present.version(), schedule, present));
        int version = named
                ? problems.nextVersion(
                        command.version(), present == null ? 0 : present.version(), draft.document() || same)
                : 0;
        if (problems.count() > mistakes) {
            return;
        }
        draft.put(
                same ? present : made(command, version, schedule, present),
                present == null ? Change.CREATED : same ? Change.UNCHANGED : Change.UPDATED);
    }

    /** A run that somebody began goes on: only {@link #stop} ends it. */
    private static DrillConfig made(PutDrill command, int version, DrillSchedule schedule, DrillConfig present) {
        return new DrillConfig(
                command.id(),
                version,
                command.scenario(),
                command.fromStep(),
                command.share(),
                schedule,
                command.owner(),
                command.reason(),
                command.enabled(),
                present == null ? null : present.started(),
                present == null ? null : present.stoppedAt());
    }

    private static void rung(Draft draft, PutDrill command, Problems problems) {
        boolean named = problems.present(command.scenario(), "scenario");
        boolean step = problems.present(command.fromStep(), "fromStep");
        if (!named) {
            return;
        }
        StartChecks.steps(draft, command.scenario(), problems).ifPresent(steps -> {
            ScenarioConfig scenario = draft.tree().scenarios().get(command.scenario());
            if (!scenario.kind().mayDescend()) {
                problems.add(
                        UserErrorCode.INVALID,
                        "its requests are " + scenario.kind() + " and never descend, so there is nothing to exercise",
                        "scenario");
            }
            if (step && !steps.contains(command.fromStep())) {
                problems.add(
                        UserErrorCode.NOT_FOUND, "the scenario's rungs are " + String.join(", ", steps), "fromStep");
            }
        });
    }

    private static boolean share(double share, Problems problems) {
        boolean valid = share > 0 && share <= 1;
        if (!valid) {
            problems.add(UserErrorCode.INVALID, "must be above 0 and at most 1, which is every request", "share");
        }
        return valid;
    }

    private static DrillSchedule schedule(PutDrill command, Instant now, Problems problems) {
        if (command.once() != null && command.monthly() != null) {
            problems.add(UserErrorCode.INVALID, "give once or monthly, not both", "monthly");
            return null;
        }
        if (command.once() != null) {
            return once(command.once(), now, problems.at("once"));
        }
        return command.monthly() == null ? DrillSchedule.DEFAULT : monthly(command.monthly(), problems.at("monthly"));
    }

    private static DrillSchedule once(PutDrill.Once typed, Instant now, Problems problems) {
        problems.present(typed.from(), "from");
        problems.present(typed.until(), "until");
        Optional<Instant> from = problems.instant(typed.from(), "from");
        Optional<Instant> until = problems.instant(typed.until(), "until");
        if (from.isEmpty() || until.isEmpty()) {
            return null;
        }
        if (!until.get().isAfter(now)) {
            problems.add(
                    UserErrorCode.INVALID, "lies in the past: it is " + now + " now; name a time to come", "until");
            return null;
        }
        if (!until.get().isAfter(from.get()) || until.get().isAfter(from.get().plus(WINDOW_MAX))) {
            problems.add(
                    UserErrorCode.INVALID, "must be after from, and at most " + WINDOW_MAX.toHours() + " h", "until");
            return null;
        }
        if (until.get().isAfter(now.plus(ONCE_AHEAD_MAX))) {
            problems.add(
                    UserErrorCode.INVALID,
                    "lies more than " + ONCE_AHEAD_MAX.toDays()
                            + " days ahead; name an earlier time, or put the drill then",
                    "until");
            return null;
        }
        return new Once(from.get(), until.get());
    }

    private static DrillSchedule monthly(PutDrill.Monthly typed, Problems problems) {
        boolean day = problems.range(typed.day(), 1, Monthly.DAY_MAX, "day");
        LocalTime at = null;
        if (problems.present(typed.at(), "at")) {
            try {
                at = LocalTime.parse(typed.at());
            } catch (DateTimeException notOne) {
                problems.add(UserErrorCode.INVALID, "must be a time of day such as 10:00", "at");
            }
        }
        problems.present(typed.duration(), "duration");
        Optional<Duration> duration = problems.duration(typed.duration(), WINDOW_MAX, "duration");
        return day && at != null && duration.isPresent() ? new Monthly(typed.day(), at, duration.get()) : null;
    }

    static void start(Draft draft, StartDrill command, Instant now, Problems problems) {
        int mistakes = problems.count();
        Optional<DrillConfig> drill = find(draft, command.id(), problems);
        if (command.share() != null) {
            share(command.share(), problems);
        }
        problems.present(command.duration(), "duration");
        Optional<Duration> duration = problems.duration(command.duration(), STARTED_MAX, "duration");
        drill.map(DrillConfig::scenario)
                .map(draft.tree().scenarios()::get)
                .filter(scenario ->
                        !StartChecks.steps(scenario).contains(drill.get().fromStep()))
                .ifPresent(scenario -> problems.add(
                        UserErrorCode.INVALID,
                        "the scenario has no rung " + drill.get().fromStep() + " any more; put the drill with another",
                        "id"));
        if (problems.count() > mistakes || drill.isEmpty() || duration.isEmpty()) {
            return;
        }
        double share = command.share() == null ? drill.get().share() : command.share();
        draft.put(drill.get().begun(new Started(new Window(now, now.plus(duration.get())), share)), Change.UPDATED);
    }

    /** Stopping what does not run changes nothing and is no mistake: two people may reach for the same drill. */
    static void stop(Draft draft, StopDrill command, Instant now, Problems problems) {
        find(draft, command.id(), problems).ifPresent(drill -> {
            boolean runs = drill.runAt(now, draft.tree().tenant().timeZone()).isPresent();
            draft.put(runs ? drill.stopped(now) : drill, runs ? Change.UPDATED : Change.UNCHANGED);
        });
    }

    private static Optional<DrillConfig> find(Draft draft, String id, Problems problems) {
        if (!problems.id(id, "id")) {
            return Optional.empty();
        }
        DrillConfig drill = draft.tree().drills().get(id);
        if (drill == null) {
            problems.add(UserErrorCode.NOT_FOUND, "there is no such drill; put it first", "id");
        }
        return Optional.ofNullable(drill);
    }
}
