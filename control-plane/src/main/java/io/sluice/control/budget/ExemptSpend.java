package io.sluice.control.budget;

import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.SpendFacts;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What scenarios that no band concerns have spent of each cap since this process began, micro-units. It tells bands how much to keep for
 * them; an amount that is counted twice or forgotten in a crash moves a band, never a cap. Thread-safe.
 */
public final class ExemptSpend {
    private final Supplier<Configuration> configuration;
    private final Map<AccountKey, Long> spent = new ConcurrentHashMap<>();

    public ExemptSpend(Supplier<Configuration> configuration) {
        this.configuration = configuration;
    }

    /** A request has cost something. */
    public void note(SpendFacts facts) {
        TenantTree tree = configuration.get().tenants().get(facts.tenant());
        ScenarioConfig scenario = tree == null ? null : tree.scenarios().get(facts.scenario());
        if (scenario == null || tree.spendCaps().isEmpty() || !exempt(scenario)) {
            return;
        }
        long micros = facts.charges().stream()
                .filter(charge -> charge.cost() != null)
                .mapToLong(charge -> charge.cost().micros())
                .sum();
        for (SpendCapConfig cap : tree.spendCaps().values()) {
            if (!cap.removed() && cap.covers(facts.app(), facts.scenario(), facts.endUser())) {
                AccountKey account = new AccountKey(
                        facts.tenant(), cap.id(), tree.tenant().calendar().periodAt(cap.period(), facts.at()));
                spent.merge(account, micros, Long::sum);
            }
        }
    }

    private static boolean exempt(ScenarioConfig scenario) {
        return ScenarioSettings.parse(scenario).budget().exempt();
    }

    long of(AccountKey account) {
        return spent.getOrDefault(account, 0L);
    }

    /** Forgets accounts whose periods ended before {@code now}. */
    void forget(Instant now) {
        spent.keySet().removeIf(account -> {
            TenantTree tree = configuration.get().tenants().get(account.tenant());
            return tree == null || !now.isBefore(tree.tenant().calendar().endOf(account.period()));
        });
    }
}
