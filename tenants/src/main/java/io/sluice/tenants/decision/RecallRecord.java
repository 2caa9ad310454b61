package io.sluice.tenants.decision;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.recall.CacheDecider;
import io.sluice.tenants.recall.IdempotencyDecider;

/**
 * What was remembered for a request, and what will be for its repeats. The caller's key is not in it.
 *
 * @param idempotency what the verdict on the key followed from; null where the request has no key
 * @param verdict on the key; null where the request has no key
 * @param end how the request ended that the key stands for; null where this request was not the one that ran
 * @param fate of the key's record; null where this request was not the one that ran
 * @param cache what the exact cache's verdict followed from; null where the scenario has no cache
 * @param cacheVerdict of the exact cache; null where the scenario has no cache
 * @param stale what a cache rung made of the same answer; null where none was reached
 * @param firstTraceId of the request whose answer was given again; null where none was
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RecallRecord(
        IdempotencyDecider.Input idempotency,
        IdempotencyDecider.Verdict verdict,
        IdempotencyDecider.End end,
        IdempotencyDecider.Fate fate,
        CacheDecider.Input cache,
        CacheDecider.Verdict cacheVerdict,
        Stale stale,
        String firstTraceId) {
    /**
     * That a cache rung was reached.
     *
     * @param maxAgeMs of the rung
     * @param answered whether an old answer was given
     */
    public record Stale(long maxAgeMs, boolean answered) {}

    /** The same with what the cache was asked. */
    public RecallRecord with(CacheDecider.Input asked, Stale rung, String answeredFirst) {
        return new RecallRecord(
                idempotency, verdict, end, fate, asked, CacheDecider.decide(asked), rung, answeredFirst);
    }

    /** For a request without a key. */
    public static RecallRecord ofCache(CacheDecider.Input asked, Stale rung, String answeredFirst) {
        return new RecallRecord(null, null, null, null, asked, CacheDecider.decide(asked), rung, answeredFirst);
    }

    /** For a request with a key that was not asked of the cache. */
    public static RecallRecord ofKey(
            IdempotencyDecider.Input found,
            IdempotencyDecider.Verdict verdict,
            IdempotencyDecider.End end,
            IdempotencyDecider.Fate fate,
            String answeredFirst) {
        return new RecallRecord(found, verdict, end, fate, null, null, null, answeredFirst);
    }
}
