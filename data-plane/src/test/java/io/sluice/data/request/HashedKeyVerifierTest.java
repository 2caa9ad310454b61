package io.sluice.data.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.key.KeyFormat;
import io.sluice.tenants.key.KeyHasher;
import io.sluice.tenants.routing.CompiledKey;
import io.sluice.tenants.routing.PublishedWeights;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.shift.PublishedShifts;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HashedKeyVerifierTest {
    private static final byte[] SERVER_SECRET =
            "a server secret of thirty-two bytes".getBytes(StandardCharsets.US_ASCII);

    private final KeyHasher hasher = new KeyHasher(SERVER_SECRET);
    private final KeyVerifier verifier = new HashedKeyVerifier(hasher);
    private final String key = KeyFormat.API_KEY.make(bytes(1));
    private final Snapshot snapshot = snapshotWith(key);

    private static byte[] bytes(int seed) {
        byte[] bytes = new byte[KeyFormat.ID_BYTES + KeyFormat.SECRET_BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + seed);
        }
        return bytes;
    }

    private Snapshot snapshotWith(String text) {
        KeyFormat.Parts parts = KeyFormat.API_KEY.parse(text).orElseThrow();
        CompiledKey compiled = new CompiledKey(
                parts.id(), new TenantId("t"), "app", hasher.hash(parts.secret()), null, null, null, null, false);
        return new Snapshot(
                1, Map.of(parts.id(), compiled), Map.of(), Map.of(), PublishedWeights.NONE, PublishedShifts.NONE);
    }

    @Test
    void provesTheRightKey() {
        assertThat(verifier.verify(snapshot, key)).isPresent();
    }

    @Test
    void refusesAnotherSecretUnderTheSameId() {
        byte[] other = bytes(1);
        other[other.length - 1] ^= 1;

        assertThat(verifier.verify(snapshot, KeyFormat.API_KEY.make(other))).isEmpty();
    }

    @Test
    void refusesAKeyWhoseIdIsUnknown() {
        assertThat(verifier.verify(snapshot, KeyFormat.API_KEY.make(bytes(2)))).isEmpty();
    }

    @Test
    void refusesAMistypedKey() {
        assertThat(verifier.verify(snapshot, key.substring(0, key.length() - 1) + "!"))
                .isEmpty();
        assertThat(verifier.verify(snapshot, "")).isEmpty();
    }

    @Test
    void refusesATokenOfTheManagementApi() {
        assertThat(verifier.verify(snapshot, KeyFormat.ACCESS_TOKEN.make(bytes(1))))
                .isEmpty();
    }
}
