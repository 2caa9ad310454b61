package io.sluice.tenants.drill;

import io.sluice.tenants.TenantId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one run of a drill found out, on one node or on all. Tallies of the same run add up in any order.
 *
 * @param step at which drilled requests start
 * @param from when the run began; with tenant and drill it names the run
 * @param until when it ends, or ended
 * @param share of requests that take part
 * @param requests that took part
 * @param answered those of them that were answered, by whichever rung
 * @param passedOver those that went their normal way, since no rung that the drill leaves could have taken them
 * @param rungs that were tried, in the order of the ladder
 */
public record DrillTally(
        TenantId tenant,
        String drill,
        String scenario,
        String step,
        Instant from,
        Instant until,
        double share,
        long requests,
        long answered,
        long passedOver,
        List<RungTally> rungs) {
    public DrillTally {
        Objects.requireNonNull(tenant);
        Objects.requireNonNull(drill);
        Objects.requireNonNull(from);
        rungs = List.copyOf(rungs);
    }

    /** Which run it is. */
    public Run run() {
        return new Run(tenant, drill, from);
    }

    /** One run of a drill. */
    public record Run(TenantId tenant, String drill, Instant from) {}

    /** The same run, over at {@code at}; unchanged where it was not under way then, or {@code at} is null. */
    public DrillTally stopped(Instant at) {
        if (at == null || at.isBefore(from) || !at.isBefore(until)) {
            return this;
        }
        return new DrillTally(tenant, drill, scenario, step, from, at, share, requests, answered, passedOver, rungs);
    }

    /** Both together; what is told of the run itself is the newer one's. */
    public DrillTally plus(DrillTally newer) {
        Map<String, RungTally> sum = new LinkedHashMap<>();
        for (RungTally rung : rungs) {
            sum.put(rung.step(), rung);
        }
        for (RungTally rung : newer.rungs) {
            sum.merge(rung.step(), rung, RungTally::plus);
        }
        return new DrillTally(
                tenant,
                drill,
                newer.scenario,
                newer.step,
                from,
                newer.until,
                newer.share,
                requests + newer.requests,
                answered + newer.answered,
                passedOver + newer.passedOver,
                new ArrayList<>(sum.values()));
    }
}
