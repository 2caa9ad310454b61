package io.sluice.data.request;

import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.RecallRecord;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** Where the bytes of one answer go: to its caller, and perhaps into memory too. For one request on one event loop. */
interface Outlet {
    /** The answer begins. */
    void head(AnswerHead head, AnswerForm form);

    /** A piece of the answer. */
    void write(Buffer piece);

    /** Something that is no part of the answer, for a caller who keeps pace. */
    void keepAlive(Buffer comment);

    /** The last piece of the answer; completes when the caller's socket has taken it. */
    Future<Void> end(Buffer last);

    /** Whether an answer is wanted although its caller has left; from then on nothing is written to the caller. */
    boolean goesOn();

    /**
     * The request is over, answered or not.
     *
     * @return what to record of it; null where nothing is remembered
     */
    RecallRecord settled(List<AttemptRecord> attempts);

    /** Runs {@code after} once as soon as the request is settled and nothing is left to be sent. */
    void whenDone(Runnable after);
}
