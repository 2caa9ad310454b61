package io.sluice.data.request;

import io.sluice.data.limit.QuotaPermit;
import io.sluice.data.limit.UpstreamQuotas;
import io.sluice.data.pool.PoolGauges;
import io.sluice.data.pool.Pools;
import io.sluice.data.pool.RetryBudget;
import io.sluice.data.pool.TargetGauge;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultDraw;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.routing.CompiledPool;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.RoutePlan.Candidate;

/**
 * Lets the calls of one request into their pools: a call needs money, a permit of its target, quota of its
 * account and, where the request has called the pool before, a place in the pool's retry budget. What is taken is given back by {@link AttemptRun#release}.
 */
final class Admission {
    private final Pools pools;
    private final UpstreamQuotas quotas;
    private final Planned planned;
    private final Attempts attempts;
    private final QueueStep queue;
    private final RequestMoney money;

    /** @param attempts those that are over */
    Admission(
            Pools pools,
            UpstreamQuotas quotas,
            Planned planned,
            QueueStep queue,
            RequestMoney money,
            Attempts attempts) {
        this.pools = pools;
        this.quotas = quotas;
        this.planned = planned;
        this.attempts = attempts;
        this.queue = queue;
        this.money = money;
    }

    /**
     * Whether the pool's retry budget lets this request call it.
     *
     * @param last attempt, over or ending; null before the first
     */
    boolean callable(CompiledPool pool, AttemptRun last) {
        return !called(pool, last) || pools.gauges(pool.id()).retries().left(pools.nowMs(), pool.permits());
    }

    private boolean called(CompiledPool pool, AttemptRun last) {
        return last != null && (last.rung().pool().id().equals(pool.id()) || attempts.called(pool));
    }

    /** The next attempt, with all it needs; null where it may not start now, then nothing was taken. */
    AttemptRun admit(Candidate candidate, CompiledRung.Pool rung, AttemptRun last, double startedMs) {
        CompiledTarget target = rung.pool().targets().get(candidate.target());
        if (!money.covers(target)) {
            return null;
        }
        PoolGauges gauges = pools.gauges(rung.pool().id());
        TargetGauge gauge = gauges.of(target.key());
        boolean retry = called(rung.pool(), last);
        if (retry && !callable(rung.pool(), last)) {
            return null;
        }
        boolean early = !queue.take(candidate, target, gauges.room(), gauge);
        if (early
                && !(returning(candidate)
                        && gauges.tryAcquireEarly(
                                gauge,
                                target.concurrencyMax(),
                                planned.identified().lane()))) {
            return null;
        }
        return begin(candidate, rung, gauge, retry, early, startedMs);
    }

    /** The attempt that waited for its permit; null where it may not start, then the permit is given back. */
    AttemptRun afterWait(Candidate candidate, TargetGauge gauge, AttemptRun last, double startedMs) {
        CompiledRung.Pool rung =
                (CompiledRung.Pool) planned.identified().ladder().get(candidate.rung());
        if (!money.covers(rung.pool().targets().get(candidate.target()))) {
            gauge.release(planned.identified().lane());
            return null;
        }
        return begin(candidate, rung, gauge, called(rung.pool(), last), false, startedMs);
    }

    private AttemptRun begin(
            Candidate candidate,
            CompiledRung.Pool rung,
            TargetGauge gauge,
            boolean retry,
            boolean early,
            double startedMs) {
        CompiledTarget target = rung.pool().targets().get(candidate.target());
        RetryBudget retries = pools.gauges(rung.pool().id()).retries();
        Lane lane = planned.identified().lane();
        int n = attempts.made() + 1;
        FaultDraw draw = FaultStep.draw(planned, n, rung, target, startedMs);
        Fault fault = FaultStep.fault(planned, draw);
        boolean charged = !FaultStep.needsNoPermit(rung, fault);
        boolean sent = fault == null || !fault.standsIn();
        QuotaPermit quota = sent ? quotas.tryTake(target, PlanStep.tokens(planned.identified(), target)) : null;
        if (sent && quota == null) {
            gauge.release(lane);
            return null;
        }
        if (charged && !charge(retries, retry, rung.pool().permits())) {
            if (quota != null) {
                quotas.unsent(quota);
            }
            gauge.release(lane);
            return null;
        }
        AttemptRun run = new AttemptRun(
                n,
                candidate,
                rung,
                target,
                gauge,
                lane,
                retry,
                charged && retry ? retries : null,
                early,
                startedMs,
                draw,
                fault,
                quota);
        if (!charged) {
            run.release();
        }
        return run;
    }

    private boolean charge(RetryBudget retries, boolean retry, int permits) {
        if (retry) {
            return retries.tryTake(pools.nowMs(), permits);
        }
        retries.entered(pools.nowMs());
        return true;
    }

    /** Whether the plan asks an open target because nothing else is left. */
    private boolean returning(Candidate candidate) {
        return planned.input()
                        .ladder()
                        .get(candidate.rung())
                        .targets()
                        .get(candidate.target())
                        .breaker()
                == BreakerState.RETURNING;
    }
}
