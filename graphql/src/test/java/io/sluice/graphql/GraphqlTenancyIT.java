package io.sluice.graphql;

import static io.sluice.graphql.Management.code;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.AuditEntry;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.json.StrictJson;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who sees what: roles, and tenants that do not exist for each other. */
class GraphqlTenancyIT {
    private static Management management;

    @BeforeAll
    static void start() {
        management = Management.start();
        management.plane.decisions.add(Records.decision("trace-acme", "acme"));
        management.plane.decisions.add(Records.decision("trace-globex", "globex"));
        management.plane.decisions.add(Records.decision("trace-twice", "acme"));
        management.plane.decisions.add(Records.decision("trace-twice", "globex"));
        for (String tenant : new String[] {"acme", "globex"}) {
            management.plane.audit.add(new AuditEntry(
                    management.plane.audit.size() + 1L,
                    MemoryControlPlane.NOW,
                    new TenantId(tenant),
                    "root",
                    "putPool",
                    "fast",
                    StrictJson.MAPPER.createObjectNode(),
                    "hash"));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        management.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme", "globex"})
    void anAdministratorSaysWhoseDecisionOfATraceIdItIs(String tenant) throws Exception {
        JsonNode answer =
                management.run("{decision(traceId:\"trace-twice\",tenantId:\"%s\"){tenantId}}".formatted(tenant));
        assertThat(answer.at("/data/decision/tenantId").asText()).isEqualTo(tenant);
    }

    @ParameterizedTest
    @DisplayName("Row 96: another tenant's id in any query gives exactly what an unknown id gives")
    @ValueSource(
            strings = {
                "{tenant(id:\"%s\"){id displayName}}",
                "{pools(tenantId:\"%s\"){totalCount nodes{poolId}}}",
                "{decision(traceId:\"trace-%s\"){outcome}}",
                "{decision(traceId:\"trace-twice\",tenantId:\"%s\"){tenantId}}",
                "{decisions(tenantId:\"%s\"){nodes{traceId} pageInfo{hasNextPage endCursor}}}",
                "{auditLog(tenantId:\"%s\"){nodes{id} pageInfo{hasNextPage endCursor}}}",
                "{planRoute(input:{tenantId:\"%s\",scenario:\"chat\"}){refused candidates{model}}}"
            })
    void hidesOtherTenantsFromQueries(String query) throws Exception {
        JsonNode others = management.run("acme-TENANT_ADMIN", query.formatted("globex"));
        JsonNode unknown = management.run("acme-TENANT_ADMIN", query.formatted("nobody"));
        JsonNode own = management.run("acme-TENANT_ADMIN", query.formatted("acme"));
        assertThat(others).isEqualTo(unknown);
        assertThat(own).isNotEqualTo(unknown);
        assertThat(own.has("errors")).as(own.toString()).isFalse();
    }

    @ParameterizedTest
    @DisplayName("Row 96: so does it in any mutation")
    @ValueSource(
            strings = {
                "mutation{createApp(input:{tenantId:\"%s\",id:\"a\"}){app{id} userErrors{path code message}}}",
                "mutation{createApiKey(input:{tenantId:\"%s\",appId:\"a\"}){key userErrors{path code message}}}",
                "mutation{revokeApiKey(input:{tenantId:\"%s\",id:\"k\"}){apiKey{id} userErrors{path code message}}}",
                "mutation{putPool(input:{tenantId:\"%s\",id:\"p\",tier:LIGHT,targets:[]}){pool{id} userErrors{path code message}}}",
                "mutation{endFaultRule(input:{tenantId:\"%s\",id:\"f\"}){faultRule{id} userErrors{path code message}}}",
                "mutation{verifyLadder(input:{tenantId:\"%s\",scenario:\"s\"}){checks{step} userErrors{path code message}}}",
                "mutation{applyConfig(input:{tenantId:\"%s\",document:{}}){epoch userErrors{path code message}}}"
            })
    void hidesOtherTenantsFromMutations(String mutation) throws Exception {
        JsonNode others = management.run("acme-TENANT_ADMIN", mutation.formatted("globex"));
        JsonNode unknown = management.run("acme-TENANT_ADMIN", mutation.formatted("nobody"));
        assertThat(others).isEqualTo(unknown);
        assertThat(others.toString()).contains("NOT_FOUND");
    }

    @Test
    @DisplayName("Row 96: lists have what is the caller's and what is the platform's")
    void listsOnlyWhatIsInSight() throws Exception {
        JsonNode answer = management.run(
                "acme-TENANT_ADMIN",
                "{tenants{totalCount nodes{id}} pools{nodes{poolId tenantId}} auditLog{nodes{subject}} platform{pools{id}}}");
        assertThat(answer.at("/data/tenants").toString()).isEqualTo("{\"totalCount\":1,\"nodes\":[{\"id\":\"acme\"}]}");
        assertThat(answer.at("/data/pools/nodes").toString())
                .isEqualTo("[{\"poolId\":\"fast\",\"tenantId\":\"acme\"},{\"poolId\":\"shared\",\"tenantId\":null}]");
        assertThat(answer.at("/data/auditLog/nodes")).hasSize(1);
        assertThat(answer.at("/data/platform/pools/0/id").asText()).isEqualTo("shared");
    }

    @ParameterizedTest
    @DisplayName("Row 97: secrets have no field to be asked for")
    @ValueSource(
            strings = {
                "{tenant(id:\"acme\"){providers{credential}}}",
                "{tenant(id:\"acme\"){providers{settings}}}",
                "{tenant(id:\"acme\"){apiKeys{secret}}}",
                "{tenant(id:\"acme\"){apiKeys{secretHash}}}",
                "{tenant(id:\"acme\"){accessTokens{tokenHash}}}",
                "{providerKey{secret}}"
            })
    void hasNoFieldForSecrets(String query) throws Exception {
        assertThat(code(management.run("acme-TENANT_ADMIN", query))).isEqualTo("GRAPHQL_VALIDATION_FAILED");
    }

    @ParameterizedTest
    @DisplayName("A role without the right gets FORBIDDEN and nothing is done")
    @CsvSource(
            delimiter = '|',
            value = {
                "acme-TENANT_ADMIN|mutation{createTenant(input:{id:\"x\",displayName:\"x\",timeZone:\"UTC\"}){tenant{id}}}",
                "acme-TENANT_ADMIN|mutation{updateTenant(input:{id:\"acme\",version:1,suspended:false}){tenant{id}}}",
                "acme-TENANT_ADMIN|{cluster{epoch}}",
                "acme-FINANCE|mutation{createApp(input:{tenantId:\"acme\",id:\"a\"}){app{id}}}",
                "acme-FINANCE|{pools{totalCount}}",
                "acme-FINANCE|mutation{putPrice(input:{tenantId:\"acme\",model:\"m\",inputPerMTok:\"1\",outputPerMTok:\"2\"}){price{model}}}",
                "acme-FINANCE|{tenant(id:\"acme\"){providers{id}}}",
                "acme-REVIEWER|{auditLog{nodes{id}}}",
                "acme-REVIEWER|{decisions(tenantId:\"acme\"){nodes{traceId}}}",
                "acme-AUDITOR|mutation{revokeApiKey(input:{tenantId:\"acme\",id:\"k\"}){apiKey{id}}}",
                "acme-AUDITOR|mutation{endFaultRule(input:{tenantId:\"acme\",id:\"f\"}){faultRule{id}}}",
                "acme-FINANCE|{tenant(id:\"acme\"){faultRules{id}}}",
                "acme-AUDITOR|mutation{applyConfig(input:{tenantId:\"acme\",document:{},dryRun:true}){epoch}}"
            })
    void forbidsByRole(String token, String document) throws Exception {
        management.plane.commands.clear();
        assertThat(code(management.run(token, document))).isEqualTo("FORBIDDEN");
        assertThat(management.plane.commands).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("A role with the right gets what it asks for")
    @CsvSource(
            delimiter = '|',
            value = {
                "root-token|{cluster{epoch members{id roles appliedEpoch since}}}",
                "acme-FINANCE|{tenant(id:\"acme\"){currency prices{model inputPerMTok validFrom}}}",
                "acme-TENANT_ADMIN|mutation{putPrice(input:{tenantId:\"acme\",model:\"m\",inputPerMTok:\"1\",outputPerMTok:\"2\"}){price{model} userErrors{code}}}",
                "acme-REVIEWER|{me{role tenantId name} tenant(id:\"acme\"){id apps{id}}}",
                "acme-AUDITOR|{decisions(tenantId:\"acme\"){nodes{traceId}} auditLog{nodes{id detail}} tenant(id:\"acme\"){scenarios{name} faultRules{id over}}}"
            })
    void allowsByRole(String token, String document) throws Exception {
        assertThat(management.run(token, document).has("errors")).isFalse();
    }

    @Test
    void aTenantsAdministratorReadsButDoesNotWriteThePlatform() throws Exception {
        JsonNode answer = management.run(
                "acme-TENANT_ADMIN",
                "mutation{putPool(input:{id:\"shared\",tier:LIGHT,targets:[]}){pool{id} userErrors{code}}}");
        assertThat(answer.at("/data/putPool/pool").isNull()).isTrue();
        assertThat(answer.at("/data/putPool/userErrors/0/code").asText()).isEqualTo("FORBIDDEN");
    }
}
