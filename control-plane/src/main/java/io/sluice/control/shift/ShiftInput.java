package io.sluice.control.shift;

import io.sluice.control.shift.ImpactDecider.Judgement;
import io.sluice.tenants.shift.Trouble;
import java.util.List;

/**
 * What a step of a shift depends on beside its state.
 *
 * @param enabled whether the scenario allows that its traffic is shifted
 * @param troubles of the first rung now
 * @param well whether it is known that nothing is wrong with the first rung
 * @param primary what the first rung's latest calls say, judged as those of a substitute are
 * @param baselineP95Ms what the first rung usually needs; 0 where unknown
 * @param candidates the impact table with what is known of each rung, in the order in which they are tried
 */
record ShiftInput(
        boolean enabled,
        List<Trouble> troubles,
        boolean well,
        Judgement primary,
        double baselineP95Ms,
        List<Candidate> candidates) {
    ShiftInput {
        troubles = List.copyOf(troubles);
        candidates = List.copyOf(candidates);
    }

    /**
     * A rung that may stand in.
     *
     * @param latest what its latest calls say
     * @param lasting what all its calls say that are remembered
     */
    record Candidate(String step, Judgement latest, Judgement lasting) {}
}
