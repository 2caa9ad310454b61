package io.sluice.data.request;

import io.sluice.data.decision.DecisionLog;
import io.sluice.data.pool.Pools;
import io.sluice.data.recall.IdempotencyDesk;
import io.sluice.data.recall.RecallSettings;
import io.sluice.data.seeing.RequestMeters;
import io.sluice.data.upstream.UpstreamClient;
import io.sluice.plugins.api.chat.ChatParse;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.ChatRequestParser;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The life of a chat request, in the order of its steps: identify → read → parse → scenario → recall → plan → descend, which delivers
 * and settles. Each step takes what the step before it made; a step that halts ends the request with its refusal. One per event
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
    private final RecallStep recalls;
    private final PlanStep plans;
    private final Pools pools;
    private final UpstreamClient upstream;
    private final RequestMeters meters;
    private final DecisionLog log;
    private final PipelineSettings settings;
    private final Context context;
    private final Set<Descent> descending = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean drained;

    /** A pipeline for the event loop that calls this. */
    public RequestPipeline(
            Vertx vertx,
            IdentifyStep identify,
            ChatRequestParser parser,
            Pools pools,
            UpstreamClient upstream,
            RequestMeters meters,
            DecisionLog log,
            IdempotencyDesk desk,
            RecallSettings recall,
            PipelineSettings settings) {
        this.vertx = vertx;
        this.identify = identify;
        this.parser = parser;
        this.pools = pools;
        this.upstream = upstream;
        this.meters = meters;
        this.log = log;
        this.settings = settings;
        context = vertx.getOrCreateContext();
        bodies = new BodyReader(vertx, settings.bodyBytesMax(), settings.bodyTimeoutMs());
        scenarios = new ScenarioStep();
        recalls = new RecallStep(vertx, context, desk, recall, meters, settings.clientStallMs());
        plans = new PlanStep(pools);
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
                .map(parsed -> {
                    parsed.then(chat -> scenarios.identify(caller, chat))
                            .fold(identified -> recall(identified, after), stop -> refuse(arrival, stop, after));
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
        ChatParse parse = parser.parse(body.getBytes());
        return parse.fold(
                Outcome::go, refused -> Outcome.halt(Stop.of(refused.refusal(), refused.message(), refused.param())));
    }

    private void recall(Identified identified, Runnable after) {
        Arrival arrival = identified.arrival();
        if (!recalls.concerns(identified)) {
            descend(identified, new CallerOutlet(arrival), after);
            return;
        }
        recalls.recall(identified)
                .map(recalled -> {
                    recalled.fold(
                            fresh -> descend(identified, fresh.outlet(), after),
                            replayed -> replay(identified, replayed, after),
                            refused -> refuse(arrival, refused.stop(), after),
                            left -> left(after));
                    return null;
                })
                .onFailure(bug -> fail(arrival, bug, after));
    }

    /** Descends; whatever goes wrong before it has begun, the outlet hears that nothing was called. */
    private void descend(Identified identified, Outlet outlet, Runnable after) {
        boolean begun = false;
        try {
            begun = begin(plans.plan(identified), outlet, after);
        } finally {
            if (!begun) {
                outlet.settled(List.of());
            }
        }
    }

    private boolean begin(Planned planned, Outlet outlet, Runnable after) {
        Arrival arrival = planned.identified().arrival();
        if (drained) {
            refuse(arrival, Stops.drained(false), after);
            return false;
        }
        ClientWatch client = new ClientWatch(vertx, arrival.http().response(), settings.clientStallMs());
        Running running = new Running(outlet, after);
        Settlement settlement = new Settlement(planned, meters, log, client, outlet::settled, running);
        Descent descent = new Descent(vertx, upstream, pools, planned, delivery(planned, outlet), settlement, client);
        running.begin(descent);
        client.onLeft(() -> {
            if (!descent.called() || !outlet.goesOn()) {
                descent.abandon();
            }
        });
        descent.start();
        return true;
    }

    private void replay(Identified identified, Recalled.Replayed replayed, Runnable after) {
        Arrival arrival = identified.arrival();
        ClientWatch client = new ClientWatch(vertx, arrival.http().response(), settings.clientStallMs());
        Settlement settlement =
                new Settlement(plans.plan(identified), meters, log, client, attempts -> replayed.record(), after);
        Reply.replay(arrival, replayed.answer());
        settlement.replayed(replayed.answer().step(), replayed.answer().model());
    }

    private void left(Runnable after) {
        meters.refused("client_abort");
        after.run();
    }

    /** Keeps a descent among the running ones until it is settled. */
    private final class Running implements Runnable {
        private final Outlet outlet;
        private final Runnable after;
        private Descent descent;

        Running(Outlet outlet, Runnable after) {
            this.outlet = outlet;
            this.after = after;
        }

        void begin(Descent begun) {
            descent = begun;
            descending.add(begun);
        }

        @Override
        public void run() {
            descending.remove(descent);
            outlet.whenDone(after);
        }
    }

    /**
     * Ends every request that still runs: a begun stream with an error event, others with a refusal. May be called from any
     * thread; completes when all callers that take what they are sent have been told.
     */
    public Future<Void> drain() {
        Promise<Void> told = Promise.promise();
        context.runOnContext(now -> {
            drained = true;
            Future.join(List.copyOf(descending).stream().map(Descent::drain).toList())
                    .<Void>mapEmpty()
                    .onComplete(told);
        });
        return told.future();
    }

    private static Delivery delivery(Planned planned, Outlet outlet) {
        ChatRequest chat = planned.identified().chat();
        Arrival arrival = planned.identified().arrival();
        return chat.streamed()
                ? new StreamDelivery(arrival, outlet, chat.facts().includeUsage())
                : new WholeDelivery(arrival, outlet);
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
