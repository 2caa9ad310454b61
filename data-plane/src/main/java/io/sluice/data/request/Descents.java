package io.sluice.data.request;

import io.sluice.data.recall.CachedAnswer;
import io.sluice.data.recall.KeptAnswer;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.RecallRecord;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Answers planned requests, by a descent or from memory, and ends the descents that still run when the node goes down. One per event loop. */
final class Descents {
    private final PipelineParts parts;
    private final CacheStep caches;
    private final Set<Descent> descending = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean drained;

    Descents(PipelineParts parts, CacheStep caches) {
        this.parts = parts;
        this.caches = caches;
    }

    /** Descends; where the node begins nothing any more the request is refused, and its money given back. */
    void begin(Planned planned, RequestMoney money, CacheStep.Asked asked, Outlet outlet, Runnable after) {
        if (drained) {
            money.release();
            refuse(planned, Stops.drainedUnsent(), asked, outlet, after);
            return;
        }
        Reply.drilled(planned.identified().arrival(), planned.plan().start());
        ClientWatch client = watch(planned);
        Running running = new Running(outlet, after);
        QueueStep queue = new QueueStep(parts.context(), parts.pools(), planned);
        Settlement settlement = new Settlement(
                parts, planned, queue, money, client, attempts -> asked.record(outlet.settled(attempts)), running);
        Delivery delivery = caches.keeping(delivery(planned, outlet), asked, planned.identified());
        Descent descent = new Descent(parts, planned, queue, money, asked, delivery, settlement, client);
        running.begin(descent);
        client.onLeft(() -> {
            if (!descent.called() || !outlet.goesOn()) {
                descent.abandon();
            }
        });
        descent.start();
    }

    /** Ends a request that was planned and calls nobody. */
    void refuse(Planned planned, Stop stop, CacheStep.Asked asked, Outlet outlet, Runnable after) {
        uncalled(planned, attempts -> asked.record(outlet.settled(attempts)), () -> outlet.whenDone(after))
                .refused(List.of(), stop, 0);
    }

    private ClientWatch watch(Planned planned) {
        return new ClientWatch(
                parts.vertx(),
                planned.identified().arrival().http().response(),
                parts.settings().clientStallMs());
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
        Settlement settlement =
                uncalled(planned, attempts -> asked.record(outlet.settled(attempts)), () -> outlet.whenDone(after));
        long overheadUs = (System.nanoTime() - planned.identified().arrival().startNs()) / 1_000;
        AnswerHead head = new AnswerHead(
                answer.model(),
                answer.step(),
                0,
                0,
                null,
                overheadUs,
                streamed ? null : planned.inDollars(Money.ZERO),
                null,
                false,
                null);
        Delivery delivery = delivery(planned, outlet);
        answer.framesFor(streamed).forEach(frame -> delivery.frame(frame, () -> head));
        delivery.complete(() -> head, answer.usage());
        settlement.remembered("cached", answer.step(), answer.model());
    }

    /** Gives the first answer to the same named request once more, at no cost. */
    void replay(Planned planned, Recalled.Replayed replayed, Runnable after) {
        KeptAnswer answer = replayed.answer();
        Settlement settlement = uncalled(planned, attempts -> replayed.record(), after);
        Reply.replay(planned, answer);
        settlement.remembered("replayed", answer.step(), answer.model());
    }

    /** Of a request that calls nobody. */
    private Settlement uncalled(
            Planned planned, Function<List<AttemptRecord>, RecallRecord> remembering, Runnable after) {
        QueueStep never = new QueueStep(parts.context(), parts.pools(), planned);
        return new Settlement(parts, planned, never, null, watch(planned), remembering, after);
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
        parts.context().runOnContext(now -> {
            drained = true;
            Future.join(List.copyOf(descending).stream().map(Descent::drain).toList())
                    .<Void>mapEmpty()
                    .onComplete(told);
        });
        return told.future();
    }
}
