package io.sluice.tenants.decision;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.recall.IdempotencyDecider;

/**
 * What was remembered for a request, and what will be for its repeats. The caller's key is not in it.
 *
 * @param idempotency what the verdict on the key followed from; null where the request has no key
 * @param verdict on the key; null where the request has no key
 * @param end how the request ended that the key stands for; null where this request was not the one that ran
 * @param fate of the key's record; null where this request was not the one that ran
 * @param firstTraceId of the request whose answer was replayed; null where none was
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RecallRecord(
        IdempotencyDecider.Input idempotency,
        IdempotencyDecider.Verdict verdict,
        IdempotencyDecider.End end,
        IdempotencyDecider.Fate fate,
        String firstTraceId) {}
