package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginRuleTest {
    private final OriginRule rule = new OriginRule(Set.of("https://console.example.org"));

    @ParameterizedTest
    @CsvSource({
        "http://localhost:8081,localhost:8081,true",
        "HTTP://LOCALHOST:8081,localhost:8081,true",
        "https://localhost:8081,localhost:8081,true",
        "https://console.example.org,localhost:8081,true",
        "http://localhost:8082,localhost:8081,false",
        "http://localhost:8081.evil.example,localhost:8081,false",
        "http://console.example.org,localhost:8081,false",
        "null,localhost:8081,false",
        "http://localhost:8081,,false"
    })
    void allowsItsOwnAndTheListed(String origin, String authority, boolean allowed) {
        assertThat(rule.allows(origin, authority)).isEqualTo(allowed);
    }

    @Test
    void allowsClientsThatAreNoBrowsers() {
        assertThat(rule.allows(null, "localhost:8081")).isTrue();
    }
}
