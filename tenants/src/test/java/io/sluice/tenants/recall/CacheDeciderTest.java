package io.sluice.tenants.recall;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.config.RequestKind;
import io.sluice.tenants.recall.CacheDecider.Input;
import io.sluice.tenants.recall.CacheDecider.Verdict;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheDeciderTest {
    @ParameterizedTest
    @CsvSource({
        // ttl, kind,       user,  n, large, store, cache, age,  verdict
        "0,     READ,       false, 1, false, false, false, 1,    UNUSED",
        "1000,  READ,       false, 1, false, false, false, 0,    HIT",
        "1000,  READ,       false, 1, false, false, false, 999,  HIT",
        "1000,  READ,       false, 1, false, false, false, 1000, MISS",
        "1000,  READ,       false, 1, false, false, false, -1,   MISS",
        "1000,  READ,       false, 1, false, false, true,  1,    MISS",
        "1000,  READ,       false, 1, false, true,  false, 1,    BYPASS",
        "1000,  READ,       false, 1, true,  false, false, -1,   BYPASS",
        "1000,  READ,       false, 2, false, false, false, 1,    BYPASS",
        "1000,  READ,       true,  1, false, false, false, 1,    BYPASS",
        "1000,  WRITE,      false, 1, false, false, false, 1,    BYPASS",
        "1000,  COMPLIANCE, false, 1, false, false, false, 1,    BYPASS"
    })
    void theFirstRuleThatMatchesDecides(
            long ttlMs,
            RequestKind kind,
            boolean userContext,
            int choices,
            boolean large,
            boolean noStore,
            boolean noCache,
            long ageMs,
            Verdict verdict) {
        assertThat(CacheDecider.decide(new Input(ttlMs, kind, userContext, choices, large, noStore, noCache, ageMs)))
                .isEqualTo(verdict);
    }
}
