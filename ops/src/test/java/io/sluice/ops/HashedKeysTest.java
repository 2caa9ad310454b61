package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.key.KeyFormat;
import io.sluice.tenants.key.KeyHasher;
import io.sluice.tenants.routing.CompiledKey;
import io.sluice.tenants.routing.PublishedWeights;
import io.sluice.tenants.routing.Snapshot;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HashedKeysTest {
    private final KeyHasher hasher = new KeyHasher("a server secret".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    private final HashedKeys keys = new HashedKeys(hasher);
    private final String known = key((byte) 1);

    @Test
    void findsTheKeyThatWasPresentedWhole() {
        assertThat(keys.verify(snapshot(), known)).map(CompiledKey::appId).hasValue("app");
    }

    @Test
    void refusesAnotherSecretUnderAKnownId() {
        KeyFormat.Parts parts = KeyFormat.API_KEY.parse(known).orElseThrow();
        byte[] random = new byte[KeyFormat.ID_BYTES + KeyFormat.SECRET_BYTES];
        Arrays.fill(random, (byte) 1);
        random[random.length - 1] = 9;
        String other = KeyFormat.API_KEY.make(random);
        assertThat(KeyFormat.API_KEY.parse(other).orElseThrow().id()).isEqualTo(parts.id());

        assertThat(keys.verify(snapshot(), other)).isEmpty();
    }

    @Test
    void refusesAnUnknownKey() {
        assertThat(keys.verify(snapshot(), key((byte) 2))).isEmpty();
    }

    @Test
    void refusesWhatIsNoKey() {
        assertThat(keys.verify(snapshot(), "gw_live_")).isEmpty();
    }

    @Test
    void refusesAKeyOfAnotherServerSecret() {
        KeyHasher foreign = new KeyHasher(new byte[32]);

        assertThat(new HashedKeys(foreign).verify(snapshot(), known)).isEmpty();
    }

    private Snapshot snapshot() {
        KeyFormat.Parts parts = KeyFormat.API_KEY.parse(known).orElseThrow();
        CompiledKey key = new CompiledKey(
                parts.id(), new TenantId("acme"), "app", hasher.hash(parts.secret()), null, null, null, null, false);
        return new Snapshot(1, Map.of(parts.id(), key), Map.of(), Map.of(), PublishedWeights.NONE);
    }

    private static String key(byte fill) {
        byte[] random = new byte[KeyFormat.ID_BYTES + KeyFormat.SECRET_BYTES];
        Arrays.fill(random, fill);
        return KeyFormat.API_KEY.make(random);
    }
}
