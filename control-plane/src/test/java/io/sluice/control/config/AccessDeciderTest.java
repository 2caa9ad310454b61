package io.sluice.control.config;

import static io.sluice.control.config.Given.mistakes;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.ApplyDocument;
import io.sluice.control.api.ConfigCommand.CreateAccessToken;
import io.sluice.control.api.ConfigCommand.UpdateTenant;
import io.sluice.control.api.Principal;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Role;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AccessDeciderTest {
    private static final Principal PLATFORM = new Principal(Role.PLATFORM_ADMIN, null, "root");

    private static Principal of(Role role) {
        return new Principal(role, new TenantId("acme"), "somebody");
    }

    private static List<String> denied(Principal principal, ConfigCommand command) {
        return AccessDecider.decide(principal, command).stream()
                .map(error -> String.join(".", error.path()) + " " + error.code())
                .toList();
    }

    @Test
    void aPlatformAdministratorMayDoEverything() {
        for (ConfigCommand command : Given.acmeCommands("acme")) {
            assertThat(denied(PLATFORM, command)).isEmpty();
        }
    }

    @Test
    void aTenantAdministratorWritesItsOwnObjects() {
        assertThat(denied(of(Role.TENANT_ADMIN), Given.provider("acme", "p"))).isEmpty();
        assertThat(denied(of(Role.TENANT_ADMIN), Given.price("acme", "m", "1", "1")))
                .isEmpty();
        assertThat(denied(of(Role.TENANT_ADMIN), Given.key("acme"))).isEmpty();
    }

    @Test
    void anotherTenantDoesNotExist() {
        assertThat(denied(of(Role.TENANT_ADMIN), Given.provider("other", "p"))).containsExactly("tenantId NOT_FOUND");
        assertThat(denied(of(Role.TENANT_ADMIN), new UpdateTenant("other", 1, "x", null, null)))
                .containsExactly("id NOT_FOUND");
    }

    @Test
    void thePlatformsObjectsAreNotForTenantsToWrite() {
        assertThat(denied(of(Role.TENANT_ADMIN), Given.provider(null, "p"))).containsExactly("tenantId FORBIDDEN");
    }

    @Test
    void onlyThePlatformMakesTenants() {
        assertThat(denied(of(Role.TENANT_ADMIN), Given.tenant("mine"))).containsExactly("id FORBIDDEN");
    }

    @Test
    void aTenantCanNotMakeAPlatformAdministrator() {
        assertThat(denied(of(Role.TENANT_ADMIN), new CreateAccessToken("PLATFORM_ADMIN", null, "n", null)))
                .containsExactly("tenantId FORBIDDEN");
    }

    @ParameterizedTest
    @EnumSource(
            value = Role.class,
            names = {"TENANT_ADMIN", "FINANCE", "REVIEWER", "AUDITOR"})
    void whoMayNotSetCapsMakesNoTokenThatDoes(Role made) {
        CreateAccessToken command = new CreateAccessToken(made.name(), "acme", "n", null);

        assertThat(mistakes(Role.TENANT_ADMIN, Given.acme(), command))
                .isEqualTo(made == Role.FINANCE ? List.of("role FORBIDDEN") : List.of());
        assertThat(mistakes(Role.PLATFORM_ADMIN, Given.acme(), command)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Role.class,
            names = {"FINANCE", "REVIEWER", "AUDITOR"})
    void otherRolesWriteNothing(Role role) {
        for (ConfigCommand command : Given.acmeCommands("acme")) {
            assertThat(denied(of(role), command))
                    .as(command.toString())
                    .hasSize(1)
                    .first()
                    .asString()
                    .endsWith("FORBIDDEN");
        }
        assertThat(denied(of(role), Given.price("acme", "m", "1", "1"))).containsExactly("tenantId FORBIDDEN");
        assertThat(denied(of(role), Given.key("acme"))).containsExactly("tenantId FORBIDDEN");
    }

    @Test
    void aDocumentNeedsTheRightsOfItsParts() {
        ApplyDocument document = new ApplyDocument("acme", Given.json("{'tenant':{},'pools':[]}"), false, null);
        assertThat(denied(of(Role.TENANT_ADMIN), document)).containsExactly("document.tenant FORBIDDEN");
    }
}
