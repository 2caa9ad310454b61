package io.sluice.control.api;

import java.util.List;

/**
 * What would be chosen.
 *
 * @param refused code and reason where nothing could be chosen; null otherwise
 */
public record PlannedRoute(List<Candidate> candidates, String refused) {
    public PlannedRoute {
        candidates = List.copyOf(candidates);
    }

    /**
     * One target of the ladder.
     *
     * @param probability to be the rung's first choice, 0 to 1
     * @param reasons why it has that probability, or why it is out
     */
    public record Candidate(String step, String provider, String model, double probability, List<String> reasons) {}
}
