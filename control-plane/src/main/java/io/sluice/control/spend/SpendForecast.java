package io.sluice.control.spend;

import io.sluice.control.spend.SpendStore.Span;
import io.sluice.tenants.money.Money;
import java.math.BigInteger;
import java.time.Instant;

/** What a running period will have cost at its end if it goes on as it did until now. Pure. */
final class SpendForecast {
    private SpendForecast() {}

    /** Null where the period is over or has not begun; its first second says nothing yet. */
    static Money of(Money spent, Span span, Instant now) {
        long elapsed = now.getEpochSecond() - span.from();
        long whole = span.until() - span.from();
        if (elapsed <= 0 || elapsed >= whole) {
            return null;
        }
        return new Money(BigInteger.valueOf(spent.micros())
                .multiply(BigInteger.valueOf(whole))
                .divide(BigInteger.valueOf(elapsed))
                .longValueExact());
    }
}
