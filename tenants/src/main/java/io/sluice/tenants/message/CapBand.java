package io.sluice.tenants.message;

import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.ledger.AccountKey;

/** How short money is in one cap in one period. */
public record CapBand(AccountKey account, BudgetBand band) {}
