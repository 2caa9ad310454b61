package io.sluice.control.config;

import static io.sluice.control.config.Given.acme;
import static io.sluice.control.config.Given.json;
import static io.sluice.control.config.Given.mistakes;
import static io.sluice.control.config.Given.provider;
import static io.sluice.control.config.Given.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.ConfigCommand.ApplyDocument;
import io.sluice.control.api.ConfigCommand.PutProvider;
import io.sluice.tenants.config.Role;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialPlacesTest {
    private static PutProvider named(String credential) {
        return with(provider("acme", "p"), "credential", credential);
    }

    private static ApplyDocument document(String credential) {
        String json = "{'providers':[{'id':'p','plugin':'simulator','credential':'" + credential + "'}]}";
        return new ApplyDocument("acme", json(json), false, null);
    }

    @ParameterizedTest
    @EnumSource(value = Role.class, mode = EnumSource.Mode.EXCLUDE, names = "PLATFORM_ADMIN")
    void noRoleOfATenantNamesAVariable(Role role) {
        assertThat(mistakes(role, acme(), named("env:OPENAI_KEY"))).containsExactly("credential FORBIDDEN");
    }

    @ParameterizedTest
    @EnumSource(value = Role.class, mode = EnumSource.Mode.EXCLUDE, names = "PLATFORM_ADMIN")
    void noRoleOfATenantNamesAFile(Role role) {
        assertThat(mistakes(role, acme(), named("file:/run/secrets/openai"))).containsExactly("credential FORBIDDEN");
    }

    @ParameterizedTest
    @EnumSource(value = Role.class, mode = EnumSource.Mode.EXCLUDE, names = "PLATFORM_ADMIN")
    void noRoleOfATenantNamesOneInADocument(Role role) {
        assertThat(mistakes(role, acme(), document("env:OPENAI_KEY")))
                .containsExactly("document.providers.0.credential FORBIDDEN");
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    void everyRoleThatMayWriteProvidersMayGiveTheValue(Role role) {
        assertThat(mistakes(role, acme(), named("value:abc"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"env:OPENAI_KEY", "file:/run/secrets/openai", "file:/srv/sluice.key"})
    void aPlatformAdministratorNamesVariablesAndFiles(String credential) {
        assertThat(mistakes(Role.PLATFORM_ADMIN, acme(), named(credential))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "env:SLUICE_ADMIN_TOKEN",
                "env:SLUICE_SECRET_KEY",
                "env:sluice_admin_token",
                "file:/srv/sluice/secret.key",
                "file:/srv/sluice",
                "file:/srv/other/../sluice/secret.key",
                "file:secret.key",
                "file:./secret.key",
                "file:/proc/self/environ"
            })
    void nobodyNamesWhatKeepsTheServerSafe(String credential) {
        assertThat(mistakes(Role.PLATFORM_ADMIN, acme(), named(credential))).containsExactly("credential INVALID");
    }
}
