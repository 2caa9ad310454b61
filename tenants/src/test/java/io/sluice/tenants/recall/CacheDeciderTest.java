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
        // user, store, cache, age,  max age, may
        "false,  false, false, 5000, 5001,    true",
        "false,  false, false, 5000, 5000,    false",
        "false,  false, false, -1,   5000,    false",
        "false,  false, true,  5000, 9000,    false",
        "false,  true,  false, 5000, 9000,    false",
        "true,   false, false, 5000, 9000,    false"
    })
    void anOldAnswerMayAnswerWhereARungTakesOnes(
            boolean userContext, boolean noStore, boolean noCache, long ageMs, long maxAgeMs, boolean may) {
        Input input = new Input(1_000, RequestKind.READ, userContext, 1, false, noStore, noCache, ageMs);

        assertThat(CacheDecider.mayAnswerStale(input, maxAgeMs)).isEqualTo(may);
    }

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
