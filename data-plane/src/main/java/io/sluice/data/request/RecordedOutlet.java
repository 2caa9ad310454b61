package io.sluice.data.request;

import io.sluice.data.recall.Claim;
import io.sluice.data.recall.Found;
import io.sluice.data.recall.IdempotencyDesk;
import io.sluice.data.recall.KeptAnswer;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.RecallRecord;
import io.sluice.tenants.recall.IdempotencyDecider;
import io.sluice.tenants.recall.IdempotencyDecider.End;
import io.sluice.tenants.recall.IdempotencyDecider.Fate;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what its caller is sent under the caller's idempotency key. The last piece leaves when all of it is on disk, so that
 * whoever has the whole answer will get the same again, also after a crash. It goes on without the caller. It gives the key back
 * once, however the request ends. Of an answer that stands in for a model's it keeps nothing.
 */
final class RecordedOutlet implements Outlet {
    private static final Logger LOG = LoggerFactory.getLogger(RecordedOutlet.class);

    private final Outlet caller;
    private final HttpServerResponse response;
    private final Context context;
    private final IdempotencyDesk desk;
    private final Claim claim;
    private final Found found;
    private final int bytesMax;
    private AnswerHead head;
    private AnswerForm form;
    private Buffer kept = Buffer.buffer();
    private boolean fits = true;
    private boolean callerLeft;
    private RecallRecord record;
    private boolean unsent;
    private Runnable after;

    /**
     * An outlet for the request that holds the key.
     *
     * @param caller the way to the caller
     * @param context of the request's event loop
     * @param bytesMax longest answer that is kept
     */
    RecordedOutlet(
            Arrival arrival,
            Outlet caller,
            Context context,
            IdempotencyDesk desk,
            Claim claim,
            Found found,
            int bytesMax) {
        this.caller = caller;
        response = arrival.http().response();
        this.context = context;
        this.desk = desk;
        this.claim = claim;
        this.found = found;
        this.bytesMax = bytesMax;
    }

    @Override
    public void head(AnswerHead begun, AnswerForm inForm) {
        head = begun;
        form = inForm;
        if (!callerLeft) {
            caller.head(begun, inForm);
        }
    }

    @Override
    public void write(Buffer piece) {
        keep(piece);
        if (!callerLeft) {
            caller.write(piece);
        }
    }

    private void keep(Buffer piece) {
        fits = fits && kept.length() + piece.length() <= bytesMax;
        kept = fits ? kept.appendBuffer(piece) : null;
    }

    @Override
    public void keepAlive(Buffer comment) {
        if (!callerLeft) {
            caller.keepAlive(comment);
        }
    }

    @Override
    public Future<Void> end(Buffer last) {
        keep(last);
        if (head.standIn()) {
            return send(last); // nothing of it is kept; what it was called before is known when it is settled
        }
        unsent = true;
        Promise<Void> sent = Promise.promise();
        giveBack(new End(true, fits, true, found.input().kind(), false), answer())
                .onComplete(stored -> context.runOnContext(now -> send(last).onComplete(done -> {
                    sent.handle(done);
                    sent();
                })));
        return sent.future();
    }

    private KeptAnswer answer() {
        return fits
                ? new KeptAnswer(
                        response.getStatusCode(),
                        form.contentType(),
                        kept,
                        head.model(),
                        head.step(),
                        head.descents(),
                        head.degraded(),
                        claim.traceId())
                : null;
    }

    private Future<Void> send(Buffer last) {
        boolean gone = callerLeft || response.ended() || response.closed();
        return gone ? Future.succeededFuture() : caller.end(last);
    }

    private Future<Void> giveBack(End end, KeptAnswer answer) {
        Fate fate = IdempotencyDecider.end(end);
        record = RecallRecord.ofKey(found.input(), found.verdict(), end, fate, null);
        return desk.end(claim, fate, answer)
                .onFailure(lost -> LOG.atError()
                        .addKeyValue("trace", claim.traceId())
                        .addKeyValue("cause", lost.getMessage())
                        .log("How a request with an idempotency key ended could not be kept"));
    }

    private void sent() {
        unsent = false;
        if (after != null) {
            after.run();
        }
    }

    @Override
    public boolean goesOn() {
        callerLeft = true;
        return true;
    }

    @Override
    public RecallRecord settled(List<AttemptRecord> attempts) {
        if (record == null) {
            boolean effectPossible = attempts.stream().anyMatch(AttemptRecord::mayHaveActed);
            boolean standIn = head != null && head.standIn();
            giveBack(new End(standIn, fits, effectPossible, found.input().kind(), standIn), null);
        }
        return record;
    }

    @Override
    public void whenDone(Runnable last) {
        if (unsent) {
            after = last;
        } else {
            last.run();
        }
    }
}
