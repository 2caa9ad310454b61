package io.sluice.control.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.config.CredentialPlaces;
import io.sluice.plugins.api.Secret;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.ProviderConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialsTest {
    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();
    private final AtomicLong now = new AtomicLong();
    private Path data;
    private SecretBox box;
    private Credentials credentials;

    @BeforeEach
    void make() throws IOException {
        data = Files.createDirectories(directory.resolve("data"));
        box = new SecretBox(ServerSecret.of("a secret of the server", data));
        credentials = new Credentials(
                box, new CredentialPlaces(data), environment::get, () -> java.time.Instant.ofEpochMilli(now.get()));
    }

    private static ProviderConfig provider(CredentialRef reference) {
        return new ProviderConfig(ScopedId.platform("p"), 1, "x", "", reference, null, null, null, Map.of());
    }

    private Optional<String> reveal(CredentialRef reference) {
        return credentials.reveal(provider(reference)).map(Secret::reveal);
    }

    @Test
    void isEmptyWhereTheProviderHasNone() {
        assertThat(reveal(null)).isEmpty();
    }

    @Test
    void readsTheEnvironment() {
        environment.put("KEY", "abc");
        assertThat(reveal(new CredentialRef.Env("KEY"))).contains("abc");
    }

    @Test
    void readsAFileWithoutItsLineEnd() throws IOException {
        Path file = Files.writeString(directory.resolve("key"), "abc\n");
        assertThat(reveal(new CredentialRef.File(file.toString()))).contains("abc");
    }

    @Test
    void opensASealedOne() {
        assertThat(reveal(box.seal(null, "p", "abc"))).contains("abc");
    }

    @Test
    void seesAChangedFileAfterAMinuteAndNotBefore() throws IOException {
        Path file = Files.writeString(directory.resolve("key"), "old");
        CredentialRef.File reference = new CredentialRef.File(file.toString());
        reveal(reference);
        Files.writeString(file, "new");
        now.set(59_999);
        assertThat(reveal(reference)).contains("old");
        now.set(60_000);
        assertThat(reveal(reference)).contains("new");
    }

    @Test
    void saysWhichOneIsMissing() {
        assertThatThrownBy(() -> reveal(new CredentialRef.Env("NOT_SET")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("NOT_SET");
    }

    @Test
    void anEmptyOneIsMissing() {
        environment.put("KEY", "  ");
        assertThatThrownBy(() -> reveal(new CredentialRef.Env("KEY"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aFileThatCanBeNoCredentialIsMissing() throws IOException {
        Path file = Files.writeString(directory.resolve("key"), "x".repeat(Credentials.FILE_BYTES_MAX + 1));
        assertThatThrownBy(() -> reveal(new CredentialRef.File(file.toString())))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> reveal(new CredentialRef.File("\0"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theServersOwnVariablesAreNeverRead() {
        environment.put("SLUICE_ADMIN_TOKEN", "abc");
        assertThatThrownBy(() -> reveal(new CredentialRef.Env("SLUICE_ADMIN_TOKEN")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no credential may be read from");
    }

    @Test
    void aFileInTheDataDirectoryIsNeverRead() throws IOException {
        Path file = Files.writeString(data.resolve("secret.key"), "abc");
        assertThatThrownBy(() -> reveal(new CredentialRef.File(file.toString())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no credential may be read from");
    }

    @Test
    void aLinkIntoTheDataDirectoryIsNeverFollowed() throws IOException {
        Path file = Files.writeString(data.resolve("secret.key"), "abc");
        Path link = Files.createSymbolicLink(directory.resolve("key"), file);
        assertThatThrownBy(() -> reveal(new CredentialRef.File(link.toString())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no credential may be read from")
                .hasMessageNotContaining("abc");
    }

    @Test
    void aDataDirectoryThatIsALinkHidesItsFilesToo() throws IOException {
        Path real = Files.createDirectories(directory.resolve("real"));
        Path file = Files.writeString(real.resolve("secret.key"), "abc");
        Path link = Files.createSymbolicLink(directory.resolve("linked"), real);
        Credentials linked = new Credentials(
                box, new CredentialPlaces(link), environment::get, () -> java.time.Instant.ofEpochMilli(0));
        ProviderConfig provider = provider(new CredentialRef.File(file.toString()));
        assertThatThrownBy(() -> linked.reveal(provider))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no credential may be read from");
    }

    @Test
    void aLinkToAFileElsewhereIsFollowed() throws IOException {
        Path file = Files.writeString(directory.resolve("key.1"), "abc");
        Path link = Files.createSymbolicLink(directory.resolve("key"), file);
        assertThat(reveal(new CredentialRef.File(link.toString()))).contains("abc");
    }

    @Test
    void aFailureDoesNotShowASealedText() {
        CredentialRef.Sealed foreign = new CredentialRef.Sealed("AAAABBBBCCCCDDDDEEEEFFFFGGGG");
        assertThatThrownBy(() -> reveal(foreign)).hasMessageNotContaining("AAAABBBB");
    }
}
