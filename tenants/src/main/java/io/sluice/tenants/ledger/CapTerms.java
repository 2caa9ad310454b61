package io.sluice.tenants.ledger;

import java.time.Instant;
import java.util.Objects;

/**
 * What the configuration and the tenant's calendar say about one cap in one period.
 *
 * @param version of the configuration; a newer one takes the place of an older one
 * @param capped false where there is no such cap any more
 * @param limitMicros the cap
 * @param opens when the period begins
 * @param ends when it ends
 */
public record CapTerms(long version, boolean capped, long limitMicros, Instant opens, Instant ends) {
    public CapTerms {
        Objects.requireNonNull(opens);
        Objects.requireNonNull(ends);
    }
}
