package io.sluice.data.request;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.drill.RungTally;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.health.LatencyHistogram;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RungFacts;
import io.sluice.tenants.routing.Start;
import io.sluice.tenants.routing.StartInput.RunningDrill;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What one drilled request found out about the rungs it tried. Pure. */
final class DrillOutcome {
    private DrillOutcome() {}

    /**
     * The tally of one request.
     *
     * @param start of its plan, with a drill
     * @param answeredBy the rung that answered; null where none did
     */
    static DrillTally tally(
            TenantId tenant,
            RouteInput input,
            Start start,
            List<AttemptRecord> attempts,
            String answeredBy,
            double durationMs) {
        RunningDrill drill = start.drill();
        List<RungTally> rungs = new ArrayList<>();
        for (int rung = 0; rung < input.ladder().size(); rung++) {
            int index = rung;
            RungFacts facts = input.ladder().get(rung);
            List<AttemptRecord> here =
                    attempts.stream().filter(attempt -> attempt.rung() == index).toList();
            boolean answered = facts.step().equals(answeredBy);
            if (answered || !here.isEmpty() || hadNoAnswer(input, start, rung, answeredBy)) {
                rungs.add(rung(facts.step(), here, answered, durationMs));
            }
        }
        return new DrillTally(
                tenant,
                drill.id(),
                input.scenario(),
                input.ladder().get(drill.rung()).step(),
                Instant.ofEpochMilli(drill.fromMs()),
                Instant.ofEpochMilli(drill.untilMs()),
                drill.share(),
                1,
                answeredBy == null ? 0 : 1,
                start.passedOver() ? 1 : 0,
                start.passedOver() ? List.of() : rungs);
    }

    /** Whether it is a static rung that was asked and had nothing to say, since one below it answered. */
    private static boolean hadNoAnswer(RouteInput input, Start start, int rung, String answeredBy) {
        boolean asked = input.ladder().get(rung).pool() == null
                && rung >= Math.max(start.switchRung(), start.drill().rung());
        return asked
                && input.ladder().stream()
                        .skip(rung + 1L)
                        .anyMatch(below -> below.step().equals(answeredBy));
    }

    private static RungTally rung(String step, List<AttemptRecord> attempts, boolean answered, double durationMs) {
        Map<FailureClass, Long> failures = new EnumMap<>(FailureClass.class);
        Money cost = Money.ZERO;
        for (AttemptRecord attempt : attempts) {
            if (attempt.failure() != null) {
                failures.merge(attempt.failure(), 1L, Long::sum);
            }
            cost = attempt.cost() == null ? cost : cost.plus(attempt.cost());
        }
        LatencyHistogram.Recorder latency = new LatencyHistogram.Recorder();
        if (answered) {
            latency.record(durationMs);
        }
        return new RungTally(step, 1, answered ? 1 : 0, failures, latency.drain(), cost);
    }
}
