package io.sluice.data.limit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.limit.LimitKey;
import io.sluice.tenants.limit.LimitLevel;
import io.sluice.tenants.limit.TokenEstimate;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
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

    /** At 100 ns each a tenth of a millisecond, once a second. */
    private static final int LOOKED_AT = 1_000;

    private final int endUsersMax;
    private final ConcurrentMap<LimitKey, LimitCounter> named = new ConcurrentHashMap<>();
    private final ConcurrentMap<TenantId, OfTenant> tenants = new ConcurrentHashMap<>();
    private Iterator<Map.Entry<LimitKey, LimitCounter>> next = Collections.emptyIterator();

    /** @param endUsersMax per tenant; those who have not been seen for longest are forgotten, and may then use their limit anew */
    public LimitCounters(int endUsersMax) {
        this.endUsersMax = endUsersMax;
    }

    /** Those of one tenant. */
    private static final class OfTenant {
        private final Cache<LimitKey, LimitCounter> endUsers;
        private final ConcurrentMap<String, AtomicInteger> usual = new ConcurrentHashMap<>();

        OfTenant(int endUsersMax) {
            endUsers = Caffeine.newBuilder()
                    .maximumSize(endUsersMax)
                    .expireAfterAccess(KEPT)
                    .executor(Runnable::run)
                    .build();
        }
    }

    LimitCounter of(LimitKey key) {
        if (ofEndUser(key)) {
            Cache<LimitKey, LimitCounter> endUsers = tenant(key.tenant()).endUsers;
            LimitCounter there = endUsers.getIfPresent(key);
            return there != null ? there : endUsers.get(key, made -> new LimitCounter());
        }
        LimitCounter there = named.get(key);
        if (there != null && there.forgotten()) {
            named.remove(key, there);
            there = null;
        }
        return there != null ? there : named.computeIfAbsent(key, made -> new LimitCounter());
    }

    /** As {@link #of}; null where nothing is counted. */
    LimitCounter ifThere(LimitKey key) {
        return ofEndUser(key) ? tenant(key.tenant()).endUsers.getIfPresent(key) : named.get(key);
    }

    private static boolean ofEndUser(LimitKey key) {
        return key.level() == LimitLevel.END_USER || key.level() == LimitLevel.APP_END_USER;
    }

    /** How many end users of a tenant are counted now. */
    long endUsers(TenantId tenant) {
        Cache<LimitKey, LimitCounter> endUsers = tenant(tenant).endUsers;
        endUsers.cleanUp();
        return endUsers.estimatedSize();
    }

    /** How many others are counted now: keys, scenarios, apps and tenants. */
    int named() {
        return named.size();
    }

    /**
     * Forgets counters that count nothing, so that those of keys and scenarios that are gone do not stay. Looks at some of them each
     * time; called once a second by one thread.
     */
    public void forgetUnused(long nowMs) {
        if (!next.hasNext()) {
            next = named.entrySet().iterator();
        }
        for (int i = 0; i < LOOKED_AT && next.hasNext(); i++) {
            Map.Entry<LimitKey, LimitCounter> each = next.next();
            if (each.getValue().forget(nowMs)) {
                named.remove(each.getKey(), each.getValue());
            }
        }
    }

    /** Tokens that answers of a scenario usually have, {@link TokenEstimate#UNKNOWN} before the first; may be kept. */
    public AtomicInteger usual(TenantId tenant, String scenario) {
        return tenant(tenant).usual.computeIfAbsent(scenario, made -> new AtomicInteger(TokenEstimate.UNKNOWN));
    }

    private OfTenant tenant(TenantId id) {
        OfTenant tenant = tenants.get(id);
        return tenant != null ? tenant : tenants.computeIfAbsent(id, made -> new OfTenant(endUsersMax));
    }
}
