package io.sluice.control.config;

import static io.sluice.control.config.Given.NOW;
import static io.sluice.control.config.Given.accepted;
import static io.sluice.control.config.Given.after;
import static io.sluice.control.config.Given.mistakes;
import static io.sluice.control.config.Given.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.PutWebhook;
import io.sluice.control.api.ConfigCommand.RemoveWebhook;
import io.sluice.control.api.ConfigCommand.SetProviderBalance;
import io.sluice.control.api.Principal;
import io.sluice.control.config.ConfigDecision.Accepted;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.CredentialRef;
import io.sluice.tenants.config.ProviderBalanceConfig;
import io.sluice.tenants.config.Role;
import io.sluice.tenants.config.UserError;
import io.sluice.tenants.config.WebhookConfig;
import io.sluice.tenants.money.Money;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookChecksTest {
    private static final TenantId ACME = new TenantId("acme");

    private static PutWebhook ops() {
        return new PutWebhook("acme", "ops", null, "https://hooks.example.com/t/1", null, List.of(0.9, 0.5, 0.9), true);
    }

    private static WebhookConfig webhook(Configuration configuration) {
        return configuration.tenants().get(ACME).webhooks().get("ops");
    }

    @Test
    void aSecretIsMadeShownOnceAndKeptSealed() {
        Accepted put = accepted(Given.acme(), ops());

        assertThat(put.secret()).isEqualTo("gwh_abcdefghijkl_secret");
        assertThat(put.objectId()).isEqualTo("ops");
        assertThat(webhook(put.configuration()))
                .isEqualTo(new WebhookConfig(
                        "ops",
                        1,
                        "https://hooks.example.com/t/1",
                        new CredentialRef.Sealed("#webhook/ops/terces_lkjihgfedcba_hwg"),
                        List.of(0.5, 0.9),
                        true,
                        null));
    }

    @Test
    void aSecretOfTheTenantsOwnIsSealedAndNotShown() {
        Accepted put = accepted(Given.acme(), with(ops(), "secret", "0123456789abcdef"));
        assertThat(put.secret()).isNull();
        assertThat(webhook(put.configuration()).secret())
                .isEqualTo(new CredentialRef.Sealed("#webhook/ops/fedcba9876543210"));
    }

    @Test
    void aChangeKeepsTheSecretAndTheSameAgainChangesNothing() {
        Configuration made = after(Given.acme(), ops());
        Accepted off = accepted(made, with(with(ops(), "version", 1), "enabled", false));
        Accepted same = accepted(made, with(ops(), "version", 1));

        assertThat(off.secret()).isNull();
        assertThat(webhook(off.configuration()).secret())
                .isEqualTo(webhook(made).secret());
        assertThat(webhook(off.configuration()).version()).isEqualTo(2);
        assertThat(same.changesSomething()).isFalse();
    }

    @Test
    void aRemovedWebhookMayBeMadeAgainWithAnotherSecret() {
        Configuration removed = after(after(Given.acme(), ops()), new RemoveWebhook("acme", "ops", 1));
        Accepted again = accepted(removed, ops());

        assertThat(webhook(removed).removedAt()).isEqualTo(NOW);
        assertThat(again.secret()).isNotNull();
        assertThat(webhook(again.configuration()).version()).isEqualTo(3);
        assertThat(accepted(removed, new RemoveWebhook("acme", "ops", null)).changesSomething())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://hooks.example.com/",
                "https://10.0.0.5/",
                "https://169.254.169.254/latest",
                "https://metadata.google.internal/",
                "https://user:pw@hooks.example.com/",
                "https://hooks.example.com:6379/",
                "https://hooks.example.com/a\r\nFLUSHALL",
                "ftp://hooks.example.com/",
                "hooks.example.com"
            })
    void urlsThatLeadElsewhereThanToAWebServerOfTheWorldAreRefused(String url) {
        assertThat(mistakes(Given.acme(), with(ops(), "url", url))).containsExactly("url INVALID");
    }

    @Test
    void allMistakesAreToldAtOnce() {
        PutWebhook wrong = new PutWebhook("acme", "a b", null, null, "short", List.of(0.5, 1.5, 0.0), null);
        assertThat(mistakes(Given.acme(), wrong))
                .containsExactly(
                        "id INVALID",
                        "url REQUIRED",
                        "thresholds.1 INVALID",
                        "thresholds.2 INVALID",
                        "secret INVALID",
                        "enabled REQUIRED");
        assertThat(mistakes(Given.acme(), with(ops(), "version", 4))).containsExactly("version CONFLICT_VERSION");
        assertThat(mistakes(Given.acme(), new RemoveWebhook("acme", "ops", null)))
                .containsExactly("id NOT_FOUND");
    }

    @Test
    void aTenantHasTwentyWebhooksAtMost() {
        Configuration full = Given.acme();
        for (int i = 0; i < WebhookChecks.WEBHOOKS_MAX; i++) {
            full = after(full, with(ops(), "id", "w" + i));
        }
        assertThat(mistakes(full, ops())).containsExactly("id LIMIT_EXCEEDED");
        Configuration room = after(full, new RemoveWebhook("acme", "w3", null));
        assertThat(mistakes(room, ops())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Role.class,
            names = {"PLATFORM_ADMIN", "TENANT_ADMIN", "REVIEWER", "AUDITOR"})
    void onlyFinanceWritesWebhooks(Role role) {
        Principal principal = new Principal(role, role == Role.PLATFORM_ADMIN ? null : ACME, "someone");
        List<ConfigCommand> commands = List.of(ops(), new RemoveWebhook("acme", "ops", null));

        assertThat(commands).allSatisfy(command -> {
            assertThat(AccessDecider.decide(principal, command))
                    .extracting(UserError::code)
                    .extracting(Enum::name)
                    .containsExactly("FORBIDDEN");
            assertThat(AccessDecider.decide(new Principal(Role.FINANCE, ACME, "ann"), command))
                    .isEmpty();
        });
    }

    @Test
    void aBalanceIsDeclaredForAProviderOfTheSameOwner() {
        SetProviderBalance set = new SetProviderBalance("acme", "sim", "250.5", "2026-11-28T00:00:00Z");
        Configuration once = after(Given.acme(), set);
        Configuration twice = after(once, with(with(set, "at", null), "amount", "100"));

        assertThat(once.tenants().get(ACME).catalog().balances().get("sim"))
                .isEqualTo(new ProviderBalanceConfig("sim", 1, Money.of("250.5"), NOW.minusSeconds(36 * 3_600)));
        assertThat(twice.tenants().get(ACME).catalog().balances().get("sim"))
                .isEqualTo(new ProviderBalanceConfig("sim", 2, Money.of("100"), NOW));
    }

    @Test
    void aBalanceOfNoProviderOrOfTomorrowIsRefused() {
        SetProviderBalance wrong = new SetProviderBalance("acme", "other", "-1", "2026-12-24T00:00:00Z");
        assertThat(mistakes(Given.acme(), wrong)).containsExactly("provider NOT_FOUND", "amount INVALID", "at INVALID");
        assertThat(mistakes(Given.acme(), new SetProviderBalance(null, "sim", "1", null)))
                .containsExactly("provider NOT_FOUND");
    }

    @Test
    void financeDeclaresItsTenantsBalancesAndThePlatformItsOwn() {
        Principal finance = new Principal(Role.FINANCE, ACME, "ann");
        assertThat(AccessDecider.decide(finance, new SetProviderBalance("acme", "sim", "1", null)))
                .isEmpty();
        assertThat(AccessDecider.decide(finance, new SetProviderBalance(null, "sim", "1", null)))
                .isNotEmpty();
        assertThat(AccessDecider.decide(
                        new Principal(Role.TENANT_ADMIN, ACME, "bob"),
                        new SetProviderBalance("acme", "sim", "1", null)))
                .isNotEmpty();
    }
}
