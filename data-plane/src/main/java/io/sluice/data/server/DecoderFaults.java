package io.sluice.data.server;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.sluice.data.request.Stop;
import io.sluice.tenants.failure.Refusal;

/** What a request is told that the HTTP decoder could not read. */
final class DecoderFaults {
    private DecoderFaults() {}

    static Stop of(Throwable cause) {
        if (cause instanceof TooLongHttpLineException) {
            return Stop.of(
                    Refusal.URI_TOO_LONG,
                    "the request line is too long for this gateway; parameters belong in the body",
                    null);
        }
        if (cause instanceof TooLongHttpHeaderException) {
            return Stop.of(
                    Refusal.HEADERS_TOO_LARGE,
                    "the headers are too large for this gateway; send fewer or shorter ones",
                    null);
        }
        return Stop.of(
                Refusal.MALFORMED_HTTP,
                "the request is not valid HTTP/1.1, so the connection is closed; send it with an HTTP client",
                null);
    }
}
