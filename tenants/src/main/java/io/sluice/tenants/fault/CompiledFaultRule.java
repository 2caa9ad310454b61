package io.sluice.tenants.fault;

/**
 * A rule in the form the request path needs.
 *
 * @param scenario the only one it strikes; null for all; likewise pool, provider and model
 * @param share of the attempts it applies to that it strikes, above 0 to 1
 * @param startsAtMs first millisecond since the epoch at which it applies
 * @param endsAtMs first millisecond since the epoch at which it applies no more
 */
public record CompiledFaultRule(
        String id,
        String scenario,
        String pool,
        String provider,
        String model,
        Fault fault,
        double share,
        long startsAtMs,
        long endsAtMs) {
    /** Whether an attempt at {@code nowMs} is one of those that may be struck. */
    boolean applies(FaultDecider.Attempt attempt, long nowMs) {
        return nowMs >= startsAtMs
                && nowMs < endsAtMs
                && wants(scenario, attempt.scenario())
                && wants(pool, attempt.pool())
                && wants(provider, attempt.provider())
                && wants(model, attempt.model());
    }

    private static boolean wants(String filter, String value) {
        return filter == null || filter.equals(value);
    }
}
