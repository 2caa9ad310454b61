package io.sluice.data.request;

import io.sluice.data.money.Hold;
import io.sluice.data.recall.ExactCache;
import io.sluice.data.seeing.RequestMeters;
import io.sluice.data.upstream.CallEnd;
import io.sluice.data.upstream.CallListener;
import io.sluice.data.upstream.CallTimes;
import io.sluice.data.upstream.TraceHeaders;
import io.sluice.data.upstream.UpstreamClient;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.chat.ChatLimits;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.ChatRequestParser;
import io.sluice.plugins.api.chat.JsonText;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.message.BusMessage.CheckLadder;
import io.sluice.tenants.message.BusMessage.LadderChecked;
import io.sluice.tenants.message.RungCheck;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledScenario;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.RoutePlan;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tries every target and static rung of a ladder once, one after another, within a bounded time. For one check on one event loop. */
final class LadderWalk {
    /** Enough for a model that thinks before it says a word, and cheap. */
    private static final int TOKENS_MAX = 256;

    /** Where a rung sets no timeout: one hanging target must not use up the time of all others. */
    private static final long CALL_MS_MAX = 15_000;

    private final UpstreamClient upstream;
    private final RungProofs proofs;
    private final RequestMeters meters;
    private final CheckLadder check;
    private final CompiledScenario scenario;
    private final WalkMoney money;
    private final StaticRungs statics;
    private final long endNs;
    private final List<RungCheck> checks = new ArrayList<>();

    /** One call that is to be made. */
    private record Step(int rung, CompiledRung.Pool pool, int target) {}

    LadderWalk(
            UpstreamClient upstream,
            RungProofs proofs,
            RequestMeters meters,
            ExactCache cache,
            CheckLadder check,
            CompiledScenario scenario,
            WalkMoney money) {
        this.upstream = upstream;
        this.proofs = proofs;
        this.meters = meters;
        this.check = check;
        this.scenario = scenario;
        this.money = money;
        statics = new StaticRungs(cache, check.tenant(), scenario);
        endNs = System.nanoTime() + check.timeMaxMs() * 1_000_000;
    }

    /** All checks in the order of the ladder; never fails for what an upstream does. */
    Future<LadderChecked> walk() {
        String body = "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":"
                + JsonText.quote(check.prompt()) + "}],\"max_tokens\":" + TOKENS_MAX + "}";
        return new ChatRequestParser(ChatLimits.DEFAULT)
                .parse(body.getBytes(StandardCharsets.UTF_8))
                .fold(
                        this::walk,
                        refused ->
                                Future.succeededFuture(new LadderChecked(List.of(), "prompt: " + refused.message())));
    }

    private Future<LadderChecked> walk(ChatRequest request) {
        Future<?> before = Future.succeededFuture();
        for (int rung = 0; rung < scenario.ladder().size(); rung++) {
            CompiledRung each = scenario.ladder().get(rung);
            if (each instanceof CompiledRung.Pool pool) {
                for (int target = 0; target < pool.pool().targets().size(); target++) {
                    Step step = new Step(rung, pool, target);
                    before = before.compose(done -> call(step, request).onSuccess(checks::add));
                }
            } else {
                before = before.onSuccess(
                        done -> checks.add(statics.check(each, request.question(), System.currentTimeMillis())));
            }
        }
        return before.map(done -> {
            prove();
            return new LadderChecked(checks, null);
        });
    }

    private void prove() {
        Set<String> proven = new HashSet<>();
        for (RungCheck each : checks) {
            if (each.ok() && proven.add(each.step())) {
                proofs.verified(check.tenant(), check.scenario(), each.step(), Instant.now());
            }
        }
    }

    private Future<RungCheck> call(Step step, ChatRequest request) {
        CompiledTarget target = step.pool().pool().targets().get(step.target());
        long leftMs = (endNs - System.nanoTime()) / 1_000_000;
        if (leftMs <= 0) {
            return notCalled(step, target, "the " + check.timeMaxMs() + " ms for the whole ladder were over");
        }
        Instant at = Instant.now();
        if (money.unpriced(target, at)) {
            return notCalled(step, target, RoutePlan.Reason.UNPRICED.text());
        }
        return money.reserve(target, request, WorstCase.promptBytes(scenario.ladder()), at)
                .compose(reserved -> reserved instanceof Hold hold
                        ? call(step, target, request, hold, at)
                        : notCalled(step, target, "a spend cap does not cover what it may cost"));
    }

    private static Future<RungCheck> notCalled(Step step, CompiledTarget target, String why) {
        return Future.succeededFuture(new RungCheck(
                step.pool().name(),
                "pool",
                target.provider().id(),
                target.model().id(),
                false,
                0,
                null,
                "not called: " + why,
                null));
    }

    private Future<RungCheck> call(Step step, CompiledTarget target, ChatRequest request, Hold hold, Instant at) {
        long own = step.pool().timeoutMs() > 0
                ? step.pool().timeoutMs()
                : Math.min(CALL_MS_MAX, scenario.settings().deadline().toMillis());
        long callMs = Math.max(1, Math.min((endNs - System.nanoTime()) / 1_000_000, own));
        AttemptRun run = new AttemptRun(
                checks.size() + 1,
                new Candidate(step.rung(), step.target(), 1),
                step.pool(),
                target,
                null,
                Lane.REALTIME,
                false,
                null,
                false,
                0,
                null,
                null,
                null);
        Call call = new Call(run);
        String traceId = TraceIds.newTraceId();
        ChatRequest asked = run.ask(request, money.capped());
        run.started(upstream.call(
                target,
                asked,
                new CallTimes(callMs, callMs, callMs, callMs),
                new TraceHeaders(TraceIds.traceparent(traceId, "00"), null, run.n(), System.currentTimeMillis()),
                null,
                call));
        return call.ended.future().map(end -> {
            TokenUsage usage = run.usage(asked.facts().promptTokens(), end);
            Money cost = usage.promptTotal() + usage.outputTotal() > 0 ? run.cost(usage, at) : null;
            money.settle(hold, traceId, run, usage, cost, at);
            return checked(run, end, usage, cost);
        });
    }

    private RungCheck checked(AttemptRun run, CallEnd end, TokenUsage usage, Money cost) {
        if (usage.promptTotal() + usage.outputTotal() > 0) {
            meters.spend(check.tenant().value(), run.target().display(), usage, cost);
        }
        return new RungCheck(
                run.rung().name(),
                "pool",
                run.target().provider().id(),
                run.target().model().id(),
                end.failure() == null,
                end.totalMs(),
                end.failure(),
                end.message(),
                cost);
    }

    /** Waits for the end of one call. */
    private static final class Call implements CallListener {
        private final AttemptRun run;
        private final Promise<CallEnd> ended = Promise.promise();

        Call(AttemptRun run) {
            this.run = run;
        }

        @Override
        public void onFrame(AnswerFrame frame) {
            run.note(frame);
        }

        @Override
        public void onReadComplete() {
            // nothing is passed on
        }

        @Override
        public void onEnd(CallEnd end) {
            ended.complete(end);
        }

        @Override
        public void onSilence() {
            // nobody waits for a sign of life
        }
    }
}
