package io.sluice.plugins.api;

import io.sluice.plugins.api.chat.ChatRequest;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/**
 * Speaks one provider's protocol. A pure codec: it opens no socket and keeps nothing between requests.
 * <ol>
 *   <li>Each attempt is encoded anew from the canonical request, which is never changed.
 *   <li>Methods are called on event loops, possibly several at once; they must not block.
 *   <li>A decoder serves one attempt on one event loop.
 *   <li>Whatever {@link #encode} or a decoder throws fails that attempt as {@code UPSTREAM_INTERNAL} and nothing else.
 * </ol>
 */
public interface Provider {
    /** The dialect of the JSON in {@link AnswerFrame#wire}. */
    Dialect dialect();

    /**
     * Scheme, host and port to connect to, without path. The credential is bound to it: the gateway sends no call of this
     * provider anywhere else.
     */
    URI origin();

    /**
     * One HTTP call for one attempt.
     *
     * @throws UnsupportedRequestException where this provider can not carry what the caller asks for; the attempt fails as
     *     {@code BAD_REQUEST} with the exception's message, nothing is sent
     */
    UpstreamCall encode(ChatRequest request, Upstream upstream) throws UnsupportedRequestException;

    /** A fresh decoder for the answer to {@code request}. */
    AnswerDecoder decoder(ChatRequest request);

    /**
     * What an answer says of the account's limits, whatever its status; a pure function.
     *
     * @param now against which points in time are read
     * @return {@link QuotaFigures#NONE} where the provider says nothing
     */
    default QuotaFigures quota(UpstreamHeaders headers, Instant now) {
        return QuotaFigures.NONE;
    }

    /**
     * A call that costs nothing and changes nothing, such as a list of models. While a target that may be needed is idle it is
     * made now and then, so that its address, connection and TLS are warm when a request comes. Of the answer only the status is
     * looked at; below 500 is a sign of life.
     *
     * @return empty where the provider has no such call, or its settings switch it off
     */
    default Optional<UpstreamCall> ping(Upstream upstream) {
        return Optional.empty();
    }

    /** Releases what {@link ProviderFactory#create} acquired. */
    default Future<Void> close() {
        return Future.succeededFuture();
    }
}
