package io.sluice.data.request;

import io.sluice.data.upstream.CallEnd;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.Degradation;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.FaultDraw;
import io.sluice.tenants.money.Price;
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
    private final RequestMoney money;
    private final List<AttemptRecord> records = new ArrayList<>(2);
    private double upstreamMs;
    private final List<String> silent = new ArrayList<>(0);

    /**
     * @param queue where the request waits between them
     * @param money what pays for them
     */
    Attempts(Planned planned, QueueStep queue, RequestMoney money) {
        this.planned = planned;
        this.queue = queue;
        this.money = money;
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
        Price price = run.price(arrival().at());
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
                run.draw(),
                price == null ? null : price.version(),
                run.serviceTier(arrival().at())));
        money.charge(records.get(records.size() - 1));
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

    /** A static rung had no answer to the question. */
    void silent(String step) {
        silent.add(step);
    }

    /** Why {@code step} answers and what its answer lost; null for the first rung. */
    Degradation degraded(String step, List<String> givenUp) {
        return planned.descentsTo(step) == 0
                ? null
                : new Degradation(
                        Degradation.reason(planned.plan(), records, queue.waits(), money.uncovered()), givenUp, silent);
    }

    /**
     * What the headers of an answer say.
     *
     * @param model null for a static rung
     * @param made attempts, the running one included
     * @param running null where none runs
     * @param degraded null for the first rung
     * @param noticed whether the scenario's notice may stand before the answer
     */
    AnswerHead head(String model, String step, int made, AttemptRun running, Degradation degraded, boolean noticed) {
        int descents = planned.descentsTo(step);
        boolean whole = !planned.identified().chat().streamed();
        return new AnswerHead(
                model,
                step,
                made,
                descents,
                degraded == null ? null : degraded.told(),
                overheadUs(running),
                whole ? planned.inDollars(Settlement.cost(records)) : null,
                degraded == null || !noticed ? null : notice(step, model),
                !(planned.identified().ladder().get(descents) instanceof CompiledRung.Pool),
                faults(records, running));
    }

    /** A static rung gives one answer, however many were asked for. */
    private Notice notice(String step, String model) {
        Identified request = planned.identified();
        int choices = model == null ? 1 : request.chat().facts().choices();
        return Notice.of(request.scenario().degradedNotice(), step, request.chat(), choices);
    }

    /** Since arrival, less what upstreams took and what it waited for them. */
    private long overheadUs(AttemptRun running) {
        double sinceArrivalMs = (System.nanoTime() - arrival().startNs()) / 1e6;
        double runningMs = running == null ? 0 : sinceArrivalMs - running.startedMs();
        double pausedMs = pausedMs(records, running == null ? sinceArrivalMs : running.startedMs());
        return Math.max(0, (long) ((sinceArrivalMs - upstreamMs - runningMs - queue.waitedMs() - pausedMs) * 1_000));
    }

    /**
     * How long a request kept still before it repeated a target: as long as it was to wait, or until what came before that.
     *
     * @param untilMs when the attempt that is none of {@code records} began, or now; since the request came
     */
    static double pausedMs(List<AttemptRecord> records, double untilMs) {
        double sum = 0;
        for (int i = 0; i < records.size(); i++) {
            AttemptRecord before = records.get(i);
            if (before.verdict() == AttemptDecider.Verdict.SAME_TARGET) {
                double endMs = i + 1 < records.size() ? records.get(i + 1).startedMs() : untilMs;
                double stillMs = endMs - before.startedMs() - before.totalMs();
                sum += Math.max(0, Math.min(stillMs, (double) before.next().waitMs()));
            }
        }
        return sum;
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
