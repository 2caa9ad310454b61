package io.sluice.data.request;

import io.sluice.data.upstream.CallEnd;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.FaultDraw;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.routing.AttemptDecider;
import io.sluice.tenants.routing.CompiledPool;
import io.sluice.tenants.routing.CompiledRung;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The attempts of one request that are over, and what they say together. Owned by the descent. */
final class Attempts {
    private final Planned planned;
    private final QueueStep queue;
    private final List<AttemptRecord> records = new ArrayList<>(2);
    private double upstreamMs;

    /** @param queue where the request waits between them */
    Attempts(Planned planned, QueueStep queue) {
        this.planned = planned;
        this.queue = queue;
    }

    /** All that are over, in their order. */
    List<AttemptRecord> records() {
        return records;
    }

    int made() {
        return records.size();
    }

    /**
     * Keeps an attempt.
     *
     * @param input of the verdict that follows it; null where none does
     */
    void add(
            AttemptRun run, CallEnd end, TokenUsage usage, AttemptDecider.Input input, AttemptDecider.Verdict verdict) {
        upstreamMs += end.totalMs();
        records.add(new AttemptRecord(
                run.n(),
                run.candidate().rung(),
                run.candidate().target(),
                run.rung().name(),
                run.target().provider().id(),
                run.target().model().id(),
                end.failure(),
                end.status(),
                end.sent(),
                end.message(),
                run.startedMs(),
                end.firstTokenMs(),
                end.totalMs(),
                usage,
                run.cost(usage, arrival().at()),
                input,
                verdict,
                run.draw()));
    }

    /** Whether one that is over called {@code pool}: another call of it is a retry. */
    boolean called(CompiledPool pool) {
        for (AttemptRecord attempt : records) {
            if (poolOf(attempt).id().equals(pool.id())) {
                return true;
            }
        }
        return false;
    }

    private CompiledPool poolOf(AttemptRecord attempt) {
        return ((CompiledRung.Pool) planned.identified().ladder().get(attempt.rung())).pool();
    }

    /** Whether none that is over called the target of {@code run}. */
    boolean firstOfTarget(AttemptRun run) {
        for (AttemptRecord attempt : records) {
            CompiledPool before = poolOf(attempt);
            if (before.id().equals(run.rung().pool().id())
                    && before.targets()
                            .get(attempt.target())
                            .key()
                            .equals(run.target().key())) {
                return false;
            }
        }
        return true;
    }

    /** Whether the last one was followed by less than would have been if no pool had a retry budget. */
    boolean stoppedByRetryBudget() {
        AttemptDecider.Input why = records.get(records.size() - 1).next();
        return why != null && why.stoppedByRetryBudget();
    }

    /** Whether a target of a rung was called. */
    boolean anyOn(int rung) {
        for (AttemptRecord attempt : records) {
            if (attempt.rung() == rung) {
                return true;
            }
        }
        return false;
    }

    /** Whether one ended with {@code failure}. */
    boolean anyFailedWith(FailureClass failure) {
        return records.stream().anyMatch(attempt -> attempt.failure() == failure);
    }

    /**
     * What the headers of an answer say.
     *
     * @param model null for a text
     * @param made attempts, the running one included
     * @param running null where none runs
     */
    AnswerHead head(String model, String step, int made, AttemptRun running) {
        int descents = planned.descentsTo(step);
        boolean whole = !planned.identified().chat().streamed();
        return new AnswerHead(
                model,
                step,
                made,
                descents,
                descents == 0 ? null : Stops.degraded(planned, queue, records),
                overheadUs(running),
                whole ? Settlement.cost(records) : null,
                faults(records, running));
    }

    /** Since arrival, less what upstreams took and what it waited for them. */
    private long overheadUs(AttemptRun running) {
        double sinceArrivalMs = (System.nanoTime() - arrival().startNs()) / 1e6;
        double runningMs = running == null ? 0 : sinceArrivalMs - running.startedMs();
        return Math.max(0, (long) ((sinceArrivalMs - upstreamMs - runningMs - queue.waitedMs()) * 1_000));
    }

    /** Ids of the fault rules that struck, once each, in the order in which they did; null where none did. */
    static String faults(List<AttemptRecord> records, AttemptRun running) {
        Set<String> struck = null;
        for (AttemptRecord attempt : records) {
            struck = plus(struck, attempt.fault());
        }
        struck = plus(struck, running == null ? null : running.draw());
        return struck == null ? null : String.join(", ", struck);
    }

    private static Set<String> plus(Set<String> struck, FaultDraw draw) {
        if (draw == null || draw.struck() == null) {
            return struck;
        }
        Set<String> more = struck == null ? new LinkedHashSet<>() : struck;
        more.add(draw.struck());
        return more;
    }

    private Arrival arrival() {
        return planned.identified().arrival();
    }
}
