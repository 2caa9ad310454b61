package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.api.AdjustSpend;
import io.sluice.control.api.Reconciliation;
import io.sluice.control.api.RiseQuery;
import io.sluice.control.api.SpendDimension;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendQuery;
import io.sluice.control.api.SpendReport;
import io.sluice.control.api.SpendRise;
import io.sluice.control.api.SpendStatements;
import io.sluice.control.api.UnfreezeCap;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.money.Money;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Finance's questions through the API. */
class GraphqlSpendIT {
    private static final TenantId ACME = new TenantId("acme");
    private static final LocalDate FIRST = LocalDate.of(2026, 3, 1);
    private static final LocalDate LAST = LocalDate.of(2026, 3, 31);

    /** More tokens than 32 bits hold. */
    private static final SpendFigures FIGURES =
            new SpendFigures(3, 4, 6_000_000_000L, 5, 6, 7, 8, 9, Money.of("12.345678"), Money.of("0.5"), 1);

    private static final String SPEND = "{ spend(tenantId: \"acme\", from: \"2026-03-01\", to: \"2026-03-31\","
            + " groupBy: [APP, DAY, APP]) { rows { key requests calls inputTokens cachedInputTokens cacheWriteTokens"
            + " outputTokens reasoningTokens serverToolCalls cost estimatedCost unpricedCalls tokensPerCall costPerMTok } truncated total"
            + " totals { requests } adjustments forecast currency } }";

    private Management management;

    @BeforeEach
    void start() {
        management = Management.start();
        Map<String, String> key = new HashMap<>();
        key.put("app", null);
        key.put("day", "2026-03-02");
        management.plane.spend.report = new SpendReport(
                List.of(new SpendReport.Row(key, FIGURES)), false, FIGURES, Money.of("-1"), Money.of("20"), "EUR");
        management.plane.spend.rise = new SpendRise(
                SpendFigures.NONE,
                FIGURES,
                Money.of("12.345678"),
                Money.of("10"),
                Money.of("2"),
                Money.of("0.345678"),
                Money.ZERO,
                true,
                List.of(new SpendRise.Segment(
                        Map.of("model", "openai/m"),
                        SpendFigures.NONE,
                        FIGURES,
                        Money.of("12.345678"),
                        Money.of("12"),
                        Money.of("0.345678"),
                        Money.ZERO)),
                "EUR");
    }

    @AfterEach
    void stop() throws Exception {
        management.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme-FINANCE", "acme-TENANT_ADMIN", "acme-AUDITOR", "root-token"})
    void tellsWhatWasSpentByAnyDimensions(String token) throws Exception {
        JsonNode answer = management.run(token, SPEND);
        assertThat(answer.has("errors")).as(answer.toString()).isFalse();
        JsonNode report = answer.at("/data/spend");
        JsonNode row = report.at("/rows/0");
        assertThat(row.at("/key/day").asText()).isEqualTo("2026-03-02");
        assertThat(row.at("/key").has("app")).isTrue();
        assertThat(row.at("/key/app").isNull()).isTrue();
        assertThat(row.get("inputTokens").asLong()).isEqualTo(6_000_000_000L);
        assertThat(row.get("serverToolCalls").asLong()).isEqualTo(9);
        assertThat(row.get("cost").asText()).isEqualTo("12.345678");
        assertThat(row.get("costPerMTok").asText()).isEqualTo("0.002058");
        assertThat(row.get("tokensPerCall").asDouble()).isEqualTo(1_500_000_006.5);
        assertThat(report.get("total").asText()).isEqualTo("12.345678");
        assertThat(report.get("adjustments").asText()).isEqualTo("-1");
        assertThat(report.get("forecast").asText()).isEqualTo("20");
        assertThat(report.get("currency").asText()).isEqualTo("EUR");
        assertThat(management.plane.spend.asked)
                .containsExactly(new SpendQuery(ACME, FIRST, LAST, List.of(SpendDimension.APP, SpendDimension.DAY)));
    }

    @Test
    void isNotForReviewers() throws Exception {
        assertThat(Management.code(management.run("acme-REVIEWER", SPEND))).isEqualTo("FORBIDDEN");
        assertThat(management.plane.spend.asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "globex-FINANCE, acme, 2026-03-01, 2026-03-31, there is no such tenant",
        "acme-FINANCE, nobody, 2026-03-01, 2026-03-31, there is no such tenant",
        "acme-FINANCE, acme, 2026-3-1, 2026-03-31, from must be a day",
        "acme-FINANCE, acme, 2026-03-01, +12026-03-31, to must be a day"
    })
    void refusesWhatCanNotBeAsked(String token, String tenant, String from, String to, String words) throws Exception {
        JsonNode answer = management.run(
                token,
                "query($t: ID!, $f: Date!, $u: Date!) { spend(tenantId: $t, from: $f, to: $u, groupBy: []) { total } }",
                Map.of("t", tenant, "f", from, "u", to));
        assertThat(Management.code(answer)).isEqualTo("BAD_USER_INPUT");
        assertThat(answer.at("/errors/0/message").asText()).contains(words);
        assertThat(management.plane.spend.asked).isEmpty();
    }

    @Test
    void passesTheWordsOfTheControlPlaneOn() throws Exception {
        management.plane.spend.refusal = new IllegalArgumentException("a period has at most 366 days");
        JsonNode answer = management.run("acme-FINANCE", SPEND);
        assertThat(Management.code(answer)).isEqualTo("BAD_USER_INPUT");
        assertThat(answer.at("/errors/0/message").asText()).isEqualTo("a period has at most 366 days");
    }

    @Test
    void breaksARiseDown() throws Exception {
        JsonNode rise = management
                .run(
                        "acme-FINANCE",
                        "{ explainSpend(tenantId: \"acme\", from: \"2026-03-01\", to: \"2026-03-31\", baseFrom:"
                                + " \"2026-02-01\", baseTo: \"2026-02-28\") { base { cost } present { cost } change calls mix"
                                + " tokensPerCall price unusual segments { key change calls tokensPerCall price base { calls }"
                                + " present { calls } } currency } }")
                .at("/data/explainSpend");
        assertThat(rise.get("change").asText()).isEqualTo("12.345678");
        assertThat(rise.get("unusual").asBoolean()).isTrue();
        assertThat(rise.at("/segments/0/key/model").asText()).isEqualTo("openai/m");
        assertThat(management.plane.spend.asked)
                .containsExactly(new RiseQuery(
                        ACME,
                        FIRST,
                        LAST,
                        LocalDate.of(2026, 2, 1),
                        LocalDate.of(2026, 2, 28),
                        List.of(SpendDimension.MODEL)));
    }

    @Test
    void showsStatementsWithTheirChain() throws Exception {
        management.plane.spend.statements = new SpendStatements(
                List.of(new SpendStatements.Day(
                        FIRST,
                        new SpendStatements.Closing(
                                1,
                                MemoryControlPlane.NOW,
                                MemoryControlPlane.NOW,
                                "Europe/Berlin",
                                "2026a",
                                "EUR",
                                FIGURES,
                                MemoryControlPlane.NOW,
                                "h1"),
                        List.of(new SpendStatements.Entry(
                                2,
                                FIRST,
                                "LATE_USAGE",
                                Money.of("1"),
                                "late",
                                "system",
                                MemoryControlPlane.NOW,
                                "h2")))),
                false,
                "entry 1 was changed");
        JsonNode found = management
                .run(
                        "acme-AUDITOR",
                        "{ spendStatements(tenantId: \"acme\", from: \"2026-03-01\", to: \"2026-03-31\") { verified problem"
                                + " days { day charged closing { no from until timeZone tzdb currency closedAt hash figures {"
                                + " cost } } additions { no day kind amount reason actor at hash } } } }")
                .at("/data/spendStatements");
        assertThat(found.get("verified").asBoolean()).isFalse();
        assertThat(found.get("problem").asText()).isEqualTo("entry 1 was changed");
        assertThat(found.at("/days/0/charged").asText()).isEqualTo("13.345678");
        assertThat(found.at("/days/0/closing/tzdb").asText()).isEqualTo("2026a");
        assertThat(found.at("/days/0/additions/0/kind").asText()).isEqualTo("LATE_USAGE");
    }

    @Test
    void tellsWhetherThoseWhoCountAgree() throws Exception {
        management.plane.spend.reconciliation = new Reconciliation(
                LocalDate.of(2026, 3, 2),
                "EUR",
                Money.of("3"),
                List.of(new Reconciliation.NodeTotal("n1", Money.of("3"), 2)),
                new Reconciliation.CapTotal(
                        "day-tenant", Money.of("2.999999"), Money.ZERO, Money.of("0.5"), Money.ZERO, true),
                null,
                Money.ZERO,
                new Money(-1),
                false,
                List.of("0.5 burned"));
        JsonNode found = management
                .run(
                        "acme-FINANCE",
                        "{ reconciliation(tenantId: \"acme\", day: \"2026-03-02\") { day currency journals nodes { node cost"
                                + " requests } cap { capId spent held burned corrected closed } statement corrections"
                                + " differenceMicros balanced explanations } }")
                .at("/data/reconciliation");
        assertThat(found.get("differenceMicros").asLong()).isEqualTo(-1);
        assertThat(found.get("statement").isNull()).isTrue();
        assertThat(found.at("/cap/burned").asText()).isEqualTo("0.5");
        assertThat(found.at("/nodes/0/node").asText()).isEqualTo("n1");
        assertThat(management.plane.spend.asked)
                .containsExactly(List.of(new TenantId("acme"), LocalDate.of(2026, 3, 2)));
    }

    private static final String ADJUST =
            "mutation { adjustSpend(input: {tenantId: \"acme\", day: \"2026-03-02\", amount:"
                    + " \"-1.5\", reason: \"a test\"}) { entry { no day kind amount reason actor } userErrors { code } } }";

    @Test
    void correctsADay() throws Exception {
        JsonNode answer = management.run("acme-FINANCE", ADJUST);
        assertThat(answer.at("/data/adjustSpend/entry/amount").asText()).isEqualTo("-1.5");
        assertThat(management.plane.spend.asked)
                .containsExactly(new AdjustSpend("acme", "2026-03-02", "-1.5", "a test"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme-TENANT_ADMIN", "acme-AUDITOR", "acme-REVIEWER", "root-token"})
    void correctionsAreForFinanceOnly(String token) throws Exception {
        assertThat(Management.code(management.run(token, ADJUST))).isEqualTo("FORBIDDEN");
        assertThat(management.plane.spend.asked).isEmpty();
    }

    private static final String UNFREEZE =
            "mutation { unfreezeSpendCap(input: {tenantId: \"acme\", capId: \"day-tenant\","
                    + " reason: \"its disk is gone\"}) { period userErrors { code } } }";

    @Test
    void anOperatorLetsAFrozenCapGrantAgain() throws Exception {
        JsonNode answer = management.run("root-token", UNFREEZE);
        assertThat(answer.at("/data/unfreezeSpendCap/period").asText()).isEqualTo("2026-03-01");
        assertThat(management.plane.unfrozen).isEqualTo(new UnfreezeCap("acme", "day-tenant", "its disk is gone"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme-TENANT_ADMIN", "acme-AUDITOR", "acme-REVIEWER", "acme-FINANCE"})
    void frozenCapsAreForOperatorsOnly(String token) throws Exception {
        assertThat(Management.code(management.run(token, UNFREEZE))).isEqualTo("FORBIDDEN");
        assertThat(management.plane.unfrozen).isNull();
    }
}
