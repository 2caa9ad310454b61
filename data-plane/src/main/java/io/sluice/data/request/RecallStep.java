package io.sluice.data.request;

import io.sluice.data.recall.Claim;
import io.sluice.data.recall.Found;
import io.sluice.data.recall.IdempotencyDesk;
import io.sluice.data.recall.IdempotencyKey;
import io.sluice.data.recall.RecallSettings;
import io.sluice.data.seeing.RequestMeters;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.decision.RecallRecord;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks memory before anything is called: has the request that the caller's idempotency key stands for been answered, does it run
 * right now, or is it this one? For one event loop.
 */
final class RecallStep {
    private static final Logger LOG = LoggerFactory.getLogger(RecallStep.class);

    /** A longer body is hashed on a worker thread; this much takes a third of a millisecond. */
    private static final int HASHED_HERE_MAX = 256 << 10;

    /** Of the chat completions. */
    private static final String ROUTE = "chat";

    private final Vertx vertx;
    private final Context context;
    private final IdempotencyDesk desk;
    private final RecallSettings settings;
    private final RequestMeters meters;
    private final long clientStallMs;
    private int waiting;

    RecallStep(PipelineParts parts) {
        vertx = parts.vertx();
        context = parts.context();
        desk = parts.desk();
        settings = parts.recall();
        meters = parts.meters();
        clientStallMs = parts.settings().clientStallMs();
    }

    /** Whether memory may know anything of the request. */
    boolean concerns(Identified identified) {
        return identified.idempotencyKey() != null;
    }

    /** What memory has to say, told on the request's event loop. */
    Future<Recalled> recall(Identified identified) {
        long deadlineNs = identified.arrival().startNs() + identified.deadlineMs() * 1_000_000;
        long untilNs = Math.min(deadlineNs, System.nanoTime() + settings.waitMsMax() * 1_000_000);
        String prefers = identified.arrival().http().getHeader("prefer");
        boolean waits = prefers == null || !prefers.toLowerCase(Locale.ROOT).contains("respond-async");
        return claim(identified).compose(claim -> ask(new Asking(identified, claim, untilNs), waits));
    }

    /** A request under a key, and until when it may wait for another. */
    private record Asking(Identified identified, Claim claim, long untilNs) {}

    private Future<Claim> claim(Identified identified) {
        return identified.asSent().bytes() > HASHED_HERE_MAX
                ? vertx.executeBlocking(() -> claimNow(identified), false)
                : Future.succeededFuture(claimNow(identified));
    }

    private static Claim claimNow(Identified identified) {
        Arrival arrival = identified.arrival();
        return new Claim(
                new IdempotencyKey(
                        identified.caller().key().tenant(),
                        identified.caller().key().appId(),
                        ROUTE,
                        identified.idempotencyKey()),
                fingerprint(identified),
                identified.kind(),
                arrival.traceId(),
                arrival.at().toEpochMilli());
    }

    /** Of the body as it came and of the headers that change what it means. */
    private static String fingerprint(Identified identified) {
        ChatRequest chat = identified.asSent();
        String meaning = identified.scenario().name() + '\n' + identified.kind().name() + '\n';
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(meaning.getBytes(StandardCharsets.UTF_8));
            chat.digest(digest);
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }

    private Future<Recalled> ask(Asking asking, boolean waits) {
        boolean mayWait = waits && placeLeft() && System.nanoTime() < asking.untilNs();
        return Hop.to(context, desk.claim(asking.claim(), mayWait))
                .compose(
                        found -> found.verdict() == Verdict.WAIT
                                ? waitFor(asking)
                                : Future.succeededFuture(told(asking, found)),
                        unknown -> Future.succeededFuture(withoutMemory(asking, unknown)));
    }

    private boolean placeLeft() {
        return waiting < settings.waitersMax();
    }

    /** Others may have taken the last place while the desk was asked. */
    private Future<Recalled> waitFor(Asking asking) {
        return placeLeft() ? new Waiter(asking).result() : ask(asking, false);
    }

    private Recalled told(Asking asking, Found found) {
        Verdict verdict = found.verdict();
        meters.idempotency(verdict.name().toLowerCase(Locale.ROOT));
        if (verdict.begins()) {
            Arrival arrival = asking.identified().arrival();
            return new Recalled.Fresh(new RecordedOutlet(
                    arrival,
                    new CallerOutlet(arrival),
                    context,
                    desk,
                    asking.claim(),
                    found,
                    settings.answerBytesMax()));
        }
        if (verdict == Verdict.REPLAY) {
            return new Recalled.Replayed(
                    found.answer(),
                    RecallRecord.ofKey(
                            found.input(), verdict, null, null, found.answer().traceId()));
        }
        return new Recalled.Refused(RecallStops.of(verdict, found.input().kind()));
    }

    /** What only reads goes on as if it had no key; what writes is refused, since it might have been sent before. */
    private Recalled withoutMemory(Asking asking, Throwable unknown) {
        meters.idempotency("unavailable");
        LOG.atError()
                .addKeyValue("trace", asking.claim().traceId())
                .addKeyValue("cause", unknown.getMessage())
                .log("An idempotency key could not be looked up");
        return asking.identified().kind() == RequestKind.READ
                ? new Recalled.Fresh(new CallerOutlet(asking.identified().arrival()))
                : new Recalled.Refused(RecallStops.unavailable());
    }

    /** Waits for the end of the first request, of the caller's patience or of its presence, whichever comes first. */
    private final class Waiter {
        private final Asking asking;
        private final Promise<Recalled> promise = Promise.promise();
        private final ClientWatch client;
        private final long timer;
        private boolean over;

        Waiter(Asking asking) {
            this.asking = asking;
            waiting++;
            meters.idempotency("wait");
            client = new ClientWatch(vertx, asking.identified().arrival().http().response(), clientStallMs);
            long leftMs = (asking.untilNs() - System.nanoTime()) / 1_000_000;
            timer = vertx.setTimer(Math.max(1, leftMs), late -> then(() -> ask(asking, false)));
            Hop.to(context, desk.over(asking.claim())).onSuccess(told -> then(() -> after(told)));
            client.onLeft(() -> then(() -> Future.succeededFuture(new Recalled.Left())));
        }

        private Future<Recalled> after(Optional<Found> told) {
            return told.map(found -> Future.succeededFuture(told(asking, found)))
                    .orElseGet(() -> ask(asking, true));
        }

        private void then(Supplier<Future<Recalled>> next) {
            if (!over) {
                over = true;
                waiting--;
                client.stop();
                vertx.cancelTimer(timer);
                next.get().onComplete(promise);
            }
        }

        Future<Recalled> result() {
            return promise.future();
        }
    }
}
