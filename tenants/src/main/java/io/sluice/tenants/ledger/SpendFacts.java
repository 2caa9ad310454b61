package io.sluice.tenants.ledger;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * What one request cost and for what: the row that spend reports, exports and statements are made of.
 *
 * @param requestId unique per request of a node's life; a repeat of the same row is recognised by it
 * @param traceId of the request's decision record
 * @param endUser null where the caller named none
 * @param charges one per attempt that cost something, in order; empty where nothing left the gateway
 */
public record SpendFacts(
        String requestId,
        String traceId,
        Instant at,
        TenantId tenant,
        String app,
        String scenario,
        String endUser,
        List<Charge> charges) {
    public SpendFacts {
        Objects.requireNonNull(requestId);
        Objects.requireNonNull(at);
        Objects.requireNonNull(tenant);
        charges = List.copyOf(charges);
    }

    /** What all charges come to, micro-units; those without a price count nothing. */
    public long costMicros() {
        long sum = 0;
        for (Charge charge : charges) {
            sum = Math.addExact(sum, charge.cost() == null ? 0 : charge.cost().micros());
        }
        return sum;
    }

    /**
     * What one attempt cost.
     *
     * @param step name of the rung
     * @param usage disjoint token classes; {@code usage.estimated()} where the provider gave no figures
     * @param priceVersion of the price that was used; null where the model has no price
     */
    public record Charge(
            String step, String provider, String model, TokenUsage usage, Money cost, String priceVersion) {}
}
