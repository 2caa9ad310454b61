package io.sluice.data.request;

import io.sluice.data.limit.UpstreamQuotas;
import io.sluice.data.pool.Pools;
import io.sluice.data.pool.TargetGauge;
import io.sluice.data.upstream.CallEnd;
import io.sluice.data.upstream.CallListener;
import io.sluice.data.upstream.TraceHeaders;
import io.sluice.data.upstream.UpstreamClient;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.QuotaFigures;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.decision.Degradation;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.routing.AttemptDecider;
import io.sluice.tenants.routing.AttemptDecider.Verdict;
import io.sluice.tenants.routing.Backoff;
import io.sluice.tenants.routing.CompiledPool;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import io.sluice.tenants.shift.ScenarioKey;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Goes down the candidates of a plan until one answers: attempts under one deadline and one attempt budget. What follows a
 * failure is {@link AttemptDecider}'s to say. It ends exactly once, by {@link Settlement}; permits are given back in one place,
 * {@link AttemptRun#release}. For one request on one event loop.
 */
final class Descent implements CallListener {
    private final Vertx vertx;
    private final UpstreamClient upstream;
    private final Pools pools;
    private final Planned planned;
    private final QueueStep queue;
    private final UpstreamQuotas quotas;
    private final RequestMoney money;
    private final Delivery delivery;
    private final Settlement settlement;
    private final ClientWatch client;
    private final Attempts attempts;
    private final Admission admission;
    private final StaticAnswers statics;
    private final long deadlineNs;
    private long firstCallAtMs;
    private int next;
    private int sameTargetRetries;
    private long backoffTimer = -1;
    private AttemptRun run;
    private boolean over;

    Descent(
            PipelineParts parts,
            Planned planned,
            QueueStep queue,
            RequestMoney money,
            CacheStep.Asked asked,
            Delivery delivery,
            Settlement settlement,
            ClientWatch client) {
        vertx = parts.vertx();
        upstream = parts.upstream();
        pools = parts.pools();
        quotas = parts.quotas();
        this.planned = planned;
        this.queue = queue;
        this.money = money;
        this.delivery = delivery;
        this.settlement = settlement;
        this.client = client;
        attempts = new Attempts(planned, queue, money);
        statics = new StaticAnswers(planned.identified(), asked);
        admission = new Admission(pools, quotas, planned, queue, money, attempts);
        deadlineNs = arrival().startNs() + planned.identified().deadlineMs() * 1_000_000;
    }

    private Arrival arrival() {
        return planned.identified().arrival();
    }

    private List<Candidate> candidates() {
        return planned.plan().candidates();
    }

    private long remainingMs() {
        return (deadlineNs - System.nanoTime()) / 1_000_000;
    }

    private double sinceArrivalMs() {
        return (System.nanoTime() - arrival().startNs()) / 1e6;
    }

    /** Starts with the best candidate, unless the caller has left already. */
    void start() {
        safely(() -> advance(null));
    }

    /** Whether an upstream was called. */
    boolean called() {
        return run != null;
    }

    /** Nothing happens once it is over. A bug ends this request alone: all is given back, {@link Settlement#broken} tells. */
    private void safely(Runnable step) {
        if (over) {
            return;
        }
        try {
            step.run();
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
            over = true;
            cut("the gateway failed");
            settlement.broken(attempts.records(), bug);
        }
    }

    /**
     * Tries candidates from {@link #next} on until one can start. A permit that was free at planning may be gone by now; such a
     * candidate is passed over and costs no attempt. Before it goes down it waits for those that are only busy.
     */
    private void advance(CallEnd last) {
        while (next < candidates().size()) {
            Candidate candidate = candidates().get(next);
            if (waitAbove(candidate.rung(), last)) {
                return;
            }
            CompiledRung rung = planned.identified().ladder().get(candidate.rung());
            next++;
            if (!(rung instanceof CompiledRung.Pool pool)) {
                if (answeredBy(rung)) {
                    return;
                }
                continue;
            }
            sameTargetRetries = 0;
            if (remainingMs() >= pool.minRemainingMs() && attempt(candidate, pool)) {
                return;
            }
        }
        if (!waitAbove(planned.identified().ladder().size(), last)) {
            giveUp(last);
        }
    }

    private boolean waitAbove(int rung, CallEnd last) {
        return queue.waitAbove(
                rung, remainingMs(), attempts, (candidate, gauge) -> safely(() -> waited(candidate, gauge, last)));
    }

    /** The wait is over; {@code candidate} null where no permit came of it. */
    private void waited(Candidate candidate, TargetGauge gauge, CallEnd last) {
        sameTargetRetries = 0;
        AttemptRun admitted = candidate == null ? null : admission.afterWait(candidate, gauge, run, sinceArrivalMs());
        if (admitted == null) {
            advance(last);
        } else {
            run = admitted;
            call();
        }
    }

    /** Starts a call where money, target and retry budget let it; else nothing was taken. */
    private boolean attempt(Candidate candidate, CompiledRung.Pool rung) {
        AttemptRun admitted = admission.admit(candidate, rung, run, sinceArrivalMs());
        if (admitted == null) {
            return false;
        }
        run = admitted;
        call();
        return true;
    }

    /** Whether the pool's retry budget lets this request call it. */
    private boolean callable(CompiledPool pool) {
        return admission.callable(pool, run);
    }

    private void call() {
        if (firstCallAtMs == 0) {
            firstCallAtMs = System.currentTimeMillis();
        }
        ChatRequest asked = run.ask(planned.identified().chat(), money.capped());
        run.started(upstream.call(
                run.target(),
                asked,
                CallBudget.times(
                        planned.identified().scenario().settings(),
                        remainingMs(),
                        next < candidates().size(),
                        run.retry(),
                        run.rung(),
                        asked.facts().promptTokens(),
                        asked.facts().maxTokens()),
                new TraceHeaders(
                        TraceIds.traceparent(arrival().traceId(), arrival().traceFlags()),
                        planned.identified().sessionId(),
                        run.n(),
                        firstCallAtMs),
                run.fault(),
                this));
    }

    @Override
    public void onQuota(QuotaFigures figures) {
        quotas.said(run.target(), figures);
    }

    @Override
    public void onFrame(AnswerFrame frame) {
        run.note(frame);
        delivery.frame(frame, this::head);
    }

    @Override
    public void onReadComplete() {
        safely(() -> {
            delivery.flush();
            client.keepPace(run.exchange());
        });
    }

    @Override
    public void onSilence() {
        safely(delivery::keepAlive);
    }

    @Override
    public void onEnd(CallEnd end) {
        safely(() -> ended(end));
    }

    private void ended(CallEnd end) {
        run.release();
        TokenUsage usage = run.usage(planned.input().request().promptTokens(), end);
        observe(end, usage);
        if (end.failure() == null) {
            attempts.add(run, end, usage, null, null);
            over = true;
            delivery.complete(this::head, usage);
            settlement.answered(
                    attempts.records(),
                    run.rung().name(),
                    run.target().display(),
                    attempts.degraded(run.rung().name(), run.givenUp()));
            return;
        }
        double unit = ThreadLocalRandom.current().nextDouble();
        long waitMs = Backoff.waitMs(sameTargetRetries, unit, end.retryAfterMs());
        Ahead ahead = Ahead.after(end.failure(), run, attempts, planned, next, this::callable);
        AttemptDecider.Input input = decision(end, waitMs, ahead);
        Verdict verdict = AttemptDecider.decide(input);
        attempts.add(run, end, usage, input, verdict);
        follow(verdict, end, waitMs, ahead);
    }

    /**
     * Tells account and pool how a call ended. A request's first call of a target counts, also where others failed before: a target that
     * only stands in could otherwise never be found bad. Repeats do not, or one request would count several times (A4).
     */
    private void observe(CallEnd end, TokenUsage usage) {
        run.account(quotas, end, usage);
        if (!FaultStep.tellsAboutTheTarget(run.rung(), run.fault())) {
            return;
        }
        Identified request = planned.identified();
        ScenarioKey scenario = new ScenarioKey(
                request.caller().tenant().id(), request.scenario().name());
        pools.observe(
                run.observed(end, attempts.firstOfTarget(run), request.chat().streamed(), usage, scenario));
    }

    private void follow(Verdict verdict, CallEnd end, long waitMs, Ahead ahead) {
        switch (verdict) {
            case TELL_INCOMPLETE -> {
                over = true;
                delivery.breakOff(Stops.incomplete(planned, end));
                settlement.incomplete(
                        attempts.records(), run.rung().name(), run.target().display());
            }
            case SAME_TARGET -> {
                delivery.forget();
                backoffTimer = vertx.setTimer(Math.max(1, waitMs), timer -> safely(() -> again(end)));
            }
            case NEXT_TARGET, NEXT_RUNG -> {
                delivery.forget();
                next = verdict == Verdict.NEXT_TARGET ? ahead.first() : ahead.below();
                advance(end);
            }
            case TEXT_RUNG -> {
                delivery.forget();
                while (candidates().get(next).target() >= 0) {
                    next++;
                }
                advance(end);
            }
            case GIVE_UP -> giveUp(end);
        }
    }

    /** The same target once more, if it still lets us. */
    private void again(CallEnd last) {
        sameTargetRetries++;
        if (!attempt(run.candidate(), run.rung())) {
            advance(last);
        }
    }

    private AttemptDecider.Input decision(CallEnd end, long waitMs, Ahead ahead) {
        return new AttemptDecider.Input(
                end.failure(),
                delivery.committed(),
                run.n(),
                planned.identified().scenario().settings().attemptsMax(),
                sameTargetRetries,
                remainingMs(),
                waitMs,
                run.rung().minRemainingMs(),
                ahead.here(),
                ahead.belowMinRemainingMs(),
                ahead.poolsBelow(),
                ahead.text(),
                planned.identified().repeatable(end.sent()),
                callable(run.rung().pool()),
                ahead.belowCallable());
    }

    /** Whether a static rung has an answer; then it was given. */
    private boolean answeredBy(CompiledRung rung) {
        StaticAnswers.Given given = statics.of(rung);
        if (given == null) {
            attempts.silent(rung.name());
            return false;
        }
        over = true;
        Degradation degraded = attempts.degraded(rung.name(), List.of(given.givenUp()));
        Supplier<AnswerHead> head =
                () -> attempts.head(given.model(), rung.name(), attempts.made(), null, degraded, given.noticed());
        given.frames().forEach(frame -> delivery.frame(frame, head));
        delivery.complete(head, given.usage());
        settlement.answered(attempts.records(), rung.name(), given.model(), degraded);
        return true;
    }

    private void giveUp(CallEnd last) {
        over = true;
        settlement.refused(
                attempts.records(),
                last == null && money.missing() != null
                        ? BudgetStops.uncovered(
                                planned, money.missing().account().capId())
                        : Stops.nobody(planned, queue, last, attempts, pools),
                last == null ? 0 : Stops.statusOf(last));
    }

    private AnswerHead head() {
        AttemptRun running = attempts.made() < run.n() ? run : null;
        String step = run.rung().name();
        return attempts.head(
                run.target().display(), step, run.n(), running, attempts.degraded(step, run.givenUp()), true);
    }

    /** The caller left: nothing more is called, what runs is cut, what was produced is charged. */
    void abandon() {
        if (over) {
            return;
        }
        over = true;
        cut("the caller left");
        settlement.abandoned(
                attempts.records(),
                run == null ? null : run.rung().name(),
                run == null ? null : run.target().display());
    }

    /** The node waits no longer: what runs is cut, the caller is told. Completes when a begun answer's last words are sent. */
    Future<?> drain() {
        List<Future<?>> told = new ArrayList<>(1);
        safely(() -> {
            over = true;
            cut("drained");
            if (delivery.committed()) {
                told.add(delivery.breakOff(Stops.drainedWithin(planned)));
                settlement.incomplete(
                        attempts.records(), run.rung().name(), run.target().display());
            } else {
                settlement.refused(attempts.records(), Stops.drained(planned, attempts.records()), 0);
            }
        });
        return Future.join(told);
    }

    /** Nothing goes on after this: no timer, no call, no permit. */
    private void cut(String why) {
        vertx.cancelTimer(backoffTimer);
        queue.leave();
        if (run == null || attempts.made() >= run.n()) {
            return;
        }
        run.release();
        CallEnd end = run.exchange() == null
                ? new CallEnd(
                        FailureClass.CANCELLED, 0, why, 0, false, false, -1, 0, sinceArrivalMs() - run.startedMs())
                : run.exchange().cancel(why);
        TokenUsage usage = run.usage(planned.input().request().promptTokens(), end);
        observe(end, usage);
        attempts.add(run, end, usage, null, null);
    }
}
