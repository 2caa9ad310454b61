package io.sluice.data.upstream;

import io.sluice.plugins.api.UpstreamCall;
import io.sluice.plugins.api.UpstreamHeaders;
import io.sluice.tenants.failure.FailureClass;
import io.vertx.core.buffer.Buffer;

/**
 * One call's way to an upstream and back: bytes, no meaning. Used on one event loop.
 * <ol>
 *   <li>{@link #open} is called once; it tells its ear everything in order: sent, head, data, and then ended or broken, or
 *       nothing more where the upstream is silent.
 *   <li>After {@link #release} it tells nothing more, and whatever it holds is given back or cut.
 * </ol>
 */
interface Wire {
    /** Who hears what the wire brings. */
    interface Ear {
        /** The request has left, so the upstream may have worked on it. */
        void onSent();

        void onHead(int status, UpstreamHeaders headers);

        void onData(Buffer piece);

        /** The body ended regularly. */
        void onEnded();

        /** No answer, or one without its regular end. */
        void onBroken(FailureClass failure, String message);
    }

    /**
     * Sends the call.
     *
     * @param nowNs of {@link System#nanoTime}, for what is known about the origin's address
     */
    void open(Origin origin, UpstreamCall call, long nowNs);

    /** Stops reading. */
    void pause();

    /** Reads on. */
    void resume();

    /**
     * The call is over.
     *
     * @param complete whether all of the answer that counts has come: then the connection may be used again
     */
    void release(boolean complete);
}
