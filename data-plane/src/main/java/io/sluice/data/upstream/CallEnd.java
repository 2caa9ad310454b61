package io.sluice.data.upstream;

import io.sluice.tenants.failure.FailureClass;

/**
 * How one call ended.
 *
 * @param failure null where the answer is complete
 * @param status HTTP status, 0 where none came
 * @param message the upstream's words or our own, for operators; null after a success
 * @param retryAfterMs how long the provider wants to be left alone
 * @param sent whether the request had left for the upstream
 * @param firstTokenMs -1 where no content came
 */
public record CallEnd(
        FailureClass failure,
        int status,
        String message,
        long retryAfterMs,
        boolean sent,
        double firstTokenMs,
        double totalMs) {}
