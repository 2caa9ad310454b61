package io.sluice.graphql;

import static io.sluice.graphql.Management.code;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.BalanceStanding;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.ConfigCommand.PutWebhook;
import io.sluice.control.api.ConfigCommand.RemoveWebhook;
import io.sluice.control.api.ConfigCommand.SetProviderBalance;
import io.sluice.tenants.ScopedId;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.money.Money;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finance names webhooks and balances; others see that there are some. */
class GraphqlWebhooksIT {
    private static final String PUT = "mutation{putWebhook(input:{tenantId:\"acme\",id:\"ops\","
            + "url:\"https://hooks.example.com/T1/token\"}){webhook{id version host url thresholds enabled} secret"
            + " userErrors{path code}}}";

    private static Management management;

    @BeforeAll
    static void start() throws Exception {
        management = Management.start();
        management.run("acme-FINANCE", PUT);
        management.plane.balances.add(balance(new TenantId("acme")));
        management.plane.balances.add(balance(null));
    }

    @AfterAll
    static void stop() throws Exception {
        management.close();
    }

    private static BalanceStanding balance(TenantId owner) {
        return new BalanceStanding(
                new ScopedId(owner, owner == null ? "shared" : "up"),
                2,
                Money.of("100"),
                MemoryControlPlane.NOW.minusSeconds(86_400),
                Money.of("60"),
                Money.of("40"),
                Money.of("60"),
                MemoryControlPlane.NOW.plusSeconds(57_600),
                true,
                "USD",
                MemoryControlPlane.NOW);
    }

    private static ConfigCommand last() {
        return management.plane.commands.get(management.plane.commands.size() - 1);
    }

    @Test
    void aWebhookIsPutWithItsDefaultsAndItsSecretIsShownOnce() throws Exception {
        JsonNode put = management.run("acme-FINANCE", PUT).at("/data/putWebhook");
        assertThat(last())
                .isEqualTo(new PutWebhook(
                        "acme",
                        "ops",
                        null,
                        "https://hooks.example.com/T1/token",
                        null,
                        List.of(0.5, 0.7, 0.9, 1.0),
                        true));
        assertThat(put.path("secret").asText()).isEqualTo("gwh_made");
        assertThat(put.path("webhook").toString())
                .isEqualTo(
                        "{\"id\":\"ops\",\"version\":1,\"host\":\"hooks.example.com\","
                                + "\"url\":\"https://hooks.example.com/T1/token\",\"thresholds\":[0.5,0.7,0.9,1.0],\"enabled\":true}");
    }

    @Test
    void aRemovalAndADeclarationArePassedOnAsTyped() throws Exception {
        management.run(
                "acme-FINANCE",
                "mutation{removeWebhook(input:{tenantId:\"acme\",id:\"old\",version:3}){webhook{id} userErrors{code}}}");
        assertThat(last()).isEqualTo(new RemoveWebhook("acme", "old", 3));
        JsonNode set = management.run(
                "acme-FINANCE",
                "mutation{setProviderBalance(input:{tenantId:\"acme\",provider:\"up\",amount:\"100\"})"
                        + "{balance{left low} userErrors{code}}}");
        assertThat(last()).isEqualTo(new SetProviderBalance("acme", "up", "100", null));
        assertThat(set.at("/data/setProviderBalance/balance").toString()).isEqualTo("{\"left\":\"40\",\"low\":true}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme-TENANT_ADMIN", "acme-REVIEWER", "acme-AUDITOR", "root-token"})
    void nobodyElseWritesWebhooksOrSeesWhereTheyLead(String token) throws Exception {
        assertThat(code(management.run(token, PUT))).isEqualTo("FORBIDDEN");
        assertThat(code(management.run(token, "{tenant(id:\"acme\"){webhooks{url}}}")))
                .isEqualTo("FORBIDDEN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme-TENANT_ADMIN", "acme-AUDITOR", "acme-FINANCE", "root-token"})
    void thatThereAreWebhooksIsNoSecret(String token) throws Exception {
        assertThat(management
                        .run(token, "{tenant(id:\"acme\"){webhooks{id host}}}")
                        .at("/data/tenant/webhooks")
                        .toString())
                .isEqualTo("[{\"id\":\"ops\",\"host\":\"hooks.example.com\"}]");
    }

    @Test
    void balancesAreReadByTheirOwner() throws Exception {
        String query = "{providerBalances{provider version amount spent left burnPerDay runsOutAt low currency}}";
        assertThat(management
                        .run("acme-FINANCE", query)
                        .at("/data/providerBalances")
                        .toString())
                .isEqualTo(
                        "[{\"provider\":\"up\",\"version\":2,\"amount\":\"100\",\"spent\":\"60\",\"left\":\"40\","
                                + "\"burnPerDay\":\"60\",\"runsOutAt\":\"2026-03-02T04:00:00Z\",\"low\":true,\"currency\":\"USD\"}]");
        assertThat(management
                        .run("root-token", query)
                        .at("/data/providerBalances/0/provider")
                        .asText())
                .isEqualTo("shared");
        assertThat(management
                        .run("root-token", "{providerBalances(tenantId:\"acme\"){provider}}")
                        .at("/data/providerBalances/0/provider")
                        .asText())
                .isEqualTo("up");
        assertThat(code(management.run("globex-FINANCE", "{providerBalances(tenantId:\"acme\"){provider}}")))
                .isEqualTo("BAD_USER_INPUT");
        assertThat(code(management.run("acme-REVIEWER", query))).isEqualTo("FORBIDDEN");
    }
}
