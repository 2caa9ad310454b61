package io.sluice.data.limit;

/** One call that is counted among those of its upstream account. It ends once. For one attempt; not thread-safe. */
public final class QuotaPermit {
    private final QuotaGauge gauge;
    private final long counted;
    private final long takenMs;
    private boolean ended;

    QuotaPermit(QuotaGauge gauge, long counted, long takenMs) {
        this.gauge = gauge;
        this.counted = counted;
        this.takenMs = takenMs;
    }

    /** @param used tokens, by the provider's figures or Sluice's */
    void end(long used, long nowMs) {
        if (!ended) {
            ended = true;
            gauge.settle(counted, used, takenMs, nowMs);
        }
    }

    /** Another part of the attempt could not start: nothing was sent. */
    void unsent(long nowMs) {
        if (!ended) {
            ended = true;
            gauge.unsent(counted, takenMs, nowMs);
        }
    }
}
