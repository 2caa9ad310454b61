package io.sluice.data.request;

import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.recall.IdempotencyDecider.Verdict;
import java.util.Locale;

/** The words in which a request is told what its idempotency key stands for. */
final class RecallStops {
    static final String HEADER = "Idempotency-Key";

    /** A first request is over in seconds; asking sooner only asks more often. */
    private static final long RETRY_MS = 1_000;

    private RecallStops() {}

    /** For a verdict that lets the request neither begin nor wait nor be replayed. */
    static Stop of(Verdict verdict, RequestKind kind) {
        return switch (verdict) {
            case TELL_RUNNING ->
                Stop.later(
                        Refusal.REQUEST_IN_FLIGHT,
                        "the first request with this Idempotency-Key is still running; ask again with the same key and"
                                + " body to get its answer",
                        RETRY_MS);
            case TELL_REUSED ->
                Stop.of(
                        Refusal.IDEMPOTENCY_KEY_REUSED,
                        "this Idempotency-Key was used for another request (another body, scenario or kind); send a new"
                                + " request under a new key",
                        HEADER);
            case TELL_TOO_LARGE ->
                Stop.of(
                        Refusal.ANSWER_TOO_LARGE_TO_KEEP,
                        "the request with this Idempotency-Key was answered, but its answer was too large to be kept and"
                                + " can't be sent again; if you need it once more, send the request under a new key",
                        HEADER);
            case TELL_UNKNOWN ->
                Stop.of(
                        Refusal.OUTCOME_UNKNOWN,
                        "a request with this Idempotency-Key was sent to a model before and how it ended is not known; a "
                                + kind.name().toLowerCase(Locale.ROOT)
                                + " request is never sent twice, so find out whether it took effect, and if it did not,"
                                + " send it under a new key",
                        HEADER);
            case BEGIN, BEGIN_AGAIN, REPLAY, WAIT ->
                throw new IllegalArgumentException("nothing to refuse: " + verdict);
        };
    }

    /** Nobody can say whether the request was sent before. */
    static Stop unavailable() {
        return Stop.later(
                Refusal.IDEMPOTENCY_UNAVAILABLE,
                "the record of idempotency keys can't be reached, and a request that writes is not sent without it; nothing"
                        + " was sent, try again with the same key",
                RETRY_MS);
    }
}
