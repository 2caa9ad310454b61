package io.sluice.data.request;

import io.sluice.data.seeing.RequestMeters;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.Degradation;
import io.sluice.tenants.decision.QueueWait;
import io.sluice.tenants.decision.RecallRecord;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTenant;
import io.sluice.tenants.routing.RoutePlan;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import io.sluice.tenants.routing.Start;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Ends a request, once, however it ended: tells the caller what has to be told, counts, and hands the decision record over. For
 * one request on one event loop.
 */
final class Settlement {
    private static final Logger LOG = LoggerFactory.getLogger("io.sluice.request");

    private final PipelineParts parts;
    private final Planned planned;
    private final QueueStep queue;
    private final RequestMoney money;
    private final RequestMeters meters;
    private final ClientWatch client;
    private final Function<List<AttemptRecord>, RecallRecord> remembering;
    private final Runnable after;
    private boolean fromMemory;
    private boolean settled;

    /**
     * @param money null where the request costs nothing
     * @param remembering ends what is remembered of the request; gives what to record of that, null where nothing is
     * @param after runs at the very end, once
     */
    Settlement(
            PipelineParts parts,
            Planned planned,
            QueueStep queue,
            RequestMoney money,
            ClientWatch client,
            Function<List<AttemptRecord>, RecallRecord> remembering,
            Runnable after) {
        this.parts = parts;
        this.planned = planned;
        this.queue = queue;
        this.money = money;
        meters = parts.meters();
        this.client = client;
        this.remembering = remembering;
        this.after = after;
    }

    /** A rung answered; {@code model} null for a static one, {@code degraded} null for the first. */
    void answered(List<AttemptRecord> attempts, String step, String model, Degradation degraded) {
        if (degraded != null) {
            tell(step, model, degraded);
        }
        Identified request = planned.identified();
        Start start = planned.plan().start();
        boolean drilled = start != null && start.drill() != null && !start.passedOver();
        if (request.ladder() == request.scenario().ladder() && !drilled) { // not where the caller chose the pool
            parts.proofs()
                    .earnest(
                            request.caller().tenant().id(),
                            request.scenario().name(),
                            step,
                            request.arrival().at());
        }
        settle(attempts, step, model, "ok", 200, degraded);
    }

    /** An answer was given that had been given before: {@code outcome} says how it was found. */
    void remembered(String outcome, String step, String model) {
        fromMemory = true;
        settle(List.of(), step, model, outcome, 200, null);
    }

    /** A stream broke off after its commit point. */
    void incomplete(List<AttemptRecord> attempts, String step, String model) {
        settle(attempts, step, model, "incomplete", 200, null);
    }

    /** The caller left. */
    void abandoned(List<AttemptRecord> attempts, String step, String model) {
        settle(attempts, step, model, "client_abort", 0, null);
    }

    /**
     * The gateway itself failed, perhaps even after another of these methods was called. What was sent can not be taken back,
     * so a begun answer is cut instead of ended.
     */
    void broken(List<AttemptRecord> attempts, Throwable bug) {
        Reply.bug(planned.identified().arrival(), bug);
        if (!settled) {
            settle(attempts, null, null, Refusal.INTERNAL.code(), Refusal.INTERNAL.status(), null);
        }
    }

    /** Nobody answered; {@code status} overrides the refusal's own where it is not 0. */
    void refused(List<AttemptRecord> attempts, Stop stop, int status) {
        Arrival arrival = planned.identified().arrival();
        Reply.route(
                arrival.http().response(),
                new AnswerHead(
                        null,
                        null,
                        attempts.size(),
                        0,
                        Stops.switchedBy(planned),
                        overheadUs(attempts, sinceArrivalMs()),
                        null,
                        null,
                        false,
                        Attempts.faults(attempts, null)));
        Reply.refuse(arrival, stop, status);
        settle(
                attempts,
                null,
                null,
                stop.refusal().code(),
                status == 0 ? stop.refusal().status() : status,
                null);
    }

    private void settle(
            List<AttemptRecord> attempts, String step, String model, String outcome, int status, Degradation degraded) {
        if (settled) {
            throw new IllegalStateException("a request was settled twice");
        }
        settled = true;
        client.stop();
        if (planned.identified().admitted() != null) {
            planned.identified().admitted().used(attempts);
        }
        try {
            if (money != null) {
                money.settle(attempts);
            }
            keep(attempts, step, model, outcome, status, degraded);
        } finally {
            after.run();
        }
    }

    private void keep(
            List<AttemptRecord> attempts, String step, String model, String outcome, int status, Degradation degraded) {
        Identified request = planned.identified();
        Arrival arrival = request.arrival();
        double durationMs = sinceArrivalMs();
        RecallRecord recall = remembering.apply(attempts);
        count(attempts, step, outcome, durationMs, degraded != null);
        if (planned.plan().start() != null && !fromMemory) {
            startedBelow(planned.plan().start(), attempts, step, outcome, durationMs);
        }
        if (degraded != null) {
            countDegraded(step, degraded);
        }
        parts.log()
                .append(new DecisionRecord(
                        arrival.traceId(),
                        arrival.at(),
                        request.caller().key().tenant(),
                        request.caller().key().appId(),
                        request.caller().key().id(),
                        request.scenario().name(),
                        step,
                        model,
                        outcome,
                        status,
                        durationMs,
                        overheadUs(attempts, durationMs),
                        recall != null && recall.firstTraceId() != null ? Money.ZERO : cost(attempts),
                        planned.input(),
                        planned.plan(),
                        attempts,
                        recall,
                        request.lane(),
                        queue.waits(),
                        degraded,
                        request.admitted() == null ? null : request.admitted().record(),
                        money == null ? null : money.uncovered(),
                        request.context(),
                        request.prompt().record(request.chat().facts())));
    }

    private double sinceArrivalMs() {
        return (System.nanoTime() - planned.identified().arrival().startNs()) / 1e6;
    }

    /** What of {@code durationMs} went neither to upstreams nor to waiting for them. */
    private long overheadUs(List<AttemptRecord> attempts, double durationMs) {
        double elsewhereMs = queue.waitedMs() + Attempts.pausedMs(attempts, durationMs);
        for (AttemptRecord attempt : attempts) {
            elsewhereMs += attempt.totalMs();
        }
        return Math.max(0, (long) ((durationMs - elsewhereMs) * 1_000));
    }

    private void startedBelow(
            Start start, List<AttemptRecord> attempts, String step, String outcome, double durationMs) {
        TenantId tenant = planned.identified().caller().tenant().id();
        String scenario = planned.identified().scenario().name();
        if (start.switchId() != null) {
            meters.switched(tenant.value(), scenario, step);
        }
        if (start.drill() != null) {
            boolean answered = outcome.equals("ok");
            meters.drilled(tenant.value(), scenario, start.passedOver() ? null : step, answered);
            parts.drills()
                    .ended(DrillOutcome.tally(
                            tenant, planned.input(), start, attempts, answered ? step : null, durationMs));
        }
    }

    private void countDegraded(String step, Degradation degraded) {
        int rung = planned.descentsTo(step);
        meters.descended(step, degraded.kind(), rung);
        CompiledRung answered = planned.identified().ladder().get(rung);
        String kind = answered.fold(pool -> null, cache -> "cache", rules -> "rules", text -> "text");
        if (kind != null) {
            String tenant = planned.identified().caller().tenant().id().value();
            meters.answeredStatically(tenant, planned.identified().scenario().name(), kind);
        }
    }

    private void tell(String step, String model, Degradation degraded) {
        LOG.atInfo()
                .addKeyValue("trace", planned.identified().arrival().traceId())
                .addKeyValue(
                        "tenant", planned.identified().caller().tenant().id().value())
                .addKeyValue("scenario", planned.identified().scenario().name())
                .addKeyValue("step", step)
                .addKeyValue("target", model)
                .addKeyValue("reason", degraded.reason())
                .addKeyValue("givenUp", String.join(", ", degraded.givenUp()))
                .log("A lower rung answered");
    }

    private void count(List<AttemptRecord> attempts, String step, String outcome, double durationMs, boolean degraded) {
        CompiledTenant tenant = planned.identified().caller().tenant();
        String scenario = planned.identified().scenario().name();
        meters.request(tenant.id().value(), scenario, step, outcome, durationMs);
        for (QueueWait wait : queue.waits()) {
            meters.waited(planned.identified().lane(), wait.end(), wait.waitedMs());
        }
        for (Excluded out : planned.plan().excluded()) {
            if (out.reason() == RoutePlan.Reason.NO_QUOTA) {
                meters.withoutQuota(planned.input()
                        .ladder()
                        .get(out.rung())
                        .targets()
                        .get(out.target())
                        .key());
            }
        }
        boolean answered = outcome.equals("ok");
        boolean repeated = false;
        boolean elsewhere = false;
        for (int i = 0; i < attempts.size(); i++) {
            AttemptRecord attempt = attempts.get(i);
            String target = attempt.provider() + "/" + attempt.model();
            meters.attempt(target, attempt.failure(), i == 0, attempt.totalMs());
            if (attempt.usage().promptTotal() + attempt.usage().outputTotal() > 0) {
                meters.spend(tenant.id().value(), target, attempt.usage(), attempt.cost());
            }
            if (attempt.struckBy() != null) {
                meters.faultInjected(attempt.fault().kind());
            }
            if (attempt.failure() != null) {
                report(attempt);
            }
            if (attempt.next() != null && attempt.next().stoppedByRetryBudget()) {
                meters.retryBudgetExhausted(
                        planned.input().ladder().get(attempt.rung()).pool());
            }
            if (i > 0) {
                AttemptRecord before = attempts.get(i - 1);
                boolean same = before.rung() == attempt.rung() && before.target() == attempt.target();
                repeated |= same;
                elsewhere |= !same;
            }
        }
        boolean byText = answered
                && degraded
                && (attempts.isEmpty() || attempts.get(attempts.size() - 1).failure() != null);
        if (repeated) {
            meters.retried(answered && !elsewhere && !byText);
        }
        if (elsewhere || byText) {
            meters.fellBack(answered);
        }
    }

    private void report(AttemptRecord attempt) {
        FailureClass failure = attempt.failure();
        LoggingEventBuilder line = failure.alerts() ? LOG.atWarn() : LOG.atInfo();
        if (attempt.struckBy() != null) {
            line = line.addKeyValue("fault", attempt.struckBy());
        }
        line.addKeyValue("trace", planned.identified().arrival().traceId())
                .addKeyValue(
                        "tenant", planned.identified().caller().tenant().id().value())
                .addKeyValue("scenario", planned.identified().scenario().name())
                .addKeyValue("target", attempt.provider() + "/" + attempt.model())
                .addKeyValue("attempt", attempt.n())
                .addKeyValue("failure", failure.name())
                .addKeyValue("status", attempt.upstreamStatus())
                .addKeyValue("detail", attempt.detail())
                .log("An attempt failed");
    }

    /** What all attempts cost together; null where one that used tokens has no price, or none was made. */
    static Money cost(List<AttemptRecord> attempts) {
        Money sum = attempts.isEmpty() ? null : Money.ZERO;
        for (AttemptRecord attempt : attempts) {
            if (attempt.cost() == null) {
                return null;
            }
            sum = sum.plus(attempt.cost());
        }
        return sum;
    }
}
