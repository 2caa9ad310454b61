package io.sluice.control.drill;

import io.sluice.control.drill.DrillStore.Pages;
import io.sluice.control.drill.Proven.Rung;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.drill.DrillTally;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What drills found out and when each rung last answered. Written by {@link DrillActor} only; read from any thread.
 */
public final class DrillBook {
    /** Three years of monthly runs. */
    static final int RUNS_MAX = 36;

    private final Map<DrillTally.Run, DrillTally> runs = new ConcurrentHashMap<>();
    private final Map<Rung, Proven> proofs = new ConcurrentHashMap<>();
    private final Set<DrillTally.Run> unsavedRuns = new HashSet<>();
    private final Set<Rung> unsavedProofs = new HashSet<>();
    private final List<DrillTally.Run> gone = new ArrayList<>();

    /** Takes what was kept. Before the first message. */
    void fill(Pages kept) {
        kept.runs().forEach(tally -> runs.put(tally.run(), tally));
        kept.proofs().forEach(proven -> proofs.put(proven.rung(), proven));
    }

    /** Adds figures of a run. */
    void add(DrillTally tally) {
        runs.merge(tally.run(), tally, DrillTally::plus);
        unsavedRuns.add(tally.run());
        List<DrillTally> ofDrill = runs(tally.tenant(), tally.drill());
        for (DrillTally old : ofDrill.subList(Math.min(RUNS_MAX, ofDrill.size()), ofDrill.size())) {
            runs.remove(old.run());
            unsavedRuns.remove(old.run());
            gone.add(old.run());
        }
    }

    /** The run that was under way was stopped. */
    void stopped(TenantId tenant, String drill, Instant at) {
        for (DrillTally tally : runs(tenant, drill)) {
            DrillTally shorter = tally.stopped(at);
            if (!shorter.equals(tally)) {
                runs.put(tally.run(), shorter);
                unsavedRuns.add(tally.run());
            }
        }
    }

    /** Remembers that a rung answered, unless it is known to have done so later. */
    void add(Proven proven) {
        Proven before = proofs.get(proven.rung());
        if (before == null || proven.at().isAfter(before.at())) {
            proofs.put(proven.rung(), proven);
            unsavedProofs.add(proven.rung());
        }
    }

    /** What has changed since the last call. */
    Pages takeUnsaved() {
        Pages changed = new Pages(
                unsavedRuns.stream().map(runs::get).toList(),
                unsavedProofs.stream().map(proofs::get).toList());
        unsavedRuns.clear();
        unsavedProofs.clear();
        return changed;
    }

    /** Runs that are not kept any longer, since the last call. */
    List<DrillTally.Run> takeGone() {
        List<DrillTally.Run> taken = List.copyOf(gone);
        gone.clear();
        return taken;
    }

    /** What could not be saved is due again. */
    void saveAgain(Pages changed, List<DrillTally.Run> old) {
        changed.runs().stream().map(DrillTally::run).filter(runs::containsKey).forEach(unsavedRuns::add);
        changed.proofs().forEach(proven -> unsavedProofs.add(proven.rung()));
        gone.addAll(old);
    }

    /** The runs of a drill, newest first. */
    public List<DrillTally> runs(TenantId tenant, String drill) {
        return runs.values().stream()
                .filter(tally -> tally.tenant().equals(tenant) && tally.drill().equals(drill))
                .sorted(Comparator.comparing(DrillTally::from).reversed())
                .toList();
    }

    /** When a rung last answered, as far as is known. */
    public Optional<Proven> proof(Rung rung) {
        return Optional.ofNullable(proofs.get(rung));
    }
}
