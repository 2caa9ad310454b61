package io.sluice.data.request;

import io.sluice.tenants.money.Money;

/**
 * What the response headers say about the route.
 *
 * @param model {@code provider/model}; null where no model answered
 * @param step name of the rung; null where none answered
 * @param descents rungs gone down
 * @param degraded why the answer is not the first rung's; null where it is
 * @param overheadUs time spent in Sluice itself so far, microseconds
 * @param dollars cost of all attempts; null for streams, where it is unknown, and where the tenant pays in another currency
 * @param notice what stands before the answer; null where nothing does
 * @param standIn whether the answer is that of a rung that called nothing: it is true of this moment only
 * @param faults ids of the fault rules that struck; null where none did
 */
public record AnswerHead(
        String model,
        String step,
        int attempts,
        int descents,
        String degraded,
        long overheadUs,
        Money dollars,
        Notice notice,
        boolean standIn,
        String faults) {}
