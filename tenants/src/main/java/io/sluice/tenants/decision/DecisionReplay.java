package io.sluice.tenants.decision;

import io.sluice.tenants.context.ContextCut;
import io.sluice.tenants.context.ContextDecider;
import io.sluice.tenants.fault.FaultDecider;
import io.sluice.tenants.fault.FaultDraw;
import io.sluice.tenants.limit.LimitDecider;
import io.sluice.tenants.limit.LimitVerdict;
import io.sluice.tenants.recall.CacheDecider;
import io.sluice.tenants.recall.IdempotencyDecider;
import io.sluice.tenants.routing.AttemptDecider;
import io.sluice.tenants.routing.QueueDecider;
import io.sluice.tenants.routing.RouteDecider;
import io.sluice.tenants.routing.RoutePlan;
import io.sluice.tenants.routing.RungFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

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
        if (record.limits() != null) {
            LimitVerdict refused = LimitDecider.decide(record.limits().input());
            if (refused != null) {
                differences.add("limits: recorded as admitted, now " + refused);
            }
        }
        if (record.context() != null) {
            ContextCut cut = ContextDecider.decide(record.context().input());
            if (!cut.equals(record.context().cut())) {
                differences.add("context: recorded " + record.context().cut() + ", now " + cut);
            }
        }
        if (record.recall() != null) {
            addRecall(record.recall(), differences);
        }
        for (AttemptRecord attempt : record.attempts()) {
            if (attempt.next() != null) {
                AttemptDecider.Verdict verdict = AttemptDecider.decide(attempt.next());
                if (verdict != attempt.verdict()) {
                    differences.add("attempt " + attempt.n() + ": recorded " + attempt.verdict() + ", now " + verdict);
                }
            }
            FaultDraw fault = attempt.fault();
            if (fault != null) {
                String struck = FaultDecider.struck(fault.odds(), record.traceId(), attempt.n());
                if (!Objects.equals(struck, fault.struck())) {
                    differences.add("attempt " + attempt.n() + ": recorded the fault of " + fault.struck() + ", now of "
                            + struck);
                }
            }
        }
        for (QueueWait wait : record.waits()) {
            long allowedMs = QueueDecider.decide(wait.input());
            if (allowedMs != wait.allowedMs()) {
                differences.add(
                        "wait at rung " + wait.rung() + ": recorded " + wait.allowedMs() + " ms, now " + allowedMs);
            }
        }
        if (record.degraded() != null) {
            checkDegradation(record, differences);
        }
        return differences;
    }

    private static void addRecall(RecallRecord recall, List<String> differences) {
        if (recall.idempotency() != null) {
            IdempotencyDecider.Verdict verdict = IdempotencyDecider.decide(recall.idempotency());
            if (verdict != recall.verdict()) {
                differences.add("idempotency: recorded " + recall.verdict() + ", now " + verdict);
            }
        }
        if (recall.cache() != null) {
            CacheDecider.Verdict verdict = CacheDecider.decide(recall.cache());
            if (verdict != recall.cacheVerdict()) {
                differences.add("cache: recorded " + recall.cacheVerdict() + ", now " + verdict);
            }
            RecallRecord.Stale stale = recall.stale();
            if (stale != null && stale.answered() != CacheDecider.mayAnswerStale(recall.cache(), stale.maxAgeMs())) {
                differences.add("cache rung: recorded " + stale + ", now the opposite");
            }
        }
        if (recall.end() != null) {
            IdempotencyDecider.Fate fate = IdempotencyDecider.end(recall.end());
            if (fate != recall.fate()) {
                differences.add("idempotency record: recorded " + recall.fate() + ", now " + fate);
            }
        }
    }

    private static void checkDegradation(DecisionRecord record, List<String> differences) {
        String reason = Degradation.reason(record.plan(), record.attempts(), record.waits(), record.uncovered());
        if (!reason.equals(record.degraded().reason())) {
            differences.add("degraded: recorded " + record.degraded().reason() + ", now " + reason);
        }
        for (RungFacts rung : record.input().ladder()) {
            if (rung.step().equals(record.step())
                    && !rung.givesUp().containsAll(record.degraded().givenUp())) {
                differences.add("degraded: the step gives up " + rung.givesUp() + ", recorded "
                        + record.degraded().givenUp());
            }
        }
    }
}
