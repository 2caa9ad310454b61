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
 * @param unfinished whether the upstream may have been at work and has not said how that ended: time was up, the caller or the node
 *     left, the answer was too long, or the connection broke after the head of an answer. What it made then, and charges for, nobody
 *     here knows
 * @param firstTokenMs -1 where no content came
 * @param ownDelayMs how much of it may have been this node's, at most: what the loop was late with sending and with hearing
 */
public record CallEnd(
        FailureClass failure,
        int status,
        String message,
        long retryAfterMs,
        boolean sent,
        boolean unfinished,
        double firstTokenMs,
        double ownDelayMs,
        double totalMs) {}
