package io.sluice.tenants.budget;

import io.sluice.tenants.config.BudgetBand;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The band of one cap and how it came to it.
 *
 * @param since when it began
 * @param opens of the period it was decided for
 * @param limits it was decided by
 * @param changes when it changed within the last hour, oldest first
 * @param begun how often each band has begun in this period; a band that is not there never did
 */
public record BandState(
        BudgetBand band,
        Instant since,
        Instant opens,
        BandLimits limits,
        List<Instant> changes,
        Map<BudgetBand, Integer> begun) {
    public BandState {
        Objects.requireNonNull(band);
        Objects.requireNonNull(since);
        changes = List.copyOf(changes);
        begun = Map.copyOf(begun);
    }

    /** How often the present band has begun in this period. */
    public int begunNow() {
        return begun.getOrDefault(band, 0);
    }
}
