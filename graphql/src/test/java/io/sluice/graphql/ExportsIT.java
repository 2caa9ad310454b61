package io.sluice.graphql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendPage;
import io.sluice.control.api.SpendStatements;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PriceBook;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables that finance takes away. */
class ExportsIT {
    private static final SpendFigures FIGURES =
            new SpendFigures(2, 2, 1_000, 100, 0, 50, 0, 0, Money.of("0.00121"), Money.ZERO, 0);

    private Management management;

    @BeforeEach
    void start() {
        management = Management.start();
    }

    @AfterEach
    void stop() throws Exception {
        management.close();
    }

    private HttpResponse<String> get(String token, String path) throws Exception {
        return management.send(management
                .request(path)
                .header("authorization", "Bearer " + token)
                .GET());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return get("acme-FINANCE", path);
    }

    private static SpendPage.Row row(String hour, String app, String endUser, String priceVersion) {
        return new SpendPage.Row(
                Instant.parse(hour), app, "chat", "openai", "m", "primary", endUser, priceVersion, false, FIGURES);
    }

    private void add(String hour, String app, String endUser, String priceVersion) {
        management.plane.spend.rows.add(row(hour, app, endUser, priceVersion));
    }

    /** The cells of each line by the name of the column; for tables without line breaks in cells. */
    private static List<Map<String, String>> table(String csv) {
        String[] lines = csv.split("\r\n", -1);
        assertThat(lines[lines.length - 1]).isEmpty();
        List<String> columns = cells(lines[0]);
        List<Map<String, String>> rows = new ArrayList<>();
        for (int i = 1; i < lines.length - 1; i++) {
            List<String> cells = cells(lines[i]);
            assertThat(cells).as(lines[i]).hasSameSizeAs(columns);
            Map<String, String> row = new TreeMap<>();
            for (int c = 0; c < cells.size(); c++) {
                row.put(columns.get(c), cells.get(c));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                cell.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }

    @Test
    void tellsWhatItIs() throws Exception {
        HttpResponse<String> answer = get("/exports/spend.csv?tenant=acme&month=2026-03");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/csv; charset=utf-8"));
        assertThat(answer.headers().firstValue("content-disposition"))
                .hasValue("attachment; filename=\"sluice-spend-acme-2026-03.csv\"");
    }

    @ParameterizedTest
    @CsvSource({"spend, 19", "focus, 43"})
    void anEmptyMonthHasItsColumnsOnly(String export, int columns) throws Exception {
        String body =
                get("/exports/" + export + ".csv?tenant=acme&month=2026-02").body();
        assertThat(body).endsWith("\r\n");
        assertThat(body.split("\r\n")).hasSize(1);
        assertThat(body.split(",")).hasSize(columns);
    }

    @Test
    void sumsUpDaysOfTheTenantsCalendarForChargeback() throws Exception {
        add("2026-02-28T22:00:00Z", "shop", "ann", "v1"); // February in Berlin
        add("2026-02-28T23:00:00Z", "shop", "ann", "v1");
        add("2026-03-01T10:00:00Z", "shop", "bob", "v1");
        add("2026-03-01T10:00:00Z", "shop", "bob", "v2");
        add("2026-03-31T21:00:00Z", "shop", "bob", "v1");
        add("2026-03-31T22:00:00Z", "shop", "bob", "v1"); // April, after the change of clocks
        List<Map<String, String>> rows =
                table(get("/exports/spend.csv?tenant=acme&month=2026-03").body());
        assertThat(rows).hasSize(3);
        assertThat(rows.get(0))
                .containsEntry("period_start", "2026-02-28T23:00:00Z")
                .containsEntry("period_end", "2026-03-01T23:00:00Z")
                .containsEntry("tenant", "acme")
                .containsEntry("project", "shop")
                .containsEntry("cost_center", "chat")
                .containsEntry("provider", "openai")
                .containsEntry("model", "m")
                .containsEntry("requests", "4")
                .containsEntry("input_tokens", "2000")
                .containsEntry("cached_input_tokens", "200")
                .containsEntry("output_tokens", "100")
                .containsEntry("list_cost", "0.00242")
                .containsEntry("billed_cost", "0.00242")
                .containsEntry("currency", "USD")
                .containsEntry("price_version", "v1");
        assertThat(rows.get(1)).containsEntry("price_version", "v2").containsEntry("requests", "2");
        assertThat(rows.get(2)).containsEntry("period_end", "2026-03-31T22:00:00Z");
    }

    @Test
    void addsCorrectionsToBothTables() throws Exception {
        management.plane.spend.statements = new SpendStatements(
                List.of(new SpendStatements.Day(
                        LocalDate.of(2026, 3, 5),
                        null,
                        List.of(
                                new SpendStatements.Entry(
                                        1,
                                        LocalDate.of(2026, 3, 5),
                                        "ADJUSTMENT",
                                        Money.of("-2.5"),
                                        "=refund, \"test\"",
                                        "ann",
                                        MemoryControlPlane.NOW,
                                        "h"),
                                new SpendStatements.Entry(
                                        2,
                                        LocalDate.of(2026, 3, 5),
                                        "LATE_USAGE",
                                        Money.of("7"),
                                        "late",
                                        "system",
                                        MemoryControlPlane.NOW,
                                        "h")))),
                true,
                null);
        assertThat(table(get("/exports/spend.csv?tenant=acme&month=2026-03").body()))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("billed_cost", "-2.5")
                        .containsEntry("list_cost", "0")
                        .containsEntry("cost_center", "ADJUSTMENT")
                        .containsEntry("period_start", "2026-03-04T23:00:00Z"));
        assertThat(table(get("/exports/focus.csv?tenant=acme&month=2026-03").body()))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("BilledCost", "-2.5")
                        .containsEntry("ChargeCategory", "Adjustment")
                        .containsEntry("ChargeDescription", "'=refund, \"test\"")
                        .containsEntry("SkuPriceId", "")
                        .containsEntry("PricingQuantity", ""));
    }

    @Test
    void givesOneLinePerTokenClassInTheColumnsOfFocus() throws Exception {
        add("2026-02-28T23:00:00Z", "shop", "ann", "v1"); // February in UTC
        add("2026-03-01T00:00:00Z", "shop", "ann", "v1");
        add("2026-03-31T23:00:00Z", "shop", null, null);
        List<Map<String, String>> rows =
                table(get("/exports/focus.csv?tenant=acme&month=2026-03").body());
        assertThat(rows).hasSize(6);
        assertThat(rows.get(0))
                .containsEntry("ChargePeriodStart", "2026-03-01T00:00:00Z")
                .containsEntry("ChargePeriodEnd", "2026-03-01T01:00:00Z")
                .containsEntry("BillingPeriodStart", "2026-03-01T00:00:00Z")
                .containsEntry("BillingPeriodEnd", "2026-04-01T00:00:00Z")
                .containsEntry("BillingCurrency", "USD")
                .containsEntry("ChargeCategory", "Usage")
                .containsEntry("ServiceCategory", "AI and Machine Learning")
                .containsEntry("SubAccountId", "acme")
                .containsEntry("ResourceId", "shop")
                .containsEntry("SkuId", "openai/m")
                .containsEntry("SkuMeter", "input")
                .containsEntry("ConsumedQuantity", "1000")
                .containsEntry("PricingUnit", "tokens")
                .containsEntry("Tags", "{\"scenario\":\"chat\",\"step\":\"primary\"}")
                .containsEntry("x_RequestCount", "2")
                .containsEntry("x_User", "ann")
                .containsEntry("x_PriceVersion", "v1");
        assertThat(rows.get(1)).containsEntry("SkuMeter", "cached_input").containsEntry("x_RequestCount", "0");
        assertThat(rows.get(3))
                .containsEntry("ChargePeriodStart", "2026-03-31T23:00:00Z")
                .containsEntry("SkuPriceId", "")
                .containsEntry("ConsumedQuantity", "")
                .containsEntry("PricingQuantity", "")
                .containsEntry("PricingUnit", "")
                .containsEntry("PricingCategory", "");
        Money billed = rows.stream().map(row -> Money.of(row.get("BilledCost"))).reduce(Money.ZERO, Money::plus);
        assertThat(billed).isEqualTo(Money.of("0.00242"));
    }

    @Test
    void bothTablesHaveCallsOfTheProvidersTools() throws Exception {
        SpendFigures searched = new SpendFigures(2, 2, 1_000, 0, 0, 0, 0, 3, Money.of("0.03015"), Money.ZERO, 0);
        Price price = new Price(
                MemoryControlPlane.NOW,
                Money.of("0.15"),
                Money.of("0.6"),
                null,
                null,
                null,
                null,
                Money.of("0.01"),
                null,
                null,
                null,
                null,
                null);
        TenantTree acme = management.plane.configuration().tenants().get(new TenantId("acme"));
        management.plane.put(acme.with(acme.catalog().withPrices("m", new PriceBook(List.of(price)))));
        management.plane.spend.rows.add(new SpendPage.Row(
                Instant.parse("2026-03-01T10:00:00Z"),
                "shop",
                "chat",
                "openai",
                "m",
                "primary",
                null,
                price.version(),
                false,
                searched));

        assertThat(table(get("/exports/spend.csv?tenant=acme&month=2026-03").body()))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("server_tool_calls", "3")
                        .containsEntry("billed_cost", "0.03015"));
        List<Map<String, String>> focus =
                table(get("/exports/focus.csv?tenant=acme&month=2026-03").body());
        assertThat(focus).hasSize(2);
        assertThat(focus.get(0)).containsEntry("SkuMeter", "input").containsEntry("BilledCost", "0.00015");
        assertThat(focus.get(1))
                .containsEntry("SkuMeter", "server_tool_calls")
                .containsEntry("ChargeDescription", "server_tool_calls of openai/m")
                .containsEntry("BilledCost", "0.03")
                .containsEntry("ListUnitPrice", "0.01")
                .containsEntry("ConsumedQuantity", "3")
                .containsEntry("ConsumedUnit", "calls")
                .containsEntry("PricingUnit", "calls")
                .containsEntry("x_RequestCount", "0");
    }

    @Test
    void hasTheMandatoryColumnsOfFocus() {
        assertThat(FocusExport.COLUMNS)
                .contains(
                        "BilledCost",
                        "BillingAccountId",
                        "BillingAccountName",
                        "BillingCurrency",
                        "BillingPeriodStart",
                        "BillingPeriodEnd",
                        "ChargeCategory",
                        "ChargeClass",
                        "ChargeDescription",
                        "ChargePeriodStart",
                        "ChargePeriodEnd",
                        "ContractedCost",
                        "EffectiveCost",
                        "InvoiceIssuerName",
                        "ListCost",
                        "PricingQuantity",
                        "PricingUnit",
                        "ProviderName",
                        "PublisherName",
                        "ServiceCategory",
                        "ServiceName")
                .doesNotHaveDuplicates();
    }

    @Test
    void makesNoCellAFormulaAndKeepsLinesWhole() throws Exception {
        add("2026-03-01T10:00:00Z", "=HYPERLINK(\"http://evil\",\"a,b\")", "+1", "@v");
        Map<String, String> chargeback = table(
                        get("/exports/spend.csv?tenant=acme&month=2026-03").body())
                .get(0);
        assertThat(chargeback)
                .containsEntry("project", "'=HYPERLINK(\"http://evil\",\"a,b\")")
                .containsEntry("price_version", "'@v");
        assertThat(table(get("/exports/focus.csv?tenant=acme&month=2026-03").body())
                        .get(0))
                .containsEntry("x_User", "'+1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"spend", "focus"})
    void ofAnotherTenantIsNotFound(String export) throws Exception {
        HttpResponse<String> foreign = get("globex-FINANCE", "/exports/" + export + ".csv?tenant=acme&month=2026-03");
        HttpResponse<String> missing = get("globex-FINANCE", "/exports/" + export + ".csv?tenant=none&month=2026-03");
        assertThat(foreign.statusCode()).isEqualTo(404);
        assertThat(foreign.body()).isEqualTo(missing.body());
        assertThat(management.plane.spend.pages).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({
        "wrong, tenant=acme&month=2026-03, 401",
        "acme-REVIEWER, tenant=acme&month=2026-03, 403",
        "acme-FINANCE, month=2026-03, 404",
        "acme-FINANCE, tenant=acme, 400",
        "acme-FINANCE, tenant=acme&month=2026-13, 400",
        "acme-FINANCE, tenant=acme&month=2026-03-01, 400",
        "acme-FINANCE, tenant=acme&tenant=globex&month=2026-03, 404",
        "acme-TENANT_ADMIN, tenant=acme&month=2026-03, 200",
        "acme-AUDITOR, tenant=acme&month=2026-03, 200",
        "root-token, tenant=acme&month=2026-03, 200"
    })
    void isForThoseWhoMayReadSpend(String token, String query, int status) throws Exception {
        assertThat(get(token, "/exports/spend.csv?" + query).statusCode()).isEqualTo(status);
    }

    @Test
    void asksForAToken() throws Exception {
        HttpResponse<String> answer = management.send(management
                .request("/exports/spend.csv?tenant=acme&month=2026-03")
                .GET());
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("www-authenticate")).hasValue("Bearer");
    }

    @Test
    void canOnlyBeRead() throws Exception {
        HttpResponse<String> answer = management.send(management
                .request("/exports/spend.csv?tenant=acme&month=2026-03")
                .header("authorization", "Bearer acme-FINANCE")
                .DELETE());
        assertThat(answer.statusCode()).isEqualTo(405);
    }

    @Test
    void cutsTheConnectionWhereItCanNotGoOn() {
        for (int i = 0; i < 10; i++) {
            add("2026-03-01T10:00:00Z", "shop", "user-" + i, "v1");
        }
        management.plane.spend.failsAtPage = 3;
        assertThatThrownBy(() -> get("/exports/focus.csv?tenant=acme&month=2026-03"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void readsNoFurtherAheadThanItsReader() throws Exception {
        management.plane.spend.rows.addAll(IntStream.range(0, 20_000)
                .mapToObj(i -> row("2026-03-01T10:00:00Z", "shop", "user-" + i, "v1"))
                .toList());
        management.plane.spend.pageRows = 100;
        HttpResponse<InputStream> answer = management.http.send(
                management
                        .request("/exports/focus.csv?tenant=acme&month=2026-03")
                        .header("authorization", "Bearer acme-FINANCE")
                        .build(),
                BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            byte[] first = body.readNBytes(1_000);
            assertThat(first).hasSize(1_000);
            // Nobody reads on: what is in flight fits into buffers, and the rest has not been asked for.
            assertThat(management.plane.spend.pages.get()).isLessThan(200);
            long bytes = first.length + body.transferTo(OutputStream.nullOutputStream());
            assertThat(bytes).isGreaterThan(20_000_000);
        }
        assertThat(management.plane.spend.pages).hasValue(200);
    }
}
