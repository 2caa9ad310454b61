package io.sluice.ops;

import static io.sluice.ops.Admin.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody of finance, with a token of that role alone, and a process that apps use meanwhile. */
class FinanceIT {
    private static final String HELLO =
            "{\"model\":\"auto\",\"messages\":[{\"role\":\"user\",\"content\":\"scene: hello\"}]}";
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @TempDir
    Path directory;

    private Scenes scenes;
    private SluiceProcess sluice;
    private String key;
    private String rootToken;
    private String financeToken;

    @BeforeEach
    void onboard() throws Exception {
        scenes = new Scenes();
        sluice = SluiceProcess.up(directory.resolve("data"), "--empty");
        rootToken = sluice.shownToken();
        Admin root = new Admin(sluice, rootToken);
        root.tenant("acme");
        root.model("acme", "small");
        root.pool("acme", "main", scenes.baseUrl(), "small");
        root.make(
                "putScenario",
                "",
                input(
                        "tenantId",
                        "acme",
                        "name",
                        "support",
                        "sensitivity",
                        "CREATIVE",
                        "kind",
                        "READ",
                        "ladder",
                        List.of(Map.of("name", "normal", "pool", "main"))));
        key = root.make("createApiKey", "key", input("tenantId", "acme", "appId", "app", "defaultScenario", "support"))
                .get("key")
                .asText();
        financeToken = root.make(
                        "createAccessToken", "token", input("role", "FINANCE", "tenantId", "acme", "name", "ann"))
                .get("token")
                .asText();
    }

    @AfterEach
    void stop() {
        sluice.close();
        scenes.close();
    }

    private void chat() throws Exception {
        chat(HELLO);
    }

    private void chat(String body) throws Exception {
        HttpResponse<String> answer =
                sluice.send(SluiceProcess.chat(sluice.fact("Apps") + "/chat/completions", key, body));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    /** Yesterday to tomorrow, so that a midnight during the test does no harm. */
    private static String days() {
        LocalDate today = LocalDate.now(BERLIN);
        return "tenantId: \"acme\", from: \"" + today.minusDays(1) + "\", to: \"" + today.plusDays(1) + "\"";
    }

    private JsonNode report() throws Exception {
        return new Admin(sluice, financeToken)
                .ask("{ spend(" + days() + ", groupBy: [APP, SCENARIO, MODEL, STEP]) { total currency"
                        + " rows { key requests calls inputTokens outputTokens serverToolCalls cost } } }")
                .get("spend");
    }

    private JsonNode eventually(int requests) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        JsonNode report = report();
        while (report.at("/rows/0/requests").asInt() < requests && System.nanoTime() < end) {
            Thread.sleep(50);
            report = report();
        }
        return report;
    }

    @Test
    void seesWhatARequestCostAlsoAfterARestart() throws Exception {
        chat();
        JsonNode report = eventually(1);
        assertThat(report.get("rows")).hasSize(1);
        assertThat(report.at("/rows/0/key").toString())
                .isEqualTo("{\"app\":\"app\",\"scenario\":\"support\",\"model\":\"main/small\",\"step\":\"normal\"}");
        assertThat(report.at("/rows/0/inputTokens").asInt()).isEqualTo(5);
        assertThat(report.at("/rows/0/outputTokens").asInt()).isEqualTo(2);
        assertThat(report.get("total").asText()).isEqualTo("0.000002");
        sluice.terminate();
        assertThat(sluice.exitCode()).isIn(0, 143);
        sluice = SluiceProcess.up(directory.resolve("data"), "--empty");
        chat();
        assertThat(eventually(2).get("total").asText()).isEqualTo("0.000004");
    }

    @Test
    void takesTheMonthAway() throws Exception {
        YearMonth before = YearMonth.now(ZoneOffset.UTC);
        chat();
        eventually(1);
        List<String> meters = new ArrayList<>();
        for (YearMonth month : new TreeSet<>(List.of(before, YearMonth.now(ZoneOffset.UTC)))) {
            String csv = export(month);
            assertThat(csv).startsWith("BilledCost,");
            csv.lines()
                    .skip(1)
                    .map(line -> line.replaceFirst(".*,main/small,([a-z]+),.*", "$1"))
                    .forEach(meters::add);
        }
        assertThat(meters).containsExactly("input", "output");
    }

    @Test
    void seesTheFeesOfSearches() throws Exception {
        new Admin(sluice, rootToken)
                .make(
                        "putPrice",
                        "",
                        input(
                                "tenantId",
                                "acme",
                                "model",
                                "small",
                                "inputPerMTok",
                                "0.15",
                                "outputPerMTok",
                                "0.60",
                                "perServerToolCall",
                                "0.01"));
        YearMonth before = YearMonth.now(ZoneOffset.UTC);
        chat(
                "{\"model\":\"auto\",\"web_search_options\":{},\"messages\":[{\"role\":\"user\",\"content\":\"scene: searched 2\"}]}");

        JsonNode report = eventually(1);
        assertThat(report.at("/rows/0/serverToolCalls").asInt()).isEqualTo(2);
        assertThat(report.get("total").asText()).isEqualTo("0.020002");
        List<String> lines = new ArrayList<>();
        for (YearMonth month : new TreeSet<>(List.of(before, YearMonth.now(ZoneOffset.UTC)))) {
            export(month)
                    .lines()
                    .filter(line -> line.contains("server_tool_calls"))
                    .forEach(lines::add);
        }
        assertThat(lines)
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("0.02,")
                .contains(",2,calls,");
    }

    private String export(YearMonth month) throws Exception {
        HttpResponse<String> csv = sluice.send(HttpRequest.newBuilder(
                        URI.create(sluice.management() + "/exports/focus.csv?tenant=acme&month=" + month))
                .header("authorization", "Bearer " + financeToken)
                .build());
        assertThat(csv.statusCode()).as(csv.body()).isEqualTo(200);
        return csv.body();
    }

    @Test
    void correctsTodayAndNothingElse() throws Exception {
        Admin finance = new Admin(sluice, financeToken);
        JsonNode entry = finance.make(
                        "adjustSpend",
                        "entry { amount kind }",
                        input(
                                "tenantId",
                                "acme",
                                "day",
                                LocalDate.now(BERLIN).minusDays(1).toString(),
                                "amount",
                                "-1.5",
                                "reason",
                                "a test that ran away"))
                .get("entry");
        assertThat(entry.get("amount").asText()).isEqualTo("-1.5");
        JsonNode statements = finance.ask("{ spendStatements(" + days() + ") { verified days { charged } } }")
                .get("spendStatements");
        assertThat(statements.get("verified").asBoolean()).isTrue();
        assertThat(statements.at("/days/0/charged").asText()).isEqualTo("-1.5");
        JsonNode refused = finance.reply("{ tenant(id: \"acme\") { pools { id } } }", Map.of());
        assertThat(refused.at("/errors/0/extensions/code").asText()).isEqualTo("FORBIDDEN");
    }

    @Test
    void whatFinanceCorrectsCountsInTheCap() throws Exception {
        Admin finance = new Admin(sluice, financeToken);
        finance.make(
                "setSpendCap", "", input("tenantId", "acme", "scope", "TENANT", "period", "MONTH", "limit", "1000"));
        chat();
        LocalDate today = LocalDate.now(BERLIN);
        finance.make(
                "adjustSpend",
                "",
                input("tenantId", "acme", "day", today.toString(), "amount", "400", "reason", "billed elsewhere"));
        assertThat(spentOnceItIs(finance, "400.000002")).isEqualTo("400.000002");
    }

    @Test
    void journalsCapAndCorrectionsOfADayAddUp() throws Exception {
        Admin finance = new Admin(sluice, financeToken);
        finance.make("setSpendCap", "", input("tenantId", "acme", "scope", "TENANT", "period", "DAY", "limit", "1000"));
        String day = LocalDate.now(BERLIN).toString();
        chat();
        finance.make(
                "adjustSpend", "", input("tenantId", "acme", "day", day, "amount", "4", "reason", "billed elsewhere"));
        JsonNode found;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        do {
            Thread.sleep(50);
            found = finance.ask("{ reconciliation(tenantId: \"acme\", day: \"" + day + "\") { balanced differenceMicros"
                            + " journals corrections nodes { cost } cap { spent corrected } explanations } }")
                    .get("reconciliation");
        } while ((!found.get("balanced").asBoolean()
                        || found.get("journals").asText().equals("0"))
                && System.nanoTime() < end);
        assertThat(found.get("balanced").asBoolean()).as(found.toString()).isTrue();
        assertThat(found.get("differenceMicros").asLong()).isZero();
        assertThat(found.at("/cap/spent")).isEqualTo(found.get("journals"));
        assertThat(found.at("/nodes/0/cost")).isEqualTo(found.get("journals"));
        assertThat(found.get("corrections").asText()).isEqualTo("4");
    }

    private static String spentOnceItIs(Admin finance, String expected) throws Exception {
        String spent = "";
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!spent.equals(expected) && System.nanoTime() < end) {
            Thread.sleep(50);
            spent = finance.ask("{ tenant(id: \"acme\") { spendCaps { spent } } }")
                    .at("/tenant/spendCaps/0/spent")
                    .asText();
        }
        return spent;
    }
}
