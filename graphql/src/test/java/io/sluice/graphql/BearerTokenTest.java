package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BearerTokenTest {
    @ParameterizedTest
    @ValueSource(strings = {"Bearer t", "bearer t", "BEARER\tt", "  Bearer    t  "})
    void readsTheToken(String header) {
        assertThat(BearerToken.of(List.of(header))).contains("t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "t", "Bearer", "Bearer  ", "Bearert", "Basic t", "Bear er t"})
    void readsNothingElse(String header) {
        assertThat(BearerToken.of(List.of(header))).isEmpty();
    }

    @Test
    void wantsExactlyOneHeader() {
        assertThat(BearerToken.of(List.of())).isEmpty();
        assertThat(BearerToken.of(List.of("Bearer t", "Bearer t"))).isEmpty();
    }
}
