package io.sluice.control.budget;

import io.sluice.control.api.BalanceStanding;
import io.sluice.control.spend.SpendStore.Span;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.ProviderBalanceConfig;
import io.sluice.tenants.config.TenantTree;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Looks up how prepaid accounts stand, from finance's rows. A row names a provider by its id alone: it counts to the account of the tenant
 * where the tenant has a provider of that id, else to the platform's. The platform's accounts are in US dollars and count tenants in
 * dollars only. Thread-safe.
 */
public final class BalanceDesk {
    private static final long QUARTER_SECONDS = 900;

    private static final String PLATFORM_CURRENCY = "USD";

    private final Spent spent;
    private final Supplier<Configuration> configuration;
    private final InstantSource clock;

    /** What calls of a provider cost, as {@link io.sluice.control.spend.SpendStore#ofProvider} has it. */
    @FunctionalInterface
    public interface Spent {
        Future<Map<TenantId, Long>> ofProvider(TenantId tenant, String provider, Span span);
    }

    public BalanceDesk(Spent spent, Supplier<Configuration> configuration, InstantSource clock) {
        this.spent = spent;
        this.configuration = configuration;
        this.clock = clock;
    }

    /**
     * How the declared accounts of an owner stand, by provider.
     *
     * @param owner null means the platform
     */
    public Future<List<BalanceStanding>> of(TenantId owner) {
        Configuration present = configuration.get();
        Instant now = clock.instant();
        List<Future<BalanceStanding>> standings =
                present.catalogOf(owner).orElse(Catalog.EMPTY).balances().values().stream()
                        .sorted(Comparator.comparing(ProviderBalanceConfig::provider))
                        .map(declared -> standing(present, owner, declared, now))
                        .toList();
        return Future.all(standings).map(all -> all.<BalanceStanding>list());
    }

    private Future<BalanceStanding> standing(
            Configuration present, TenantId owner, ProviderBalanceConfig declared, Instant now) {
        Future<Long> since = micros(present, owner, declared.provider(), declared.at(), now);
        Future<Long> burned = micros(present, owner, declared.provider(), BalanceDecider.burnFrom(declared, now), now);
        String currency = owner == null
                ? PLATFORM_CURRENCY
                : present.tenants().get(owner).tenant().currency();
        return Future.all(since, burned)
                .map(both -> BalanceDecider.decide(
                        new ScopedId(owner, declared.provider()),
                        declared,
                        since.result(),
                        burned.result(),
                        currency,
                        now));
    }

    /** Whole quarters: what was spent in the quarter before {@code from} counts too, which warns early rather than late. */
    private Future<Long> micros(Configuration present, TenantId owner, String provider, Instant from, Instant now) {
        long begins = from.getEpochSecond();
        long ends = now.getEpochSecond() + 1;
        Span span =
                new Span(begins - Math.floorMod(begins, QUARTER_SECONDS), ends + Math.floorMod(-ends, QUARTER_SECONDS));
        return spent.ofProvider(owner, provider, span)
                .map(byTenant -> byTenant.entrySet().stream()
                        .filter(each -> counts(present, owner, provider, each.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .sum());
    }

    private static boolean counts(Configuration present, TenantId owner, String provider, TenantId spender) {
        TenantTree tree = present.tenants().get(spender);
        return owner != null
                || (tree != null
                        && tree.tenant().currency().equals(PLATFORM_CURRENCY)
                        && !tree.catalog().providers().containsKey(provider));
    }
}
