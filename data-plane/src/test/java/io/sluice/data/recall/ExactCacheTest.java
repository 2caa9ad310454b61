package io.sluice.data.recall;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.money.TokenUsage;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExactCacheTest {
    private final ExactCache cache = new ExactCache(new CacheSettings(10_000, 0.5, 2_000));

    private static CacheKey key(String tenant, int n) {
        return key(tenant, "faq", "1", n);
    }

    private static CacheKey key(String tenant, String scenario, String version, int n) {
        return new CacheKey(new TenantId(tenant), scenario, version, "question " + n, Duration.ofMinutes(10));
    }

    private static CachedAnswer answer(int bytes) {
        return new CachedAnswer(List.of(), false, TokenUsage.NONE, "p/m", "first", "f".repeat(32), 0, bytes);
    }

    @Test
    void givesWhatItKept() {
        CachedAnswer answer = answer(100);
        cache.keep(key("t1", 1), answer);

        assertThat(cache.find(key("t1", 1))).isSameAs(answer);
        assertThat(cache.bytes()).isEqualTo(100);
    }

    @Test
    void knowsTheYoungestAnswerOfATenantsScenario() {
        CachedAnswer young =
                new CachedAnswer(List.of(), false, TokenUsage.NONE, "p/m", "first", "f".repeat(32), 7, 100);
        cache.keep(key("t1", 1), young);
        cache.keep(key("t1", 2), answer(100));

        assertThat(cache.newest(new TenantId("t1"), "faq", "1")).isSameAs(young);
        assertThat(cache.newest(new TenantId("t2"), "faq", "1")).isNull();
        assertThat(cache.newest(new TenantId("t1"), "faq", "2")).isNull();
    }

    @Test
    void anotherVersionOfTheScenarioIsAnotherQuestion() {
        cache.keep(key("t1", 1), answer(100));

        assertThat(cache.find(key("t1", "faq", "2", 1))).isNull();
        assertThat(cache.find(key("t1", "faq", "1", 1))).isNotNull();
    }

    @Test
    void anotherScenarioOrTenantIsAnotherQuestion() {
        cache.keep(key("t1", 1), answer(100));

        assertThat(cache.find(key("t1", "help", "1", 1))).isNull();
        assertThat(cache.find(key("t2", "faq", "1", 1))).isNull();
    }

    @Test
    void atItsShareATenantGivesUpItsOwnOldest() {
        cache.keep(key("small", 0), answer(100));
        IntStream.range(0, 20).forEach(n -> cache.keep(key("large", n), answer(1_000)));

        assertThat(cache.find(key("small", 0))).isNotNull();
        assertThat(cache.find(key("large", 14))).isNull();
        assertThat(cache.find(key("large", 19))).isNotNull();
        assertThat(cache.bytes()).isEqualTo(5_100);
    }

    @Test
    void anAnswerInAnothersPlaceCountsOnce() {
        cache.keep(key("t1", 1), answer(1_000));
        cache.keep(key("t1", 1), answer(500));

        assertThat(cache.bytes()).isEqualTo(500);
    }

    @Test
    void whatIsTooLargeIsNotKept() {
        cache.keep(key("t1", 1), answer(2_001));

        assertThat(cache.find(key("t1", 1))).isNull();
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void neverHoldsMoreThanItsBytesWhoeverComes() {
        IntStream.range(0, 2_000).forEach(n -> cache.keep(key("t" + n % 7, n), answer(1 + n % 700)));

        assertThat(cache.bytes()).isLessThanOrEqualTo(10_000);
    }
}
