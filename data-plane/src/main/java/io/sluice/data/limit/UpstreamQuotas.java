package io.sluice.data.limit;

import io.sluice.plugins.api.QuotaFigures;
import io.sluice.tenants.limit.LimitKind;
import io.sluice.tenants.limit.TokenEstimate;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.UpstreamQuota;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;

/**
 * The limits of upstream accounts on this node (requirement B2): what is left of them is looked at before a target is chosen, and
 * counted when it is called. Targets of one quota group share everything. Thread-safe, without locks.
 */
public final class UpstreamQuotas {
    /** What is known of an account is worth nothing after a minute; calls that run hold on to what they count in. */
    private static final Duration KEPT = Duration.ofHours(1);

    private final ConcurrentMap<String, QuotaGauge> gauges = new ConcurrentHashMap<>();
    private final double share;
    private final RateShares shares;
    private final LongSupplier clockMs;

    /**
     * All accounts are unused.
     *
     * @param share of a limit that is used, above 0 and at most 1
     * @param clockMs milliseconds of a clock that never goes back
     */
    public UpstreamQuotas(double share, RateShares shares, LongSupplier clockMs) {
        this.share = share;
        this.shares = shares;
        this.clockMs = clockMs;
    }

    /** Milliseconds until the target's account has quota for a call of so many tokens; 0 where it has now. */
    public long untilQuotaMs(CompiledTarget target, long tokens) {
        QuotaGauge gauge = gauges.get(target.quota().key());
        if (gauge == null) {
            return 0;
        }
        long nowMs = clockMs.getAsLong();
        return gauge.untilQuotaMs(allowed(gauge, target.quota(), nowMs), tokens, nowMs);
    }

    /** Counts a call that is about to be made; null where its account has no quota for it. */
    public QuotaPermit tryTake(CompiledTarget target, long tokens) {
        long nowMs = clockMs.getAsLong();
        QuotaGauge gauge = of(target, nowMs);
        return gauge.tryTake(allowed(gauge, target.quota(), nowMs), tokens, nowMs);
    }

    private QuotaGauge.Allowed allowed(QuotaGauge gauge, UpstreamQuota quota, long nowMs) {
        return gauge.allowed(
                configured(quota, LimitKind.REQUESTS, quota.requestsPerMinute()),
                configured(quota, LimitKind.TOKENS, quota.tokensPerMinute()),
                share,
                nowMs);
    }

    private int configured(UpstreamQuota quota, LimitKind kind, Integer limit) {
        return limit == null ? 0 : shares.ofAccount(quota.key(), kind, limit);
    }

    /** The call ended; its tokens are known. */
    public void ended(QuotaPermit permit, long tokensUsed) {
        permit.end(tokensUsed, clockMs.getAsLong());
    }

    /** The call was not made after all. */
    public void unsent(QuotaPermit permit) {
        permit.unsent(clockMs.getAsLong());
    }

    /** An answer said what is left. */
    public void said(CompiledTarget target, QuotaFigures figures) {
        long nowMs = clockMs.getAsLong();
        of(target, nowMs).said(figures, share, nowMs);
    }

    /** The target refused a call with 429. */
    public void refused(CompiledTarget target, long retryAfterMs) {
        long nowMs = clockMs.getAsLong();
        of(target, nowMs).refused(retryAfterMs, nowMs);
    }

    private QuotaGauge of(CompiledTarget target, long nowMs) {
        String key = target.quota().key();
        QuotaGauge gauge = gauges.get(key);
        return gauge != null ? gauge : gauges.computeIfAbsent(key, made -> new QuotaGauge(nowMs));
    }

    /** Forgets accounts that nobody called for {@link #KEPT}; called now and then by one thread. */
    public void forgetUnused() {
        long beforeMs = clockMs.getAsLong() - KEPT.toMillis();
        gauges.values().removeIf(gauge -> gauge.usedMs() < beforeMs);
    }

    /** How many accounts something is known of. */
    int known() {
        return gauges.size();
    }

    /** Tokens that a call of the target is expected to use. */
    public static long expected(CompiledTarget target, int promptTokens, int choices, int maxTokens) {
        return TokenEstimate.of(
                promptTokens, choices, maxTokens, target.maxOutputTokens(), TokenEstimate.UNKNOWN, Integer.MAX_VALUE);
    }
}
