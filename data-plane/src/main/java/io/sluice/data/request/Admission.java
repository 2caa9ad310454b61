package io.sluice.data.request;

import io.sluice.data.pool.PoolGauges;
import io.sluice.data.pool.Pools;
import io.sluice.data.pool.RetryBudget;
import io.sluice.data.pool.TargetGauge;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultDraw;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.routing.CompiledPool;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.RoutePlan.Candidate;

/**
 * Lets the calls of one request into their pools: a call needs a permit of its target and, where the request has called the pool
 * before, a place in the pool's retry budget. What is taken is given back by {@link AttemptRun#release}.
 */
final class Admission {
    private final Pools pools;
    private final Planned planned;
    private final Attempts attempts;

    /** @param attempts those that are over */
    Admission(Pools pools, Planned planned, Attempts attempts) {
        this.pools = pools;
        this.planned = planned;
        this.attempts = attempts;
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
        PoolGauges gauges = pools.gauges(rung.pool().id());
        TargetGauge gauge = gauges.of(target.key());
        boolean retry = called(rung.pool(), last);
        if (retry && !callable(rung.pool(), last)) {
            return null;
        }
        boolean early = !gauge.tryAcquire(target.concurrencyMax());
        if (early && !(returning(candidate) && gauges.tryAcquireEarly(gauge, target.concurrencyMax()))) {
            return null;
        }
        int n = attempts.made() + 1;
        FaultDraw draw = FaultStep.draw(planned, n, rung, target, startedMs);
        Fault fault = FaultStep.fault(planned, draw);
        boolean charged = !FaultStep.needsNoPermit(rung, fault);
        if (charged && !charge(gauges.retries(), retry, rung.pool().permits())) {
            gauge.release();
            return null;
        }
        AttemptRun run = new AttemptRun(
                n,
                candidate,
                rung,
                target,
                gauge,
                retry,
                charged && retry ? gauges.retries() : null,
                early,
                startedMs,
                draw,
                fault);
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
