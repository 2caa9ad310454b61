package io.sluice.data.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.limit.LimitKey;
import io.sluice.tenants.limit.LimitLevel;
import io.sluice.tenants.limit.TokenEstimate;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The counters of one node, made at their first use. A tenant's are its own: however many end users it names, it gives up its own
 * counters, never others'. Thread-safe; a look-up takes no lock.
 */
public final class LimitCounters {
    /** Longer than the longest request runs (an hour of stream), so that what runs is never forgotten. */
    private static final Duration KEPT = Duration.ofHours(2);

    private final int endUsersMax;
    private final Cache<TenantId, OfTenant> tenants = Caffeine.newBuilder()
            .expireAfterAccess(KEPT)
            .executor(Runnable::run)
            .build();

    /** @param endUsersMax per tenant; those who have not been seen for longest are forgotten, and may then use their limit anew */
    public LimitCounters(int endUsersMax) {
        this.endUsersMax = endUsersMax;
    }

    /** Those of one tenant. */
    static final class OfTenant {
        private final Cache<LimitKey, LimitCounter> named;
        private final Cache<LimitKey, LimitCounter> endUsers;
        private final ConcurrentMap<String, AtomicInteger> usual = new ConcurrentHashMap<>();

        OfTenant(int endUsersMax) {
            named = Caffeine.newBuilder()
                    .expireAfterAccess(KEPT)
                    .executor(Runnable::run)
                    .build();
            endUsers = Caffeine.newBuilder()
                    .maximumSize(endUsersMax)
                    .expireAfterAccess(KEPT)
                    .executor(Runnable::run)
                    .build();
        }

        /** @param key of this tenant */
        LimitCounter of(LimitKey key) {
            boolean named = key.level() != LimitLevel.END_USER && key.level() != LimitLevel.APP_END_USER;
            Cache<LimitKey, LimitCounter> counters = named ? this.named : endUsers;
            LimitCounter counter = counters.getIfPresent(key);
            return counter != null ? counter : counters.get(key, made -> new LimitCounter());
        }
    }

    LimitCounter of(LimitKey key) {
        return tenant(key.tenant()).of(key);
    }

    /** How many end users of a tenant are counted now. */
    long endUsers(TenantId tenant) {
        Cache<LimitKey, LimitCounter> endUsers = tenant(tenant).endUsers;
        endUsers.cleanUp();
        return endUsers.estimatedSize();
    }

    /** Tokens that answers of a scenario usually have, {@link TokenEstimate#UNKNOWN} before the first. */
    public AtomicInteger usual(TenantId tenant, String scenario) {
        ConcurrentMap<String, AtomicInteger> usual = tenant(tenant).usual;
        AtomicInteger there = usual.get(scenario);
        return there != null
                ? there
                : usual.computeIfAbsent(scenario, made -> new AtomicInteger(TokenEstimate.UNKNOWN));
    }

    OfTenant tenant(TenantId id) {
        OfTenant tenant = tenants.getIfPresent(id);
        return tenant != null ? tenant : tenants.get(id, made -> new OfTenant(endUsersMax));
    }
}
