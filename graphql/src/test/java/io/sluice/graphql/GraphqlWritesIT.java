package io.sluice.graphql;

import static io.sluice.graphql.Management.code;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.ConfigCommand.ApplyDocument;
import io.sluice.control.api.ConfigCommand.CreateApiKey;
import io.sluice.control.api.ConfigCommand.CreateApp;
import io.sluice.control.api.ConfigCommand.CreateTenant;
import io.sluice.control.api.ConfigCommand.Limits;
import io.sluice.control.api.ConfigCommand.PutFaultRule;
import io.sluice.control.api.ConfigCommand.PutPool;
import io.sluice.control.api.ConfigCommand.PutPrice;
import io.sluice.control.api.ConfigCommand.PutProvider;
import io.sluice.control.api.ConfigCommand.PutScenario;
import io.sluice.control.api.ConfigCommand.UpdateTenant;
import io.sluice.control.api.PlanQuery;
import io.sluice.control.api.VerifyQuery;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.FaultRuleConfig;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.json.StrictJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mutations: what the control plane is told, and what comes back. */
class GraphqlWritesIT {
    private Management management;

    @BeforeEach
    void start() {
        management = Management.start();
    }

    @AfterEach
    void stop() throws Exception {
        management.close();
    }

    private Object command() {
        assertThat(management.plane.commands).hasSize(1);
        return management.plane.commands.get(0);
    }

    @Test
    @DisplayName("GQ04: what is left out gets its default")
    void givesDefaults() throws Exception {
        management.run("mutation{createTenant(input:{id:\"t\",displayName:\"T\",timeZone:\"UTC\"}){tenant{id}}}");
        assertThat(command()).isEqualTo(new CreateTenant("t", "T", "UTC", "USD"));
    }

    @ParameterizedTest
    @DisplayName("GQ04: an explicit null is refused, not replaced by the default, beside the other mistakes")
    @ValueSource(strings = {"currency:null", "currency:$nothing"})
    void refusesExplicitNull(String member) throws Exception {
        JsonNode answer = management.run(
                "root-token",
                "mutation" + (member.contains("$") ? "($nothing:String)" : "")
                        + "{createTenant(input:{id:\"t\",displayName:\"T\",timeZone:\"Mars\"," + member
                        + "}){tenant{id} userErrors{path code}}}",
                java.util.Collections.singletonMap("nothing", null));
        assertThat(answer.at("/data/createTenant").toString())
                .isEqualTo("{\"tenant\":null,\"userErrors\":[{\"path\":[\"timeZone\"],\"code\":\"INVALID\"},"
                        + "{\"path\":[\"currency\"],\"code\":\"REQUIRED\"}]}");
    }

    @Test
    @DisplayName("GQ04: an explicit null in a list goes on as null, what is left out beside it has its default")
    void passesNestedNullsOn() throws Exception {
        management.run("mutation{putPool(input:{id:\"p\",tier:LIGHT,targets:["
                + "{provider:\"a\",model:\"m\"},{provider:\"a\",model:\"n\",weight:null}]}){userErrors{path code}}}");
        assertThat(((PutPool) command()).targets())
                .containsExactly(new PutPool.Target("a", "m", null, 100), new PutPool.Target("a", "n", null, null));
    }

    @Test
    void passesAFaultRuleOnAlsoWithoutAnEnd() throws Exception {
        management.run("mutation{putFaultRule(input:{tenantId:\"acme\",id:\"f\",fault:CUT,afterEvents:2,"
                + "scenario:\"chat\",owner:\"Ann\",reason:\"drill\"}){faultRule{id} userErrors{path}}}");
        assertThat(command())
                .isEqualTo(new PutFaultRule(
                        "acme", "f", null, "chat", null, null, null, "CUT", null, null, 2, 1.0, null, null, "Ann",
                        "drill"));
    }

    @Test
    void showsFaultRulesWithWhatTheyHave() throws Exception {
        FaultRuleConfig rule = new FaultRuleConfig(
                "f",
                3,
                null,
                "fast",
                null,
                null,
                new Fault(FaultKind.SLOW, 0, 1_500, -1),
                0.5,
                null,
                MemoryControlPlane.NOW.minusSeconds(1),
                "Ann",
                "drill");
        management.plane.put(management
                .plane
                .configuration()
                .tenants()
                .get(new TenantId("acme"))
                .with(rule));
        JsonNode answer =
                management.run("{tenant(id:\"acme\"){faultRules{id version scenario pool fault retryAfter delay"
                        + " afterEvents share startsAt endsAt over owner reason}}}");
        assertThat(answer.at("/data/tenant/faultRules/0").toString())
                .isEqualTo("{\"id\":\"f\",\"version\":3,\"scenario\":null,\"pool\":\"fast\",\"fault\":\"SLOW\","
                        + "\"retryAfter\":null,\"delay\":\"PT1.5S\",\"afterEvents\":null,\"share\":0.5,\"startsAt\":null,"
                        + "\"endsAt\":\"" + MemoryControlPlane.NOW.minusSeconds(1)
                        + "\",\"over\":true,\"owner\":\"Ann\",\"reason\":\"drill\"}");
    }

    @Test
    @DisplayName("GQ04: a null dryRun is not false")
    void passesANullDryRunOn() throws Exception {
        management.run("mutation{applyConfig(input:{tenantId:\"acme\",document:{},dryRun:null}){userErrors{code}}}");
        assertThat(((ApplyDocument) command()).dryRun()).isNull();
    }

    @Test
    @DisplayName("GQ04: an update tells what was emptied from what was left out")
    void tellsNullFromAbsentInUpdates() throws Exception {
        management.run("mutation{updateTenant(input:{id:\"acme\",version:1,displayName:null,suspended:null})"
                + "{userErrors{path code}}}");
        assertThat(command())
                .isEqualTo(
                        new UpdateTenant("acme", 1, null, null, null, null, null, List.of("displayName", "suspended")));
    }

    @Test
    void passesLimitsOnAsTyped() throws Exception {
        management.run(
                "mutation{createApp(input:{tenantId:\"acme\",id:\"a\",limits:{requestsPerMinute:0,maxConcurrency:3},"
                        + "endUserLimits:{tokensPerMinute:9}}){userErrors{code}}}");
        assertThat(command())
                .isEqualTo(new CreateApp("acme", "a", null, new Limits(0, null, 3), new Limits(null, 9, null)));
    }

    @Test
    void limitsOfATenantAreKeptWhereTheyAreLeftOutAndTakenAwayByNull() throws Exception {
        management.run("mutation{updateTenant(input:{id:\"acme\",version:1,limits:null}){userErrors{code}}}");
        assertThat(command())
                .isEqualTo(
                        new UpdateTenant("acme", 1, null, null, null, new Limits(null, null, null), null, List.of()));
    }

    @Test
    @DisplayName("GQ04: planRoute refuses explicit nulls too, all at once")
    void refusesNullInPlans() throws Exception {
        JsonNode answer =
                management.run("{planRoute(input:{tenantId:\"acme\",scenario:\"s\",model:null,promptTokens:null,"
                        + "maxTokens:0}){refused}}");
        assertThat(code(answer)).isEqualTo("BAD_USER_INPUT");
        assertThat(answer.at("/errors/0/message").asText())
                .contains("input.model", "input.promptTokens", "input.maxTokens");
    }

    @Test
    @DisplayName("Row 99: the second of two edits of one version gets CONFLICT_VERSION and the present version")
    void tellsConflicts() throws Exception {
        String update = "mutation($name:String){updateTenant(input:{id:\"acme\",version:1,displayName:$name})"
                + "{tenant{version displayName} userErrors{code}}}";
        management.run("root-token", update, Map.of("name", "first"));
        JsonNode second = management.run("root-token", update, Map.of("name", "second"));
        assertThat(second.at("/data/updateTenant").toString())
                .isEqualTo("{\"tenant\":{\"version\":2,\"displayName\":\"first\"},"
                        + "\"userErrors\":[{\"code\":\"CONFLICT_VERSION\"}]}");
    }

    @Test
    void tellsEveryMistakeWithItsPath() throws Exception {
        JsonNode answer = management.run("mutation{createTenant(input:{id:\"..\",displayName:\"T\",timeZone:\"Mars\"})"
                + "{tenant{id} userErrors{path code message}}}");
        assertThat(answer.at("/data/createTenant/tenant").isNull()).isTrue();
        assertThat(answer.at("/data/createTenant/userErrors")).hasSize(2);
        assertThat(answer.at("/data/createTenant/userErrors/1/path/0").asText()).isEqualTo("timeZone");
    }

    @Test
    void passesDatesOnAsTyped() throws Exception {
        management.run(
                "root-token",
                "mutation($at:DateTime){createApiKey(input:{tenantId:\"acme\",appId:\"nothing\",expiresAt:$at})"
                        + "{key userErrors{path code}}}",
                Map.of("at", "tomorrow"));
        assertThat(((CreateApiKey) command()).expiresAt()).isEqualTo("tomorrow");
    }

    @Test
    void aKeyIsShownOnce() throws Exception {
        management.run("mutation{createApp(input:{tenantId:\"acme\",id:\"web\",displayName:\"Web\"}){app{id}}}");
        JsonNode made = management.run("mutation{createApiKey(input:{tenantId:\"acme\",appId:\"web\","
                + "scenarios:[\"chat\"],expiresAt:\"2027-01-01T00:00:00+01:00\"})"
                + "{key apiKey{id appId prefix scenarios expiresAt createdAt} userErrors{code}}}");
        JsonNode read = management.run("{tenant(id:\"acme\"){apiKeys{id prefix revokedAt} apps{id displayName}}}");
        assertThat(made.at("/data/createApiKey/key").asText()).isEqualTo("gw_live_k1_secret");
        assertThat(made.at("/data/createApiKey/apiKey/expiresAt").asText()).isEqualTo("2026-12-31T23:00:00Z");
        assertThat(read.toString()).contains("gw_live_k1").doesNotContain("gw_live_k1_secret");
    }

    @Test
    void aRevokedKeySaysWhen() throws Exception {
        management.run("mutation{createApp(input:{tenantId:\"acme\",id:\"web\"}){app{id}}}");
        management.run("mutation{createApiKey(input:{tenantId:\"acme\",appId:\"web\"}){key}}");
        JsonNode revoked = management.run(
                "mutation{revokeApiKey(input:{tenantId:\"acme\",id:\"k1\"}){apiKey{id revokedAt} userErrors{code}}}");
        assertThat(revoked.at("/data/revokeApiKey/apiKey/revokedAt").asText()).isEqualTo("2026-03-01T12:00:00Z");
    }

    @Test
    void anAccessTokenIsShownOnce() throws Exception {
        JsonNode made = management.run("mutation{createAccessToken(input:{role:FINANCE,tenantId:\"acme\",name:\"f\"})"
                + "{token accessToken{id role tenantId name expiresAt} userErrors{code}}}");
        assertThat(made.at("/data/createAccessToken").toString())
                .isEqualTo("{\"token\":\"secret-token\",\"accessToken\":{\"id\":\"t1\",\"role\":\"FINANCE\","
                        + "\"tenantId\":\"acme\",\"name\":\"f\",\"expiresAt\":null},\"userErrors\":[]}");
    }

    @Test
    void passesAProviderOnAsTyped() throws Exception {
        management.run(
                "root-token",
                "mutation($s:JSON){putProvider(input:{tenantId:\"acme\",id:\"p\",version:2,plugin:\"openai\","
                        + "baseUrl:\"not a url\",credential:\"value:k\",requestsPerMinute:5,settings:$s}){userErrors{code}}}",
                Map.of("s", Map.of("timeout", "PT1S", "big", new java.math.BigDecimal("0.1000000000000000000001"))));
        assertThat(command())
                .isEqualTo(new PutProvider(
                        "acme",
                        "p",
                        2,
                        "openai",
                        "not a url",
                        "value:k",
                        null,
                        null,
                        5,
                        null,
                        null,
                        StrictJson.MAPPER.readTree("{\"timeout\":\"PT1S\",\"big\":0.1000000000000000000001}")));
    }

    @Test
    void passesAScenarioOnAsTyped() throws Exception {
        management.run("mutation{putScenario(input:{tenantId:\"acme\",name:\"s\",sensitivity:STRICT,kind:WRITE,"
                + "deadline:\"soon\",ladder:[{name:\"a\",pool:\"fast\",timeout:\"PT2S\"},{name:\"b\",text:\"sorry\","
                + "maxTokensFactor:0.5}],outputSchema:{type:\"object\"}}){userErrors{code}}}");
        PutScenario put = (PutScenario) command();
        assertThat(put.deadline()).isEqualTo("soon");
        assertThat(put.core()).isTrue();
        assertThat(put.outputSchema().toString()).isEqualTo("{\"type\":\"object\"}");
        assertThat(put.ladder())
                .containsExactly(
                        new PutScenario.Rung("a", "fast", null, null, null, null, null, null, "PT2S", null),
                        new PutScenario.Rung("b", null, null, null, "sorry", 0.5, null, null, null, null));
    }

    @Test
    void passesAPriceOnAsTyped() throws Exception {
        management.run("mutation{putPrice(input:{tenantId:\"acme\",model:\"m\",validFrom:\"2026-03-01T12:00:00Z\","
                + "inputPerMTok:\"1e3\",outputPerMTok:\"0.6\"}){price{inputPerMTok validFrom} userErrors{code}}}");
        assertThat(command()).isEqualTo(new PutPrice("acme", "m", "2026-03-01T12:00:00Z", "1e3", "0.6", null, null));
    }

    @Test
    void aPriceHasFactorsByServiceTierAndRegion() throws Exception {
        management.run("mutation{putPrice(input:{tenantId:\"acme\",model:\"m\",inputPerMTok:\"1\",outputPerMTok:\"2\","
                + "serviceTiers:[{name:\"flex\",percent:50},{name:\"priority\",percent:200}],"
                + "regions:[{name:\"eu-west\",percent:110}]}){price{serviceTiers{name percent} regions{name percent}}"
                + " userErrors{code}}}");
        PutPrice put = (PutPrice) command();

        assertThat(put.serviceTiers())
                .containsExactly(new PutPrice.Factor("flex", 50), new PutPrice.Factor("priority", 200));
        assertThat(put.regions()).containsExactly(new PutPrice.Factor("eu-west", 110));
    }

    @Test
    void aPriceHasAFeeForTheProvidersTools() throws Exception {
        management.run("mutation{putPrice(input:{tenantId:\"acme\",model:\"m\",inputPerMTok:\"1\",outputPerMTok:\"2\","
                + "perServerToolCall:\"0.01\"}){price{perServerToolCall} userErrors{code}}}");

        assertThat(((PutPrice) command()).perServerToolCall()).isEqualTo("0.01");
    }

    @Test
    void aPriceHasTiersAndHours() throws Exception {
        management.run("mutation{putPrice(input:{tenantId:\"acme\",model:\"m\",inputPerMTok:\"1\",outputPerMTok:\"2\","
                + "reasoningPerMTok:\"3\",perImage:\"0.01\",tiers:[{abovePromptTokens:272000,inputPerMTok:\"2\","
                + "outputPerMTok:\"3\",cachedInputPerMTok:\"0.2\"}],hours:[{days:[MONDAY,SUNDAY],from:\"01:00\","
                + "until:\"24:00\",percent:200}]}){userErrors{code}}}");
        assertThat(command())
                .isEqualTo(new PutPrice(
                        "acme",
                        "m",
                        null,
                        "1",
                        "2",
                        null,
                        null,
                        "3",
                        "0.01",
                        List.of(new PutPrice.Tier(272_000, "2", "3", "0.2", null, null)),
                        List.of(new PutPrice.Hours(List.of("MONDAY", "SUNDAY"), "01:00", "24:00", 200))));
    }

    @Test
    void passesAPoolOnAndShowsIt() throws Exception {
        JsonNode answer = management.run("mutation{putPool(input:{tenantId:\"acme\",id:\"p\",tier:STANDARD,"
                + "targets:[{provider:\"up\",model:\"org/m\",upstreamName:\"m-2026\"}]})"
                + "{pool{id version tier targets{provider model weight health state}} userErrors{code}}}");
        assertThat(((PutPool) command()).targets()).containsExactly(new PutPool.Target("up", "org/m", "m-2026", 100));
        assertThat(answer.at("/data/putPool/pool").toString())
                .isEqualTo("{\"id\":\"p\",\"version\":1,\"tier\":\"STANDARD\",\"targets\":[{\"provider\":\"up\","
                        + "\"model\":\"org/m\",\"weight\":100,\"health\":1.0,\"state\":\"SERVING\"}]}");
    }

    @Test
    void appliesADocumentWritten() throws Exception {
        JsonNode answer =
                management.run("mutation{applyConfig(input:{tenantId:\"acme\",document:{pools:[{id:\"fast\"}]},"
                        + "dryRun:true,expectedEpoch:3}){epoch changes{kind id change} userErrors{code}}}");
        assertThat(command())
                .isEqualTo(new ApplyDocument(
                        "acme", StrictJson.MAPPER.readTree("{\"pools\":[{\"id\":\"fast\"}]}"), true, 3L));
        assertThat(answer.at("/data/applyConfig/changes").toString())
                .isEqualTo("[{\"kind\":\"pool\",\"id\":\"fast\",\"change\":\"updated\"}]");
    }

    @Test
    void aVerifiedLadderIsToldRungByRung() throws Exception {
        JsonNode answer = management.run("mutation{verifyLadder(input:{tenantId:\"acme\",scenario:\"s\",prompt:\"hi\"})"
                + "{ok costUsd checks{step kind provider model ok ms failureClass detail} userErrors{code}}}");
        assertThat(management.plane.verified).isEqualTo(new VerifyQuery("acme", "s", "hi"));
        assertThat(answer.at("/data/verifyLadder/ok").asBoolean(true)).isFalse();
        assertThat(answer.at("/data/verifyLadder/checks/0").toString())
                .isEqualTo("{\"step\":\"first\",\"kind\":\"pool\",\"provider\":\"up\",\"model\":\"org/m\",\"ok\":false,"
                        + "\"ms\":12.5,\"failureClass\":\"AUTH\",\"detail\":\"401 of the upstream\"}");
    }

    @Test
    void plansUnderADraft() throws Exception {
        JsonNode answer = management.run("{planRoute(input:{tenantId:\"acme\",scenario:\"s\",config:{pools:[]}})"
                + "{refused candidates{step provider model probability reasons}}}");
        assertThat(management.plane.planned)
                .isEqualTo(new PlanQuery(
                        new TenantId("acme"), "s", "auto", 500, 0, StrictJson.MAPPER.readTree("{\"pools\":[]}")));
        assertThat(answer.at("/data/planRoute/candidates/0/reasons/0").asText()).isEqualTo("only one");
    }
}
