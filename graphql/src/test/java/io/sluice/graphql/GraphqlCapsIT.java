package io.sluice.graphql;

import static io.sluice.graphql.Management.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.AuditEntry;
import io.sluice.control.api.CapStanding;
import io.sluice.control.api.ConfigCommand.RemoveSpendCap;
import io.sluice.control.api.ConfigCommand.SetSpendCap;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapPeriod;
import io.sluice.tenants.ledger.Period;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finance sets caps and watches them, and sees neither prompts nor keys nor routes. */
class GraphqlCapsIT {
    private static final String SET =
            "mutation{setSpendCap(input:{tenantId:\"%s\",scope:TENANT,period:DAY,limit:\"250\"})"
                    + "{spendCap{id version limit spent held band resetsAt conserveAt atExhaustion} userErrors{path code}}}";

    private static Management management;

    @BeforeAll
    static void start() {
        management = Management.start();
        String[] actions = {"putPool", "setSpendCap", "createApiKey", "putPrice"};
        for (int i = 0; i < actions.length; i++) {
            management.plane.audit.add(new AuditEntry(
                    i + 1L,
                    MemoryControlPlane.NOW,
                    new TenantId("acme"),
                    "someone",
                    actions[i],
                    "something",
                    StrictJson.MAPPER.createObjectNode(),
                    "hash"));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        management.close();
    }

    private static CapStanding spent(String tenant, String amount, BudgetBand band) {
        return new CapStanding(
                new AccountKey(new TenantId(tenant), "day-tenant", Period.of(CapPeriod.DAY, LocalDate.of(2026, 3, 1))),
                Money.of(amount),
                Money.of("0.5"),
                band,
                1,
                Instant.parse("2026-03-01T23:00:00Z"),
                Money.of("300"),
                "more than seven tenths are spent",
                MemoryControlPlane.NOW);
    }

    @Test
    void aCapIsSetWithItsDefaultsAndReadWithItsStanding() throws Exception {
        JsonNode set = management.run("acme-FINANCE", SET.formatted("acme")).at("/data/setSpendCap/spendCap");
        assertThat(management.plane.commands.get(management.plane.commands.size() - 1))
                .isEqualTo(new SetSpendCap("acme", "TENANT", null, "DAY", "250", 0.7, 0.9, "REFUSE", null));
        assertThat(set.path("id").asText()).isEqualTo("day-tenant");
        assertThat(set.path("spent").asText()).isEqualTo("0");
        assertThat(set.path("conserveAt").asDouble()).isEqualTo(0.7, within(1e-9));

        management.plane.caps.put("day-tenant", spent("acme", "181.25", BudgetBand.CONSERVE));
        JsonNode read = management
                .run(
                        "acme-FINANCE",
                        "{tenant(id:\"acme\"){spendCaps{id scope period limit spent held band explanation forecast}}}")
                .at("/data/tenant/spendCaps/0");
        assertThat(read.toString())
                .isEqualTo("{\"id\":\"day-tenant\",\"scope\":\"TENANT\",\"period\":\"DAY\",\"limit\":\"250\","
                        + "\"spent\":\"181.25\",\"held\":\"0.5\",\"band\":\"CONSERVE\","
                        + "\"explanation\":\"more than seven tenths are spent\",\"forecast\":\"300\"}");
    }

    @Test
    void aRemovalIsPassedOnAsTyped() throws Exception {
        management.run(
                "acme-FINANCE",
                "mutation{removeSpendCap(input:{tenantId:\"acme\",id:\"day-app:web\",version:3})"
                        + "{spendCap{id} userErrors{code}}}");
        assertThat(management.plane.commands.get(management.plane.commands.size() - 1))
                .isEqualTo(new RemoveSpendCap("acme", "day-app:web", 3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TENANT_ADMIN", "REVIEWER", "AUDITOR"})
    void otherRolesSetNoCaps(String role) throws Exception {
        assertThat(code(management.run("acme-" + role, SET.formatted("acme")))).isEqualTo("FORBIDDEN");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{tenant(id:\"acme\"){apiKeys{id prefix}}}",
                "{tenant(id:\"acme\"){pools{id}}}",
                "{tenant(id:\"acme\"){providers{baseUrl}}}",
                "{tenant(id:\"acme\"){scenarios{name}}}",
                "{decisions(tenantId:\"acme\"){nodes{record}}}",
                "{decision(traceId:\"x\"){record}}",
                "{planRoute(input:{tenantId:\"acme\",scenario:\"chat\"}){candidates{model}}}",
                "{cluster{epoch}}"
            })
    void financeSeesNeitherPromptsNorKeysNorRoutes(String query) throws Exception {
        assertThat(code(management.run("acme-FINANCE", query))).isEqualTo("FORBIDDEN");
    }

    @Test
    void financeReadsTheMoneyPartOfTheAuditLog() throws Exception {
        JsonNode finance = management.run("acme-FINANCE", "{auditLog{nodes{action}}}");
        JsonNode auditor = management.run("acme-AUDITOR", "{auditLog{nodes{action}}}");

        assertThat(finance.at("/data/auditLog/nodes").toString())
                .isEqualTo("[{\"action\":\"putPrice\"},{\"action\":\"setSpendCap\"}]");
        assertThat(auditor.at("/data/auditLog/nodes")).hasSize(4);
    }

    @Test
    void financeWatchesItsOwnCapsFill() throws Exception {
        WsClient client = WsClient.open(management, "acme-FINANCE");
        client.subscribe("1", "subscription{spendEvents(tenantId:\"acme\"){capId spent band explanation at}}");
        Management.await(() -> management.plane.capListeners.size() == 1);
        for (CapStanding each :
                new CapStanding[] {spent("globex", "9", BudgetBand.NORMAL), spent("acme", "225", BudgetBand.RESTRICT)
                }) {
            management.plane.capListeners.forEach(listener -> listener.accept(each));
        }
        JsonNode event = client.next().at("/payload/data/spendEvents");
        client.drop();
        Management.await(() -> management.plane.capListeners.isEmpty());

        assertThat(event.path("spent").asText()).isEqualTo("225");
        assertThat(event.path("band").asText()).isEqualTo("RESTRICT");
    }

    @Test
    void anotherTenantsSpendIsNotWatched() throws Exception {
        WsClient client = WsClient.open(management, "acme-FINANCE");
        client.subscribe("1", "subscription{spendEvents(tenantId:\"globex\"){spent}}");
        assertThat(client.next().toString()).contains("there is no such tenant");
        client.drop();
    }
}
