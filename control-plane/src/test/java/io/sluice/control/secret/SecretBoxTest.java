package io.sluice.control.secret;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.CredentialRef;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretBoxTest {
    private static final TenantId ACME = new TenantId("acme");

    @TempDir
    Path directory;

    private SecretBox box;

    @BeforeEach
    void make() throws IOException {
        box = box("a secret of the server");
    }

    private SecretBox box(String secret) throws IOException {
        return new SecretBox(ServerSecret.of(secret, directory));
    }

    @Test
    void opensWhatItSealed() {
        CredentialRef.Sealed sealed = box.seal(ACME, "p", "sk-1234");
        assertThat(box.open(ACME, "p", sealed)).contains("sk-1234");
        assertThat(sealed.ciphertext()).doesNotContain("sk-1234");
    }

    @Test
    void sealsTheSameTextDifferentlyEachTime() {
        assertThat(box.seal(ACME, "p", "x")).isNotEqualTo(box.seal(ACME, "p", "x"));
    }

    @Test
    void opensNothingThatWasMovedToAnotherProviderOrOwner() {
        CredentialRef.Sealed sealed = box.seal(ACME, "p", "x");
        assertThat(box.open(ACME, "q", sealed)).isEmpty();
        assertThat(box.open(null, "p", sealed)).isEmpty();
        assertThat(box.open(new TenantId("acme2"), "p", sealed)).isEmpty();
    }

    @Test
    void opensNothingOfAnotherServer() throws IOException {
        assertThat(box("another secret of a server").open(ACME, "p", box.seal(ACME, "p", "x")))
                .isEmpty();
    }

    @Test
    void opensNothingThatWasChanged() {
        String text = box.seal(ACME, "p", "x").ciphertext();
        char other = text.charAt(20) == 'A' ? 'B' : 'A';
        String changed = text.substring(0, 20) + other + text.substring(21);
        assertThat(box.open(ACME, "p", new CredentialRef.Sealed(changed))).isEmpty();
        assertThat(box.open(ACME, "p", new CredentialRef.Sealed("???"))).isEmpty();
        assertThat(box.open(ACME, "p", new CredentialRef.Sealed(""))).isEmpty();
    }

    @Test
    void knowsWhetherItHoldsASecret() {
        CredentialRef.Sealed sealed = box.seal(ACME, "p", "x");
        assertThat(box.holds(ACME, "p", sealed, "x")).isTrue();
        assertThat(box.holds(ACME, "p", sealed, "y")).isFalse();
    }

    @Test
    void hashesWithAnotherKeyThanItTellsFingerprintsWith() {
        assertThat(box.keyHasher().hex("x")).doesNotStartWith(box.fingerprint("x"));
    }
}
