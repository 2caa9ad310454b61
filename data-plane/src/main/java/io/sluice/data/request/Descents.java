package io.sluice.data.request;

import io.sluice.data.decision.DecisionLog;
import io.sluice.data.drill.Drills;
import io.sluice.data.pool.Pools;
import io.sluice.data.recall.CachedAnswer;
import io.sluice.data.recall.KeptAnswer;
import io.sluice.data.seeing.RequestMeters;
import io.sluice.data.upstream.UpstreamClient;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.money.Money;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Answers planned requests, by a descent or from memory, and ends the descents that still run when the node goes down. One per event loop. */
final class Descents {
    private final Vertx vertx;
    private final Context context;
    private final Pools pools;
    private final UpstreamClient upstream;
    private final RequestMeters meters;
    private final DecisionLog log;
    private final RungProofs proofs;
    private final CacheStep caches;
    private final Drills drills;
    private final long clientStallMs;
    private final Set<Descent> descending = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean drained;

    /** @param clientStallMs a caller who reads nothing for this long is cut off */
    Descents(
            Vertx vertx,
            Context context,
            Pools pools,
            UpstreamClient upstream,
            RequestMeters meters,
            DecisionLog log,
            RungProofs proofs,
            CacheStep caches,
            Drills drills,
            long clientStallMs) {
        this.vertx = vertx;
        this.context = context;
        this.pools = pools;
        this.upstream = upstream;
        this.meters = meters;
        this.log = log;
        this.proofs = proofs;
        this.caches = caches;
        this.drills = drills;
        this.clientStallMs = clientStallMs;
    }

    /** Begins to descend; false where the node begins nothing any more. */
    boolean begin(Planned planned, CacheStep.Asked asked, Outlet outlet, Runnable after) {
        if (drained) {
            return false;
        }
        Reply.drilled(planned.identified().arrival(), planned.plan().start());
        ClientWatch client = watch(planned);
        Running running = new Running(outlet, after);
        QueueStep queue = new QueueStep(context, pools, planned);
        Settlement settlement = new Settlement(
                planned,
                queue,
                meters,
                log,
                proofs,
                drills,
                client,
                attempts -> asked.record(outlet.settled(attempts)),
                running);
        Delivery delivery = caches.keeping(delivery(planned, outlet), asked, planned.identified());
        Descent descent = new Descent(vertx, upstream, pools, planned, queue, asked, delivery, settlement, client);
        running.begin(descent);
        client.onLeft(() -> {
            if (!descent.called() || !outlet.goesOn()) {
                descent.abandon();
            }
        });
        descent.start();
        return true;
    }

    private ClientWatch watch(Planned planned) {
        return new ClientWatch(vertx, planned.identified().arrival().http().response(), clientStallMs);
    }

    private static Delivery delivery(Planned planned, Outlet outlet) {
        ChatRequest chat = planned.identified().chat();
        Arrival arrival = planned.identified().arrival();
        return chat.streamed()
                ? new StreamDelivery(arrival, outlet, chat.facts().includeUsage())
                : new WholeDelivery(arrival, outlet);
    }

    /** Gives the answer to an equal request, at no cost. */
    void share(Planned planned, CacheStep.Asked asked, Outlet outlet, Runnable after) {
        CachedAnswer answer = asked.found();
        boolean streamed = planned.identified().chat().streamed();
        Settlement settlement = new Settlement(
                planned,
                new QueueStep(context, pools, planned),
                meters,
                log,
                proofs,
                drills,
                watch(planned),
                attempts -> asked.record(outlet.settled(attempts)),
                () -> outlet.whenDone(after));
        long overheadUs = (System.nanoTime() - planned.identified().arrival().startNs()) / 1_000;
        AnswerHead head = new AnswerHead(
                answer.model(), answer.step(), 0, 0, null, overheadUs, streamed ? null : Money.ZERO, null, false, null);
        Delivery delivery = delivery(planned, outlet);
        answer.framesFor(streamed).forEach(frame -> delivery.frame(frame, () -> head));
        delivery.complete(() -> head, answer.usage());
        settlement.remembered("cached", answer.step(), answer.model());
    }

    /** Gives the first answer to the same named request once more, at no cost. */
    void replay(Planned planned, Recalled.Replayed replayed, Runnable after) {
        KeptAnswer answer = replayed.answer();
        Settlement settlement = new Settlement(
                planned,
                new QueueStep(context, pools, planned),
                meters,
                log,
                proofs,
                drills,
                watch(planned),
                attempts -> replayed.record(),
                after);
        Reply.replay(planned.identified().arrival(), answer);
        settlement.remembered("replayed", answer.step(), answer.model());
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

    /** See {@link RequestPipeline#drain}. */
    Future<Void> drain() {
        Promise<Void> told = Promise.promise();
        context.runOnContext(now -> {
            drained = true;
            Future.join(List.copyOf(descending).stream().map(Descent::drain).toList())
                    .<Void>mapEmpty()
                    .onComplete(told);
        });
        return told.future();
    }
}
