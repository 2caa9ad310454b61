package io.sluice.data.request;

import io.sluice.data.limit.QuotaPermit;
import io.sluice.data.limit.UpstreamQuotas;
import io.sluice.data.pool.RetryBudget;
import io.sluice.data.pool.SizeClass;
import io.sluice.data.pool.TargetGauge;
import io.sluice.data.upstream.CallEnd;
import io.sluice.data.upstream.UpstreamExchange;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.chat.ChatEdit;
import io.sluice.plugins.api.chat.ChatFacts;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.config.Lane;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultDraw;
import io.sluice.tenants.message.BusMessage.CallObserved;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.Served;
import io.sluice.tenants.money.ServerToolBound;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import io.sluice.tenants.shift.ScenarioKey;
import java.time.Instant;
import java.util.List;

/**
 * One attempt while it runs: its target, its permit, and what it has brought so far. Owned by the descent.
 */
final class AttemptRun {
    /** Windows are configured smaller than they are, for the same model is sold with several; by more than this nobody errs. */
    private static final int PLAUSIBLE_WINDOWS = 4;

    private final int n;
    private final Candidate candidate;
    private final CompiledRung.Pool rung;
    private final CompiledTarget target;
    private final TargetGauge gauge;
    private final Lane lane;
    private final boolean retry;
    private final RetryBudget retries;
    private final boolean early;
    private final double startedMs;
    private final FaultDraw draw;
    private final Fault fault;
    private final QuotaPermit quota;
    private ChatEdit.Edited asked;
    private UpstreamExchange exchange;
    private int load; // calls of the target on this node when this one began, itself included
    private TokenUsage reported;
    private String servedTier;
    private int toolCallsReported = -1; // where the provider does not say
    private long contentBytes;
    private long toldBytes; // of these, what the provider's figures tell
    private boolean doubted; // the last figures
    private boolean permitHeld = true;

    /**
     * An attempt that starts now.
     *
     * @param lane that its permit is of
     * @param retry whether the request called this pool before
     * @param retries that it took from; null for none
     * @param early whether it was let through although the target's breaker is open
     * @param draw null where no fault rule applies
     * @param fault what goes wrong on purpose; null for nothing
     * @param quota what it counts for among the calls of its account; null where it is not counted
     */
    AttemptRun(
            int n,
            Candidate candidate,
            CompiledRung.Pool rung,
            CompiledTarget target,
            TargetGauge gauge,
            Lane lane,
            boolean retry,
            RetryBudget retries,
            boolean early,
            double startedMs,
            FaultDraw draw,
            Fault fault,
            QuotaPermit quota) {
        this.n = n;
        this.candidate = candidate;
        this.rung = rung;
        this.target = target;
        this.gauge = gauge;
        this.lane = lane;
        this.retry = retry;
        this.retries = retries;
        this.early = early;
        this.startedMs = startedMs;
        this.draw = draw;
        this.fault = fault;
        this.quota = quota;
    }

    int n() {
        return n;
    }

    Candidate candidate() {
        return candidate;
    }

    CompiledRung.Pool rung() {
        return rung;
    }

    CompiledTarget target() {
        return target;
    }

    /** Whether the request called this pool before. */
    boolean retry() {
        return retry;
    }

    double startedMs() {
        return startedMs;
    }

    FaultDraw draw() {
        return draw;
    }

    Fault fault() {
        return fault;
    }

    /**
     * The request as this rung sends it; the caller's own stays as it is.
     *
     * @param bounded whether its answer must have a greatest length, because money was reserved for no more
     */
    ChatRequest ask(ChatRequest request, boolean bounded) {
        asked = ChatEdit.apply(request, rung.edit(), target.maxOutputTokens());
        return bounded
                ? ChatEdit.limited(asked.request(), target.maxOutputTokens(), target.nameUpstream())
                : asked.request();
    }

    /** Words for what the request lost on this rung. */
    List<String> givenUp() {
        return asked == null ? List.of() : asked.givenUp();
    }

    void started(UpstreamExchange running) {
        exchange = running;
        load = gauge == null ? 1 : gauge.inFlight();
    }

    UpstreamExchange exchange() {
        return exchange;
    }

    /** Gives the permit, and the place among the pool's retries, back, once. */
    void release() {
        if (permitHeld) {
            permitHeld = false;
            gauge.release(lane);
            if (retries != null) {
                retries.release();
            }
        }
    }

    /** Tells its account how the call ended and what it used. */
    void account(UpstreamQuotas quotas, CallEnd end, TokenUsage usage) {
        if (quota != null) {
            quotas.ended(quota, usage.promptTotal() + usage.outputTotal());
            if (end.failure() == FailureClass.RATE_LIMITED) {
                quotas.refused(target, end.retryAfterMs());
            }
        }
    }

    /**
     * Takes note of what has to be paid for. What comes together with the provider's figures is in them; what comes after them is not,
     * and neither is what they say where they can not be true.
     */
    void note(AnswerFrame frame) {
        boolean told = false;
        for (AnswerEvent event : frame.events()) {
            if (event instanceof AnswerEvent.UsageReported usage) {
                told = plausible(usage.usage());
                doubted = !told;
                if (told) {
                    reported = usage.usage();
                    toolCallsReported = usage.serverToolCalls();
                    toldBytes = contentBytes;
                }
                servedTier = usage.serviceTier();
            }
        }
        if (!told) {
            count(frame);
        }
    }

    /** Whether the model could have read and written so much. One mistaken report must not spend a cap that is a thousand times a call. */
    private boolean plausible(TokenUsage usage) {
        long most = (long) PLAUSIBLE_WINDOWS * target.contextWindow();
        return usage.promptTotal() <= most && usage.outputTotal() <= most;
    }

    private void count(AnswerFrame frame) {
        for (AnswerEvent event : frame.events()) {
            if (event instanceof AnswerEvent.ContentDelta delta) {
                contentBytes += utf8Length(delta.text());
            } else if (event instanceof AnswerEvent.ReasoningDelta delta) {
                contentBytes += utf8Length(delta.text());
            } else if (event instanceof AnswerEvent.ToolCallDelta delta) {
                contentBytes += utf8Length(delta.arguments()) + ChatFacts.BYTES_PER_TOKEN;
            }
        }
    }

    private int images() {
        return asked == null ? 0 : asked.request().facts().images();
    }

    /** As the provider reports them, else as the request and the model lead to. */
    private int serverToolCalls() {
        if (toolCallsReported >= 0 || asked == null) {
            return Math.max(0, toolCallsReported);
        }
        return ServerToolBound.callsMax(asked.request().facts().serverToolCalls(), target.nameUpstream());
    }

    private static int utf8Length(String text) {
        int length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            length += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
        }
        return length;
    }

    /**
     * What its end tells the pool.
     *
     * @param first whether it is the request's first call of the target
     */
    CallObserved observed(CallEnd end, boolean first, boolean streamed, TokenUsage usage, ScenarioKey scenario) {
        return new CallObserved(
                rung.pool().id(),
                target.key(),
                end.failure(),
                first,
                end.firstTokenMs(),
                end.ownDelayMs(),
                end.totalMs(),
                end.retryAfterMs(),
                early,
                SizeClass.of(streamed, usage.promptTotal(), usage.outputTotal()),
                load,
                scenario,
                rung.name());
    }

    /** What {@code usage} costs at a time; null where the model has no price then. */
    Money cost(TokenUsage usage, Instant at) {
        Price price = price(at);
        return price == null ? null : price.costOf(usage, new Served(tier(price), target.region()), at);
    }

    /** The service tier that the price depends on; null where it depends on none. */
    String serviceTier(Instant at) {
        Price price = price(at);
        String tier = price == null ? null : tier(price);
        return tier != null && price.hasServiceTier(tier) ? tier : null;
    }

    /** As the provider says, else as the request asks; looked for only where the price wants to know. */
    private String tier(Price price) {
        if (price.serviceTiers().isEmpty() || servedTier != null) {
            return servedTier;
        }
        return asked == null ? null : WorstCase.askedTier(asked.request());
    }

    /** What the target costs at a time; null where it has no price then. */
    Price price(Instant at) {
        return target.prices().at(at).orElse(null);
    }

    /**
     * What the attempt used: the provider's figures where it gave some, else Sluice's own count of what was delivered.
     *
     * <p>Figures that more of the answer follows are what it came to until then; what followed counts beside them, as an estimate (case US14).
     *
     * <p>An attempt that the provider refused, failed or dropped before an answer began is free (cases BU10, RF09, MX03); so is one in
     * which a fault stood in for the provider, which was never called. An unfinished one is not (cases CX01, CX02): its prompt
     * was read, and what was made of its answer counts as an estimate. Of a stream that is what was delivered, since its maker
     * stops with it. Of a whole answer nothing is seen before all of it is made, and a provider may finish it although nobody
     * waits: it counts as long as it was allowed to be, so that no cap is overspent.
     *
     * @param promptTokens as Sluice counts them
     */
    TokenUsage usage(int promptTokens, CallEnd end) {
        if (fault != null && fault.standsIn()) {
            return TokenUsage.NONE;
        }
        if (reported != null) {
            TokenUsage told = reported.withImages(images()).withServerToolCalls(serverToolCalls());
            long after = tokens(contentBytes - toldBytes);
            return after == 0 && !doubted ? told : told.plus(new TokenUsage(0, 0, 0, after, 0, true));
        }
        if (contentBytes == 0 && end.failure() != null && !end.unfinished()) {
            return TokenUsage.NONE;
        }
        long delivered = tokens(contentBytes);
        boolean unseen = contentBytes == 0
                && end.unfinished()
                && !asked.request().facts().streamed();
        long output = unseen ? ChatEdit.outputTokensMax(asked.request().facts(), target.maxOutputTokens()) : delivered;
        return new TokenUsage(promptTokens, 0, 0, output, 0, images(), serverToolCalls(), true);
    }

    private static long tokens(long bytes) {
        return (bytes + ChatFacts.BYTES_PER_TOKEN - 1) / ChatFacts.BYTES_PER_TOKEN;
    }
}
