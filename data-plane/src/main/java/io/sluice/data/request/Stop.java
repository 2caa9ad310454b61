package io.sluice.data.request;

import io.sluice.tenants.failure.Refusal;

/**
 * Why a request ends without an answer of a model.
 *
 * @param message what happened and what to do; for the caller's eyes
 * @param param the wrong member or header; null where there is none
 * @param retryAfterMs when it is worth coming back; 0 where waiting does not help by itself
 * @param retryable false tells SDKs not to repeat by themselves
 */
public record Stop(Refusal refusal, String message, String param, long retryAfterMs, boolean retryable) {
    /** A refusal that a repeat would not change. */
    public static Stop of(Refusal refusal, String message, String param) {
        return new Stop(refusal, message, param, 0, refusal.status() >= 500 && refusal != Refusal.INTERNAL);
    }

    /** The same with {@code more} words at its end. */
    Stop and(String more) {
        return new Stop(refusal, message + more, param, retryAfterMs, retryable);
    }

    /** A refusal that is worth a repeat after a while. */
    public static Stop later(Refusal refusal, String message, long retryAfterMs) {
        return new Stop(refusal, message, null, retryAfterMs, true);
    }
}
