package io.sluice.data.recall;

import io.vertx.core.buffer.Buffer;

/**
 * An answer as it was given.
 *
 * @param body every byte as sent, without keep-alives; of a stream all its events
 * @param model {@code provider/model}; null where no model answered
 * @param step name of the rung
 * @param descents rungs gone down
 * @param degraded why it is not the first rung's; null where it is
 * @param traceId of the request that it was made for
 */
public record KeptAnswer(
        int status,
        String contentType,
        Buffer body,
        String model,
        String step,
        int descents,
        String degraded,
        String traceId) {
    /** Rows have columns besides the body. */
    private static final int HEAD_BYTES = 512;

    /** About what it takes to keep it. */
    public int bytes() {
        return body.length() + HEAD_BYTES;
    }
}
