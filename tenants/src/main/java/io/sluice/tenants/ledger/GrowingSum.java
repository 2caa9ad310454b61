package io.sluice.tenants.ledger;

import io.sluice.tenants.money.TokenUsage;

/** A {@link SpendSum} to which more is added. Exact to the micro-unit; throws {@link ArithmeticException} where money overflows. Not thread-safe. */
public final class GrowingSum {
    private long requests;
    private long calls;
    private long input;
    private long cachedInput;
    private long cacheWrite;
    private long output;
    private long reasoning;
    private long serverToolCalls;
    private long costMicros;
    private long unpriced;

    /**
     * Adds one call.
     *
     * @param last whether it is the last of its request, where the request counts
     */
    public void add(SpendFacts.Charge charge, boolean last) {
        TokenUsage usage = charge.usage();
        requests += last ? 1 : 0;
        calls++;
        input += usage.input();
        cachedInput += usage.cachedInput();
        cacheWrite += usage.cacheWrite();
        output += usage.output();
        reasoning += usage.reasoning();
        serverToolCalls += usage.serverToolCalls();
        if (charge.cost() == null) {
            unpriced++;
        } else {
            costMicros = Math.addExact(costMicros, charge.cost().micros());
        }
    }

    /** Adds another sum, whatever its key. */
    public void add(SpendSum more) {
        requests += more.requests();
        calls += more.calls();
        input += more.input();
        cachedInput += more.cachedInput();
        cacheWrite += more.cacheWrite();
        output += more.output();
        reasoning += more.reasoning();
        serverToolCalls += more.serverToolCalls();
        costMicros = Math.addExact(costMicros, more.costMicros());
        unpriced += more.unpriced();
    }

    public long requests() {
        return requests;
    }

    public long costMicros() {
        return costMicros;
    }

    /** As it is now, under {@code key}. */
    public SpendSum of(SpendKey key) {
        return new SpendSum(
                key,
                requests,
                calls,
                input,
                cachedInput,
                cacheWrite,
                output,
                reasoning,
                serverToolCalls,
                costMicros,
                unpriced);
    }
}
