package io.sluice.data.request;

import io.sluice.data.pool.Pools;
import io.sluice.data.pool.TargetGauge;
import io.sluice.data.pool.Waiting;
import io.sluice.data.pool.WaitingRoom;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.decision.QueueWait;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.QueueDecider;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import io.sluice.tenants.routing.RoutePlan.Reason;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Gets a request its permits: at once where one is free and nobody waits, else from the queue of the pool, once per rung
 * (requirement B3). A rung is waited for where it has targets that could serve the request but are busy, and none that could be
 * tried. For one request on one event loop.
 */
final class QueueStep {
    private final Context home;
    private final Pools pools;
    private final Planned planned;
    private final Lane lane;
    private final List<QueueWait> waits = new ArrayList<>(0);
    private List<Candidate> busy = List.of();
    private int rungsSeen;
    private long waitedMs;
    private long retryAfterMs;
    private Stay stay;

    /** One wait while it lasts. */
    private record Stay(
            int rung,
            CompiledRung.Pool pool,
            List<Candidate> candidates,
            QueueDecider.Input input,
            long allowedMs,
            double startedMs,
            Waiting waiting) {}

    /** @param home the request's event loop */
    QueueStep(Context home, Pools pools, Planned planned) {
        this.home = home;
        this.pools = pools;
        this.planned = planned;
        lane = planned.identified().lane();
    }

    /**
     * Takes a permit that is free, unless others wait for one and this request has not waited yet; where it is busy that is
     * remembered.
     */
    boolean take(Candidate candidate, CompiledTarget target, WaitingRoom room, TargetGauge gauge) {
        boolean behindOthers = waits.isEmpty() && room.crowded(lane);
        boolean taken = !behindOthers && gauge.tryAcquire(target.concurrencyMax(), lane);
        if (!taken && gauge.breaker() == BreakerState.CLOSED) {
            busy = busy.isEmpty() ? new ArrayList<>(2) : busy;
            busy.add(candidate);
        }
        return taken;
    }

    /**
     * Begins to wait for the next rung above {@code rung} that is worth it.
     *
     * @param remainingMs of the deadline
     * @param attempts made so far; a rung that was tried is not waited for
     * @param go called once, later, on the request's loop: with the candidate whose permit it has now, or null
     * @return false where there is none
     */
    boolean waitAbove(int rung, long remainingMs, Attempts attempts, BiConsumer<Candidate, TargetGauge> go) {
        for (; rungsSeen < rung; rungsSeen++) {
            if (planned.identified().ladder().get(rungsSeen) instanceof CompiledRung.Pool pool
                    && !attempts.anyOn(rungsSeen)) {
                List<Candidate> candidates = busyOn(rungsSeen);
                QueueDecider.Input input = new QueueDecider.Input(
                        lane, remainingMs, pool.minRemainingMs(), pools.realtimeWaitMaxMs(), waitedMs);
                long allowedMs = candidates.isEmpty() ? 0 : QueueDecider.decide(input);
                if (allowedMs > 0) {
                    enter(rungsSeen++, pool, candidates, input, allowedMs, go);
                    return true;
                }
            }
        }
        return false;
    }

    private List<Candidate> busyOn(int rung) {
        List<Candidate> candidates = new ArrayList<>(2);
        for (Candidate candidate : busy) {
            if (candidate.rung() == rung) {
                candidates.add(candidate);
            }
        }
        for (Excluded out : planned.plan().excluded()) {
            if (out.rung() == rung && out.reason() == Reason.SATURATED) {
                candidates.add(new Candidate(rung, out.target(), 0)); // it was not drawn
            }
        }
        return candidates;
    }

    private void enter(
            int rung,
            CompiledRung.Pool pool,
            List<Candidate> candidates,
            QueueDecider.Input input,
            long allowedMs,
            BiConsumer<Candidate, TargetGauge> go) {
        List<Waiting.Choice> choices = new ArrayList<>(candidates.size());
        for (Candidate candidate : candidates) {
            CompiledTarget target = pool.pool().targets().get(candidate.target());
            TargetGauge gauge = pools.gauges(pool.pool().id()).of(target.key());
            choices.add(new Waiting.Choice(gauge, target.concurrencyMax()));
        }
        Waiting waiting = new Waiting(lane, choices, allowedMs, home, turn -> told(turn, candidates, choices, go));
        stay = new Stay(rung, pool, candidates, input, allowedMs, sinceArrivalMs(), waiting);
        room(stay).enter(waiting);
    }

    private WaitingRoom room(Stay of) {
        return pools.gauges(of.pool().pool().id()).room();
    }

    private void told(
            Waiting.Turn turn,
            List<Candidate> candidates,
            List<Waiting.Choice> choices,
            BiConsumer<Candidate, TargetGauge> go) {
        TargetGauge gauge =
                turn.choice() < 0 ? null : choices.get(turn.choice()).gauge();
        if (stay == null) { // it left while it was being told
            if (gauge != null) {
                gauge.release(lane);
            }
            return;
        }
        Candidate candidate = gauge == null ? null : candidates.get(turn.choice());
        retryAfterMs = turn.retryAfterMs();
        end(end(turn.end()), candidate == null ? -1 : candidate.target());
        go.accept(candidate, gauge);
    }

    private static QueueWait.End end(Waiting.End end) {
        return switch (end) {
            case SERVED -> QueueWait.End.SERVED;
            case EXPIRED -> QueueWait.End.EXPIRED;
            case SHED -> QueueWait.End.SHED;
            case FULL -> QueueWait.End.FULL;
        };
    }

    private void end(QueueWait.End end, int target) {
        double ms = sinceArrivalMs() - stay.startedMs();
        waitedMs += (long) ms;
        waits.add(new QueueWait(
                stay.rung(), stay.pool().name(), target, stay.startedMs(), ms, end, stay.input(), stay.allowedMs()));
        stay = null;
    }

    /** The request is over: where it waits it goes. */
    void leave() {
        if (stay != null) {
            room(stay).leave(stay.waiting());
            end(QueueWait.End.LEFT, -1);
        }
    }

    private double sinceArrivalMs() {
        return (System.nanoTime() - planned.identified().arrival().startNs()) / 1e6;
    }

    /** The waits that are over. */
    List<QueueWait> waits() {
        return waits;
    }

    /** Of all waits. */
    double waitedMs() {
        double sum = 0;
        for (QueueWait wait : waits) {
            sum += wait.waitedMs();
        }
        return sum;
    }

    /** When the last queue that gave no permit will have been served. */
    long retryAfterMs() {
        return retryAfterMs;
    }
}
