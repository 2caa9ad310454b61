package io.sluice.data.recall;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.RemovalCause;
import io.sluice.tenants.TenantId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Answers of one node that equal requests may share, in memory. Bounded by bytes in all and per tenant: at its share a tenant gives
 * up its own oldest answers, never others'. Thread-safe; a hit takes no lock.
 */
public final class ExactCache {
    private final CacheSettings settings;
    private final ConcurrentMap<TenantId, Share> shares = new ConcurrentHashMap<>();
    private final Cache<CacheKey, CachedAnswer> answers;

    public ExactCache(CacheSettings settings) {
        this.settings = settings;
        answers = Caffeine.newBuilder()
                .maximumWeight(settings.bytesMax())
                .weigher((CacheKey key, CachedAnswer answer) -> answer.bytes())
                .expireAfter(Expiry.creating((CacheKey key, CachedAnswer answer) -> key.kept()))
                .executor(Runnable::run)
                .removalListener(this::removed)
                .build();
    }

    private void removed(CacheKey key, CachedAnswer answer, RemovalCause cause) {
        share(key).remove(key, answer);
    }

    private Share share(CacheKey key) {
        return shares.computeIfAbsent(key.tenant(), made -> new Share());
    }

    /** The answer to an equal request; null where there is none. */
    public CachedAnswer find(CacheKey key) {
        return answers.getIfPresent(key);
    }

    /** The youngest answer of that very version of the scenario; null where there is none. Looks at all: not for the request path. */
    public CachedAnswer newest(TenantId tenant, String scenario, String version) {
        return answers.asMap().entrySet().stream()
                .filter(each -> each.getKey().scenario().equals(scenario)
                        && each.getKey().version().equals(version)
                        && each.getKey().tenant().equals(tenant))
                .map(Map.Entry::getValue)
                .max(Comparator.comparingLong(CachedAnswer::atMs))
                .orElse(null);
    }

    /** Keeps an answer where it is small enough. */
    public void keep(CacheKey key, CachedAnswer answer) {
        long most = (long) (settings.bytesMax() * settings.tenantShare());
        if (answer.bytes() <= Math.min(most, settings.answerBytesMax())) {
            // Counted first: the cache may refuse it at once, and that has to be counted after.
            List<CacheKey> oldest = share(key).add(key, answer, most);
            answers.put(key, answer);
            answers.invalidateAll(oldest);
        }
    }

    /** Longest answer that is kept. */
    public int answerBytesMax() {
        return settings.answerBytesMax();
    }

    /** Bytes of all answers. */
    public long bytes() {
        return shares.values().stream().mapToLong(Share::bytes).sum();
    }

    /** What one tenant has, oldest first. */
    private static final class Share {
        private final Map<CacheKey, CachedAnswer> kept = new LinkedHashMap<>();
        private long bytes;

        /** Adds an answer; the keys of those that have to go for it. */
        synchronized List<CacheKey> add(CacheKey key, CachedAnswer answer, long most) {
            CachedAnswer before = kept.remove(key);
            kept.put(key, answer);
            bytes += answer.bytes() - (before == null ? 0 : before.bytes());
            List<CacheKey> gone = new ArrayList<>();
            Iterator<Map.Entry<CacheKey, CachedAnswer>> oldest = kept.entrySet().iterator();
            while (bytes > most) {
                Map.Entry<CacheKey, CachedAnswer> each = oldest.next();
                bytes -= each.getValue().bytes();
                gone.add(each.getKey());
                oldest.remove();
            }
            return gone;
        }

        /** Forgets an answer, unless another has taken its place. */
        @SuppressWarnings("ReferenceEquality") // an equal answer of another request is another answer
        synchronized void remove(CacheKey key, CachedAnswer answer) {
            if (kept.get(key) == answer) {
                kept.remove(key);
                bytes -= answer.bytes();
            }
        }

        synchronized long bytes() {
            return bytes;
        }
    }
}
