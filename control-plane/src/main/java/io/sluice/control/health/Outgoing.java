package io.sluice.control.health;

import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.health.TargetState;
import io.sluice.tenants.health.TargetWindow;
import io.sluice.tenants.message.BusMessage.PoolReported;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What one node has to report to the owners of its pools: together, once a second for each owner, sooner where there is trouble, and
 * hardly ever of pools at rest. For one thread; times are milliseconds of one clock.
 */
final class Outgoing {
    /** Of a pool at rest the owner hears so often that it does not forget its targets, and so soon that a new owner learns of them. */
    static final long REST_MS = 30_000;

    /** Reports come once a second and pool. */
    static final long CALM_MS = 1_000;

    private final Map<ScopedId, Long> restingMs = new HashMap<>();
    private final List<PoolReported> reports = new ArrayList<>();
    private long oldestMs;
    private boolean urgent;

    /** Whether a report says anything that its pool's owner does not know; remembers that it was told. */
    boolean news(PoolReported report, long nowMs) {
        if (!atRest(report)) {
            restingMs.remove(report.pool());
            return true;
        }
        Long told = restingMs.get(report.pool());
        boolean due = told == null || nowMs - told >= REST_MS;
        if (due) {
            restingMs.put(report.pool(), nowMs);
        }
        return due;
    }

    private static boolean atRest(PoolReported report) {
        return report.queued() == 0 && report.targets().stream().allMatch(Outgoing::atRest);
    }

    private static boolean atRest(TargetWindow target) {
        return target.usable() == 0
                && target.failures().isEmpty()
                && target.inFlight() == 0
                && target.state() == TargetState.SERVING
                && target.local() == 1;
    }

    void add(PoolReported report, long nowMs) {
        oldestMs = reports.isEmpty() ? nowMs : oldestMs;
        reports.add(report);
        urgent |= report.targets().stream().anyMatch(target -> target.unusable() > 0);
    }

    /** What has to go now, by who owns the pools now; it is taken as told, also where nobody owns them. */
    Map<String, List<PoolReported>> due(Owners owners, long nowMs) {
        if (reports.isEmpty() || !(urgent || nowMs - oldestMs >= CALM_MS)) {
            return Map.of();
        }
        Map<String, List<PoolReported>> due = new HashMap<>();
        for (PoolReported report : reports) {
            owners.ownerOf(report.pool().key())
                    .ifPresent(owner -> due.computeIfAbsent(owner, first -> new ArrayList<>())
                            .add(report));
        }
        reports.clear();
        urgent = false;
        return due;
    }
}
