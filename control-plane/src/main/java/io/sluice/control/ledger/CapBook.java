package io.sluice.control.ledger;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapFigures;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** How every cap stands, at most a second old, for whoever asks on whatever thread. The ledger actor writes it. */
public final class CapBook {
    private final Map<AccountKey, CapFigures> figures = new ConcurrentHashMap<>();

    /** Empty where nothing was asked of that cap in that period. */
    public Optional<CapFigures> figures(AccountKey account) {
        return Optional.ofNullable(figures.get(account));
    }

    /** Those of one tenant, of the periods that are not closed. */
    public List<CapFigures> of(TenantId tenant) {
        return figures.values().stream()
                .filter(each -> each.account().tenant().equals(tenant))
                .toList();
    }

    void write(Collection<CapFigures> changed) {
        changed.forEach(each -> figures.put(each.account(), each));
    }

    void keepOnly(Set<AccountKey> accounts) {
        figures.keySet().retainAll(accounts);
    }
}
