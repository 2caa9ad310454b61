package io.sluice.control.budget;

import io.sluice.control.api.CapStanding;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How every cap stood when the ledger told last. Thread-safe. */
public final class CapBoard {
    private final List<Consumer<CapStanding>> listeners = new CopyOnWriteArrayList<>();
    private volatile Map<AccountKey, CapStanding> standings = Map.of();

    /** From now on these hold; caps that are not among them have spent nothing. Tells listeners of those that changed. */
    public void publish(Collection<CapStanding> all) {
        Map<AccountKey, CapStanding> before = standings;
        standings = all.stream().collect(Collectors.toUnmodifiableMap(CapStanding::account, Function.identity()));
        for (CapStanding now : all) {
            CapStanding was = before.get(now.account());
            boolean changed =
                    was == null || was.band() != now.band() || !was.spent().equals(now.spent());
            if (changed) {
                listeners.forEach(listener -> listener.accept(now));
            }
        }
    }

    /** Those of all caps that have spent something in their running period. */
    public Collection<CapStanding> all() {
        return standings.values();
    }

    /** How a cap stands in the period that runs at {@code now}. */
    public CapStanding of(TenantConfig tenant, SpendCapConfig cap, Instant now) {
        Period period = tenant.calendar().periodAt(cap.period(), now);
        AccountKey account = new AccountKey(tenant.id(), cap.id(), period);
        CapStanding known = standings.get(account);
        return known != null
                ? known
                : new CapStanding(
                        account,
                        Money.ZERO,
                        Money.ZERO,
                        BudgetBand.NORMAL,
                        0,
                        tenant.calendar().endOf(period),
                        null,
                        null,
                        now);
    }

    /** Calls {@code listener} for each cap that changed until the result is run. */
    public Runnable listen(Consumer<CapStanding> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
