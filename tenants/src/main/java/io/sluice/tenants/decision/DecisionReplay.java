package io.sluice.tenants.decision;

import io.sluice.tenants.routing.AttemptDecider;
import io.sluice.tenants.routing.RouteDecider;
import io.sluice.tenants.routing.RoutePlan;
import java.util.ArrayList;
import java.util.List;

/** Makes the decisions of a record again. */
public final class DecisionReplay {
    private DecisionReplay() {}

    /** Every way in which the decisions made now from the recorded inputs differ from the recorded ones; empty is right. */
    public static List<String> differences(DecisionRecord record) {
        List<String> differences = new ArrayList<>();
        RoutePlan again = RouteDecider.decide(record.input());
        if (!again.equals(record.plan())) {
            differences.add("plan: recorded " + record.plan() + ", now " + again);
        }
        for (AttemptRecord attempt : record.attempts()) {
            if (attempt.next() != null) {
                AttemptDecider.Verdict verdict = AttemptDecider.decide(attempt.next());
                if (verdict != attempt.verdict()) {
                    differences.add("attempt " + attempt.n() + ": recorded " + attempt.verdict() + ", now " + verdict);
                }
            }
        }
        return differences;
    }
}
