package io.sluice.control.config;

import static io.sluice.control.config.Given.accepted;
import static io.sluice.control.config.Given.acme;
import static io.sluice.control.config.Given.errors;
import static io.sluice.control.config.Given.json;
import static io.sluice.control.config.Given.mistakes;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.api.ConfigCommand.ApplyDocument;
import io.sluice.control.config.ConfigDecision.Accepted;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.LimitsConfig;
import io.sluice.tenants.config.TenantTree;
import org.junit.jupiter.api.Test;

class DocumentTest {
    private static final String WHOLE = "{'providers':[{'id':'p2','plugin':'simulator','credential':'value:abc'}],"
            + "'models':[{'id':'m2','contextWindow':4000,'maxOutputTokens':500}],"
            + "'prices':[{'model':'m2','inputPerMTok':'0.5','outputPerMTok':'1'}],"
            + "'pools':[{'id':'pool2','tier':'LIGHT','targets':[{'provider':'p2','model':'m2'}]}],"
            + "'apps':[{'id':'mobile'}],"
            + "'scenarios':[{'name':'s2','sensitivity':'STRICT','kind':'READ','ladder':[{'name':'a','pool':'pool2'}]}]}";

    private static ApplyDocument document(String json) {
        return new ApplyDocument("acme", json(json), false, null);
    }

    @Test
    void appliesEverythingAsOneEpoch() {
        Configuration before = acme();
        Accepted accepted = accepted(before, document(WHOLE));
        assertThat(accepted.configuration().epoch()).isEqualTo(before.epoch() + 1);
        assertThat(accepted.changes())
                .extracting(change -> change.shown().toString())
                .containsExactly(
                        "ConfigChange[kind=provider, id=p2, change=created]",
                        "ConfigChange[kind=model, id=m2, change=created]",
                        "ConfigChange[kind=price, id=m2, change=created]",
                        "ConfigChange[kind=pool, id=pool2, change=created]",
                        "ConfigChange[kind=app, id=mobile, change=created]",
                        "ConfigChange[kind=scenario, id=s2, change=created]");
    }

    @Test
    void aLeftOutWeightIsAHundred() {
        TenantTree tree =
                accepted(acme(), document(WHOLE)).configuration().tenants().get(new TenantId("acme"));
        assertThat(tree.catalog().pools().get("pool2").targets().get(0).weight())
                .isEqualTo(100);
    }

    @Test
    void applyingItAgainChangesNothing() {
        Configuration once = accepted(acme(), document(WHOLE)).configuration();
        Accepted twice = accepted(once, document(WHOLE));
        assertThat(twice.changesSomething()).isFalse();
        assertThat(twice.configuration()).isSameAs(once);
    }

    private static LimitsConfig tenantLimits(Configuration configuration) {
        return configuration.tenants().get(new TenantId("acme")).tenant().limits();
    }

    @Test
    void limitsOfATenantAreSetKeptAndTakenAway() {
        Configuration set = accepted(acme(), document("{'tenant':{'limits':{'requestsPerMinute':5}}}"))
                .configuration();
        Configuration kept =
                accepted(set, document("{'tenant':{'displayName':'Other'}}")).configuration();
        Configuration none =
                accepted(kept, document("{'tenant':{'limits':null}}")).configuration();

        assertThat(tenantLimits(set)).isEqualTo(new LimitsConfig(5, null, null));
        assertThat(tenantLimits(kept)).isEqualTo(new LimitsConfig(5, null, null));
        assertThat(tenantLimits(none)).isNull();
    }

    @Test
    void limitsOfAppsAndScenariosAreWhatTheDocumentSays() {
        String limits = "{'apps':[{'id':'web','limits':{'maxConcurrency':2},'endUserLimits':{'tokensPerMinute':7}}],"
                + "'scenarios':[{'name':'chat','sensitivity':'SEMANTIC','kind':'READ','limits':{'requestsPerMinute':9},"
                + "'ladder':[{'name':'first','pool':'std'}]}]}";
        TenantTree tree =
                accepted(acme(), document(limits)).configuration().tenants().get(new TenantId("acme"));

        assertThat(tree.apps().get("web").limits()).isEqualTo(new LimitsConfig(null, null, 2));
        assertThat(tree.apps().get("web").endUserLimits()).isEqualTo(new LimitsConfig(null, 7, null));
        assertThat(tree.scenarios().get("chat").limits()).isEqualTo(new LimitsConfig(9, null, null));
    }

    @Test
    void aWrongLimitInADocumentHasItsPath() {
        assertThat(mistakes(acme(), document("{'apps':[{'id':'web','limits':{'maxConcurrency':0,'perDay':1}}]}")))
                .containsExactlyInAnyOrder(
                        "document.apps.0.limits.maxConcurrency INVALID", "document.apps.0.limits.perDay INVALID");
    }

    @Test
    void theMembersMayStandInAnyOrder() {
        String reversed = "{'pools':[{'id':'b','tier':'LIGHT','targets':[{'provider':'p9','model':'small'}]}],"
                + "'providers':[{'id':'p9','plugin':'simulator'}]}";
        assertThat(mistakes(acme(), document(reversed))).isEmpty();
    }

    @Test
    void everyMistakeHasItsPathFromTheRoot() {
        String wrong = "{'pools':[{'id':'b','tier':'LIGHT','targets':[{'provider':'sim','model':'x','weight':1.5}]}],"
                + "'models':[{'id':'m','contextWindow':'big','maxOutputTokens':1}],"
                + "'prices':[{'model':'small','inputPerMTok':1,'outputPerMTok':'-1','perServerToolCall':'?'}],"
                + "'scenarios':[{'name':'s','sensitivity':'STRICT','kind':'READ','core':null,'ladder':[]}]}";
        assertThat(mistakes(acme(), document(wrong)))
                .containsExactlyInAnyOrder(
                        "document.pools.0.targets.0.weight INVALID",
                        "document.pools.0.targets.0.model NOT_FOUND",
                        "document.models.0.contextWindow INVALID",
                        "document.prices.0.inputPerMTok INVALID",
                        "document.prices.0.outputPerMTok INVALID",
                        "document.prices.0.perServerToolCall INVALID",
                        "document.scenarios.0.core REQUIRED",
                        "document.scenarios.0.ladder INVALID");
    }

    @Test
    void whatRefersToAWrongObjectOfTheDocumentIsNotReportedToo() {
        String wrong = "{'providers':[{'id':'p9','plugin':'nothing'}],"
                + "'pools':[{'id':'b','tier':'LIGHT','targets':[{'provider':'p9','model':'small'}]}]}";
        assertThat(mistakes(acme(), document(wrong))).containsExactly("document.providers.0.plugin NOT_FOUND");
    }

    @Test
    void unknownMembersAreRefusedByPath() {
        String wrong = "{'modls':[],'pools':[{'id':'b','teir':'LIGHT','tier':'LIGHT',"
                + "'targets':[{'provider':'sim','model':'small','wieght':3}]}]}";
        assertThat(mistakes(acme(), document(wrong)))
                .containsExactlyInAnyOrder(
                        "document.modls INVALID",
                        "document.pools.0.teir INVALID",
                        "document.pools.0.targets.0.wieght INVALID");
    }

    @Test
    void anUnknownMemberIsToldTheKnownOnes() {
        assertThat(errors(acme(), document("{'modls':[]}")).get(0).message()).contains("models");
    }

    @Test
    void oneIdStandsOnce() {
        String twice = "{'models':[{'id':'m','contextWindow':10,'maxOutputTokens':1},"
                + "{'id':'m','contextWindow':20,'maxOutputTokens':1}]}";
        assertThat(mistakes(acme(), document(twice))).containsExactly("document.models.1.id DUPLICATE");
    }

    @Test
    void anExpectedEpochGuardsTheWhole() {
        ApplyDocument late = new ApplyDocument("acme", json(WHOLE), false, 3L);
        assertThat(mistakes(acme(), late)).containsExactly("expectedEpoch CONFLICT_VERSION");
    }

    @Test
    void thePlatformHasNoScenarios() {
        ApplyDocument platform = new ApplyDocument(null, json("{'scenarios':[],'apps':[]}"), false, null);
        assertThat(mistakes(acme(), platform))
                .containsExactlyInAnyOrder("document.scenarios INVALID", "document.apps INVALID");
    }

    @Test
    void aDocumentMayChangeItsTenant() {
        Accepted accepted = accepted(acme(), document("{'tenant':{'displayName':'Acme 2'}}"));
        assertThat(accepted.configuration()
                        .tenants()
                        .get(new TenantId("acme"))
                        .tenant()
                        .displayName())
                .isEqualTo("Acme 2");
    }

    /** Case GQ04. */
    @Test
    void aNullDryRunIsToldWithTheDocumentsMistakes() {
        ApplyDocument unsaid = new ApplyDocument(
                "acme",
                json("{'tenant':{'timeZone':null},'prices':[{'model':'small','validFrom':'1 May'}]}"),
                null,
                3L);
        assertThat(mistakes(acme(), unsaid))
                .containsExactlyInAnyOrder(
                        "expectedEpoch CONFLICT_VERSION",
                        "dryRun REQUIRED",
                        "document.tenant.timeZone REQUIRED",
                        "document.prices.0.validFrom INVALID",
                        "document.prices.0.inputPerMTok REQUIRED",
                        "document.prices.0.outputPerMTok REQUIRED");
    }

    @Test
    void aDocumentIsAnObject() {
        assertThat(mistakes(acme(), document("[]"))).containsExactly("document INVALID");
    }

    @Test
    void anItemIsAnObject() {
        assertThat(mistakes(acme(), document("{'models':['m']}"))).containsExactly("document.models.0 INVALID");
    }

    @Test
    void aDocumentIsRequired() {
        assertThat(mistakes(acme(), new ApplyDocument("acme", null, false, null)))
                .containsExactly("document REQUIRED");
    }

    @Test
    void moreObjectsThanTheLimitAreRefusedAtOnce() {
        String many = "{'models':[" + "{},".repeat(10_000) + "{}]}";
        assertThat(mistakes(acme(), document(many))).containsExactly("document LIMIT_EXCEEDED");
    }
}
