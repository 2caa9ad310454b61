package io.sluice.tenants.recall;

import io.sluice.tenants.config.RequestKind;

/**
 * Says whether an equal request's answer may be this one's (requirement A9's exact cache). A scenario asks for it, since only its
 * owner knows that equal questions may have equal answers; temperature is therefore no reason against it. The rules, first match
 * wins:
 * <ol>
 *   <li>the scenario has no cache: it is not used
 *   <li>the request is not one of many equal ones (it writes, belongs to a user or a session, wants several choices, is large) or
 *       its caller wants nothing stored: it is passed by
 *   <li>there is an answer of the last {@code ttl} and the caller does not want a new one: hit
 *   <li>else: miss
 * </ol>
 */
public final class CacheDecider {
    private CacheDecider() {}

    /**
     * What the choice depends on.
     *
     * @param ttlMs how long the scenario's answers are good; 0 where it has no cache
     * @param userContext whether the request names an end user or a session
     * @param choices answers that the request wants
     * @param large whether the body is longer than is worth comparing
     * @param noStore whether the caller forbids keeping
     * @param noCache whether the caller wants a new answer
     * @param ageMs of the answer that is there; -1 where there is none
     */
    public record Input(
            long ttlMs,
            RequestKind kind,
            boolean userContext,
            int choices,
            boolean large,
            boolean noStore,
            boolean noCache,
            long ageMs) {}

    /** What to do with the request. */
    public enum Verdict {
        UNUSED,
        BYPASS,
        HIT,
        /** It is answered anew, and the answer is kept. */
        MISS
    }

    /** Whether the cache may be asked at all: everything but the age is known then. */
    public static boolean asks(Input input) {
        return input.ttlMs() > 0
                && input.kind() == RequestKind.READ
                && !input.userContext()
                && input.choices() == 1
                && !input.large()
                && !input.noStore();
    }

    /**
     * Whether the answer that is there may answer where nothing better could, though it is no longer fresh: on a rung that takes
     * answers of up to {@code maxAgeMs}.
     */
    public static boolean mayAnswerStale(Input input, long maxAgeMs) {
        return asks(input) && !input.noCache() && input.ageMs() >= 0 && input.ageMs() < maxAgeMs;
    }

    /** The verdict for {@code input}. */
    public static Verdict decide(Input input) {
        if (input.ttlMs() == 0) {
            return Verdict.UNUSED;
        }
        if (!asks(input)) {
            return Verdict.BYPASS;
        }
        boolean fresh = input.ageMs() >= 0 && input.ageMs() < input.ttlMs();
        return fresh && !input.noCache() ? Verdict.HIT : Verdict.MISS;
    }
}
