package io.sluice.control.ledger;

import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapTerms;
import io.sluice.tenants.ledger.TenantCalendar;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The terms of an account by the configuration that serves now. Their version is the configuration's epoch, which only grows.
 *
 * @param configuration that serves now
 */
record ConfiguredCaps(Supplier<Configuration> configuration) implements Function<AccountKey, CapTerms> {
    @Override
    public CapTerms apply(AccountKey account) {
        Configuration now = configuration.get();
        TenantTree tree = now.tenants().get(account.tenant());
        SpendCapConfig cap = tree == null ? null : tree.spendCaps().get(account.capId());
        if (cap == null || cap.removed() || cap.period() != account.period().kind()) {
            return new CapTerms(now.epoch(), false, 0, Instant.EPOCH, Instant.EPOCH);
        }
        TenantCalendar calendar = tree.tenant().calendar();
        return new CapTerms(
                now.epoch(),
                true,
                cap.limit().micros(),
                calendar.beginOf(account.period()),
                calendar.endOf(account.period()));
    }
}
