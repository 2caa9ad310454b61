package io.sluice.ops.redis;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.CapScope;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.LocalPeriods;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;

/** Configurations of one tenant with one cap. */
final class LedgerCaps {
    private static final TenantId ACME = new TenantId("acme");

    private LedgerCaps() {}

    static Configuration of(CapPeriod period, String zone, long epoch, String limit) {
        SpendCapConfig cap = new SpendCapConfig(
                "tenant",
                (int) epoch,
                CapScope.TENANT,
                null,
                period,
                Money.of(limit),
                0.7,
                0.9,
                AtExhaustion.REFUSE,
                null);
        TenantTree tree = TenantTree.of(new TenantConfig(ACME, 1, "Acme", ZoneId.of(zone), "USD", false))
                .with(cap);
        return new Configuration(epoch, Configuration.EMPTY.platform(), Map.of(ACME, tree), Map.of());
    }

    /** The account of the period that runs at {@code now}. */
    static AccountKey account(CapPeriod period, String zone, Instant now) {
        return new AccountKey(ACME, "tenant", LocalPeriods.at(period, now, ZoneId.of(zone)));
    }
}
