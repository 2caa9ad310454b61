package io.sluice.data.request;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Slows guessing: counts requests with a wrong key per address. A right key is never slowed, whatever others guess from the
 * same address. Thread-safe and bounded.
 */
public final class AuthThrottle {
    /** Counting begins anew after this time. */
    static final long WINDOW_MS = 10_000;

    /** A client with an old key in a loop stays below; a guesser does not. */
    private static final int FAILURES_MAX = 200;

    private static final int ADDRESSES_MAX = 100_000;

    private final Cache<String, AtomicInteger> failures = Caffeine.newBuilder()
            .maximumSize(ADDRESSES_MAX)
            .expireAfterWrite(Duration.ofMillis(WINDOW_MS))
            .executor(Runnable::run)
            .build();

    /** Counts one failure; true where the address has had too many. */
    boolean tooMany(String address) {
        return failures.get(address, made -> new AtomicInteger()).incrementAndGet() > FAILURES_MAX;
    }
}
