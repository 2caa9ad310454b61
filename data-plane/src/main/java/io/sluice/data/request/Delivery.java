package io.sluice.data.request;

import io.sluice.plugins.api.AnswerFrame;
import io.sluice.tenants.money.TokenUsage;
import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * Gives an answer to its caller. It keeps the commit point of requirement A7: what comes before the first content is held
 * back, so that a failed attempt can be forgotten; from then on nothing is taken back. For one request on one event loop.
 */
interface Delivery {
    /** Whether content was sent: nothing may be repeated any more. */
    boolean committed();

    /** Takes a piece of the answer; {@code head} is asked once, at the commit point. */
    void frame(AnswerFrame frame, Supplier<AnswerHead> head);

    /** Writes what was collected since the last call. */
    void flush();

    /** The answer is complete. */
    void complete(Supplier<AnswerHead> head, TokenUsage usage);

    /** The attempt failed before the commit point: forgets what it brought. */
    void forget();

    /** The answer broke off after the commit point; completes when the caller's socket has taken the words. */
    Future<Void> breakOff(Stop why);

    /** The upstream is silent, but alive. */
    void keepAlive();
}
