package io.sluice.tenants.config;

import static io.sluice.tenants.config.RequestKind.COMPLIANCE;
import static io.sluice.tenants.config.RequestKind.READ;
import static io.sluice.tenants.config.RequestKind.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestKindTest {
    @Test
    void aHeaderMakesARequestStricterNeverLaxer() {
        assertThat(READ.strictest(WRITE)).isEqualTo(WRITE);
        assertThat(WRITE.strictest(READ)).isEqualTo(WRITE);
        assertThat(COMPLIANCE.strictest(WRITE)).isEqualTo(COMPLIANCE);
        assertThat(READ.strictest(READ)).isEqualTo(READ);
    }

    @Test
    void onlyReadsMayDescend() {
        assertThat(READ.mayDescend()).isTrue();
        assertThat(WRITE.mayDescend()).isFalse();
        assertThat(COMPLIANCE.mayDescend()).isFalse();
    }
}
