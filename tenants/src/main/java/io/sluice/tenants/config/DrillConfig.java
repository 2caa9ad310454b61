package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.config.DrillSchedule.Window;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;

/**
 * An exercise of a lower rung: for a while a share of a scenario's READ requests starts at one rung, so that it is known to work
 * before it is needed (requirement C5).
 *
 * @param fromStep name of the rung at which drilled requests start; those above are out for them
 * @param share of requests by trace id, above 0 and at most 1
 * @param schedule when it runs by itself
 * @param owner who answers for it
 * @param reason for people
 * @param enabled whether the schedule counts; a start by hand always does
 * @param started by hand; null where it was not, or was stopped
 * @param stoppedAt scheduled windows that had begun by then are over; null where nobody stopped one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DrillConfig(
        String id,
        int version,
        String scenario,
        String fromStep,
        double share,
        DrillSchedule schedule,
        String owner,
        String reason,
        boolean enabled,
        Started started,
        Instant stoppedAt) {
    public DrillConfig {
        Objects.requireNonNull(id);
        Objects.requireNonNull(scenario);
        Objects.requireNonNull(fromStep);
        Objects.requireNonNull(schedule);
        Objects.requireNonNull(owner);
        Objects.requireNonNull(reason);
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("a share above 0 and at most 1");
        }
    }

    /** A run that somebody began by hand. */
    public record Started(Window window, double share) {}

    /** One run: its window and how many requests take part. */
    public record Run(Window window, double share) {}

    /** The run at {@code now}: the one begun by hand, else the scheduled one; empty where none runs. */
    public Optional<Run> runAt(Instant now, ZoneId zone) {
        if (started != null && started.window().holds(now)) {
            return Optional.of(new Run(started.window(), started.share()));
        }
        return scheduled(now, zone)
                .filter(window -> window.holds(now))
                .filter(window -> stoppedAt == null || window.from().isAfter(stoppedAt))
                .map(window -> new Run(window, share));
    }

    /** The scheduled window that runs at {@code now}, else the next one; empty where none will come. */
    public Optional<Window> scheduled(Instant now, ZoneId zone) {
        return enabled ? schedule.next(now, zone) : Optional.empty();
    }

    /** The same drill, begun by hand. */
    public DrillConfig begun(Started run) {
        return new DrillConfig(
                id, version + 1, scenario, fromStep, share, schedule, owner, reason, enabled, run, stoppedAt);
    }

    /** The same drill, with every run that had begun by {@code at} over. */
    public DrillConfig stopped(Instant at) {
        return new DrillConfig(id, version + 1, scenario, fromStep, share, schedule, owner, reason, enabled, null, at);
    }
}
