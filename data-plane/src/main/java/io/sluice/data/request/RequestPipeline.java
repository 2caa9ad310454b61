package io.sluice.data.request;

import io.sluice.data.seeing.RequestMeters;
import io.sluice.plugins.api.WholeBytes;
import io.sluice.plugins.api.chat.ChatParse;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.ChatRequestParser;
import io.sluice.tenants.recall.CacheDecider;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * The life of a chat request, in the order of its steps: identify → read → parse → scenario → context → admit → recall → plan → reserve →
 * descend, which delivers and settles. Each step takes what the step before it made; a step that halts ends the request with its refusal. One per event
 * loop.
 */
public final class RequestPipeline {
    /** A longer body is parsed on a worker thread, so that it holds up nobody else's request (bad-input row 46). */
    private static final int PARSED_HERE_MAX = 256 << 10;

    private final Vertx vertx;
    private final IdentifyStep identify;
    private final BodyReader bodies;
    private final ChatRequestParser parser;
    private final ScenarioStep scenarios;
    private final ContextStep contexts;
    private final AdmitStep admits;
    private final RecallStep recalls;
    private final PlanStep plans;
    private final CacheStep caches;
    private final ReserveStep reserves;
    private final Descents descents;
    private final RequestMeters meters;

    /** A pipeline for the event loop that calls this. */
    public RequestPipeline(IdentifyStep identify, ChatRequestParser parser, PipelineParts parts) {
        this.identify = identify;
        this.parser = parser;
        vertx = parts.vertx();
        meters = parts.meters();
        bodies = new BodyReader(
                vertx, parts.settings().bodyBytesMax(), parts.settings().bodyTimeoutMs());
        scenarios = new ScenarioStep();
        contexts = new ContextStep(parser, meters);
        CountStep counts = new CountStep(parts.context(), parts.counter());
        admits = new AdmitStep(parts.limiter(), parts.limits(), meters, counts);
        recalls = new RecallStep(parts);
        caches = new CacheStep(parts.cache(), meters);
        CapBook caps = new CapBook();
        plans = new PlanStep(parts.pools(), parts.quotas(), parts.bands(), caps, counts);
        reserves = new ReserveStep(parts, caps, counts);
        descents = new Descents(parts, caches);
    }

    /**
     * Takes a request to its end.
     *
     * @param after runs once when it is over, however it ended
     */
    public void handle(Arrival arrival, Runnable after) {
        identify.identify(arrival).fold(caller -> read(caller, arrival, after), stop -> refuse(arrival, stop, after));
    }

    private void read(Caller caller, Arrival arrival, Runnable after) {
        bodies.read(arrival.http())
                .compose(this::parse)
                .map(parsed -> parsed.then(chat -> scenarios.identify(caller, chat)))
                .compose(this::cut)
                .map(ready -> {
                    ready.fold(
                            identified -> admit(identified, after),
                            stop -> refuse(arrival, admits.inVain(caller, stop), after));
                    return null;
                })
                .onFailure(bug -> fail(arrival, bug, after));
    }

    private Future<Outcome<ChatRequest>> parse(Outcome<Buffer> read) {
        if (read instanceof Outcome.Go<Buffer> body && body.value().length() > PARSED_HERE_MAX) {
            return vertx.executeBlocking(() -> read.then(this::parseNow), false);
        }
        return Future.succeededFuture(read.then(this::parseNow));
    }

    private Outcome<ChatRequest> parseNow(Buffer body) {
        ChatParse parse = parser.parse(WholeBytes.of(body));
        return parse.fold(
                Outcome::go, refused -> Outcome.halt(Stop.of(refused.refusal(), refused.message(), refused.param())));
    }

    private Future<Outcome<Identified>> cut(Outcome<Identified> asked) {
        return asked instanceof Outcome.Go<Identified> go
                        && ContextStep.concerns(go.value())
                        && go.value().chat().bytes() > PARSED_HERE_MAX
                ? vertx.executeBlocking(() -> asked.then(contexts::cut), false)
                : Future.succeededFuture(asked.then(contexts::cut));
    }

    private void admit(Identified identified, Runnable after) {
        contexts.tell(identified);
        admits.admit(identified)
                .map(outcome -> {
                    outcome.fold(
                            admitted -> recall(admitted, admitted.ending(after)),
                            stop -> refuse(identified.arrival(), stop, after));
                    return null;
                })
                .onFailure(bug -> fail(identified.arrival(), bug, after));
    }

    private void recall(Identified identified, Runnable after) {
        Arrival arrival = identified.arrival();
        if (!recalls.concerns(identified)) {
            answer(identified, new CallerOutlet(arrival), after);
            return;
        }
        recalls.recall(identified)
                .map(recalled -> {
                    recalled.fold(
                            fresh -> answer(identified, fresh.outlet(), after),
                            replayed -> descents.replay(plans.plan(identified), replayed, after),
                            refused -> refuse(arrival, refused.stop(), after),
                            left -> left(after));
                    return null;
                })
                .onFailure(bug -> fail(arrival, bug, after));
    }

    /** Answers; whatever goes wrong before that has begun, the outlet hears that nothing was called. */
    private void answer(Identified identified, Outlet outlet, Runnable after) {
        Future.succeededFuture(identified)
                .compose(asking -> plans.plan(asking, planned -> begin(planned, outlet, after)))
                .onFailure(bug -> {
                    outlet.settled(List.of());
                    fail(identified.arrival(), bug, after);
                });
    }

    /** Fails where nothing has begun. */
    private Future<Void> begin(Planned planned, Outlet outlet, Runnable after) {
        Identified identified = planned.identified();
        CacheStep.Asked asked = caches.ask(identified);
        Reply.banded(identified.arrival(), planned.input().budget());
        if (asked.verdict() == CacheDecider.Verdict.HIT) {
            descents.share(planned, asked, outlet, after);
            return Future.succeededFuture();
        }
        return reserves.reserve(planned).map(outcome -> {
            outcome.fold(money -> descend(money, asked, outlet, after), stop -> {
                identified.giveBackLimits();
                descents.refuse(planned, stop, asked, outlet, after);
            });
            return null;
        });
    }

    private void descend(RequestMoney money, CacheStep.Asked asked, Outlet outlet, Runnable after) {
        boolean begun = false;
        try {
            Planned planned = money.planned();
            Reply.banded(planned.identified().arrival(), planned.input().budget());
            descents.begin(planned, money, asked, outlet, after);
            begun = true;
        } finally {
            if (!begun) {
                money.release();
            }
        }
    }

    private void left(Runnable after) {
        meters.refused("client_abort");
        after.run();
    }

    /**
     * Ends every request that still runs: a begun stream with an error event, others with a refusal. May be called from any
     * thread; completes when all callers that take what they are sent have been told.
     */
    public Future<Void> drain() {
        return descents.drain();
    }

    private void refuse(Arrival arrival, Stop stop, Runnable after) {
        meters.refused(stop.refusal().code());
        Reply.refuse(arrival, stop, 0);
        after.run();
    }

    private void fail(Arrival arrival, Throwable bug, Runnable after) {
        meters.refused("internal_error");
        Reply.bug(arrival, bug);
        after.run();
    }
}
