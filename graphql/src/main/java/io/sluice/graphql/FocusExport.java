package io.sluice.graphql;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.control.api.ControlPlaneApi;
import io.sluice.control.api.SpendPage;
import io.sluice.control.api.SpendStatements;
import io.sluice.graphql.CostShares.Share;
import io.sluice.graphql.CsvText.Figure;
import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.PriceBook;
import io.vertx.core.Future;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The columns of FOCUS 1.2 (FinOps Open Cost and Usage Specification): one line per hour of UTC, app, scenario, rung, end user, model, price
 * and class of usage; corrections at the end. Billing periods are months of UTC, so their edges differ from those of the tenant's
 * calendar.
 */
final class FocusExport implements Export {
    private static final String SERVICE = "Language model inference";

    /** As many digits as a price per token has at most, and some for shares. */
    private static final MathContext UNIT_PRICE = new MathContext(12);

    private final ControlPlaneApi api;
    private final ExportPages pages;

    FocusExport(ControlPlaneApi api) {
        this.api = api;
        pages = new ExportPages(api);
    }

    /** The cells of one line by column. */
    private static Map<String, Object> empty() {
        Map<String, Object> cells = new LinkedHashMap<>();
        for (String column : COLUMNS) {
            cells.put(column, null);
        }
        return cells;
    }

    static final List<String> COLUMNS = List.of(
            "BilledCost",
            "BillingAccountId",
            "BillingAccountName",
            "BillingCurrency",
            "BillingPeriodEnd",
            "BillingPeriodStart",
            "ChargeCategory",
            "ChargeClass",
            "ChargeDescription",
            "ChargeFrequency",
            "ChargePeriodEnd",
            "ChargePeriodStart",
            "ConsumedQuantity",
            "ConsumedUnit",
            "ContractedCost",
            "ContractedUnitPrice",
            "EffectiveCost",
            "InvoiceIssuerName",
            "ListCost",
            "ListUnitPrice",
            "PricingCategory",
            "PricingQuantity",
            "PricingUnit",
            "ProviderName",
            "PublisherName",
            "ResourceId",
            "ResourceName",
            "ResourceType",
            "ServiceCategory",
            "ServiceName",
            "ServiceSubcategory",
            "SkuId",
            "SkuMeter",
            "SkuPriceId",
            "SubAccountId",
            "SubAccountName",
            "SubAccountType",
            "Tags",
            "x_Estimated",
            "x_PriceVersion",
            "x_RequestCount",
            "x_ServedModel",
            "x_User");

    @Override
    public String name() {
        return "focus";
    }

    @Override
    public Future<Void> write(TenantTree tree, YearMonth month, Function<String, Future<Void>> out) {
        Instant from = month.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        Instant until =
                month.plusMonths(1).atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        return out.apply(CsvText.line(COLUMNS))
                .compose(done ->
                        pages.each(tree.tenant().id(), from, until, rows -> out.apply(lines(tree, from, until, rows))))
                .compose(done -> pages.adjustments(tree.tenant().id(), month))
                .compose(entries -> {
                    StringBuilder lines = new StringBuilder();
                    entries.forEach(entry -> lines.append(adjustment(tree, from, until, entry)));
                    return out.apply(lines.toString());
                });
    }

    private String lines(TenantTree tree, Instant from, Instant until, List<SpendPage.Row> rows) {
        StringBuilder lines = new StringBuilder();
        for (SpendPage.Row row : rows) {
            boolean first = true;
            for (Share share : shares(tree, row)) {
                lines.append(line(usage(tree, from, until, row, share, first)));
                first = false;
            }
        }
        return lines.toString();
    }

    private static String line(Map<String, Object> cells) {
        return CsvText.line(new ArrayList<>(cells.values()));
    }

    /** A call that used nothing still is a line. */
    private List<Share> shares(TenantTree tree, SpendPage.Row row) {
        List<Share> shares = CostShares.of(row.figures(), price(tree, row));
        return shares.isEmpty()
                ? List.of(new Share(
                        "requests", CostShares.TOKENS, 0, row.figures().cost()))
                : shares;
    }

    private Price price(TenantTree tree, SpendPage.Row row) {
        Catalog platform = api.configuration().platform();
        return Stream.of(tree.catalog(), platform)
                .map(catalog -> catalog.prices().get(row.model() == null ? "" : row.model()))
                .filter(Objects::nonNull)
                .map(PriceBook::prices)
                .flatMap(List::stream)
                .filter(price -> price.version().equals(row.priceVersion()))
                .findFirst()
                .orElse(null);
    }

    private static Map<String, Object> usage(
            TenantTree tree, Instant from, Instant until, SpendPage.Row row, Share share, boolean first) {
        Map<String, Object> cells = charge(tree, from, until, share.cost());
        String model = row.provider() + "/" + row.model();
        cells.put("BillingAccountId", row.provider());
        cells.put("ChargeCategory", "Usage");
        cells.put(
                "ChargeDescription",
                share.meter() + (share.unit().equals(CostShares.TOKENS) ? " tokens of " : " of ") + model);
        cells.put("ChargeFrequency", "Usage-Based");
        cells.put("ChargePeriodStart", row.hour());
        cells.put("ChargePeriodEnd", row.hour().plus(Duration.ofHours(1)));
        cells.put("InvoiceIssuerName", row.provider());
        cells.put("ProviderName", row.provider());
        cells.put("PublisherName", row.provider());
        cells.put("ResourceId", row.app());
        cells.put("ResourceName", row.app());
        cells.put("ResourceType", "App");
        cells.put("SkuId", model);
        cells.put("SkuMeter", share.meter());
        cells.put("Tags", tags(row));
        cells.put("x_Estimated", row.estimated());
        cells.put("x_PriceVersion", row.priceVersion());
        cells.put("x_RequestCount", first ? row.figures().requests() : 0);
        cells.put("x_ServedModel", model);
        cells.put("x_User", row.endUser());
        if (row.priceVersion() != null) {
            priced(cells, row, share);
        }
        return cells;
    }

    /** Columns that have to be empty where there is no price. */
    private static void priced(Map<String, Object> cells, SpendPage.Row row, Share share) {
        Figure unitPrice = share.quantity() == 0
                ? null
                : Figure.of(new BigDecimal(share.cost().toString())
                        .divide(BigDecimal.valueOf(share.quantity()), UNIT_PRICE)
                        .toPlainString());
        cells.put("SkuPriceId", row.provider() + "/" + row.model() + "/" + share.meter() + "/" + row.priceVersion());
        cells.put("ConsumedQuantity", share.quantity());
        cells.put("ConsumedUnit", share.unit());
        cells.put("PricingQuantity", share.quantity());
        cells.put("PricingUnit", share.unit());
        cells.put("PricingCategory", "Standard");
        cells.put("ListUnitPrice", unitPrice);
        cells.put("ContractedUnitPrice", unitPrice);
    }

    /** What lines of usage and of corrections have in common. */
    private static Map<String, Object> charge(TenantTree tree, Instant from, Instant until, Money cost) {
        Map<String, Object> cells = empty();
        Figure figure = Figure.of(cost);
        cells.put("BilledCost", figure);
        cells.put("ContractedCost", figure);
        cells.put("EffectiveCost", figure);
        cells.put("ListCost", figure);
        cells.put("BillingCurrency", tree.tenant().currency());
        cells.put("BillingPeriodStart", from);
        cells.put("BillingPeriodEnd", until);
        cells.put("ServiceCategory", "AI and Machine Learning");
        cells.put("ServiceName", SERVICE);
        cells.put("ServiceSubcategory", "Generative AI");
        cells.put("SubAccountId", tree.tenant().id());
        cells.put("SubAccountName", tree.tenant().displayName());
        cells.put("SubAccountType", "Tenant");
        return cells;
    }

    private String adjustment(TenantTree tree, Instant from, Instant until, SpendStatements.Entry entry) {
        Map<String, Object> cells = charge(tree, from, until, entry.amount());
        Instant begin = entry.day().atStartOfDay(ZoneOffset.UTC).toInstant();
        cells.put("BillingAccountId", tree.tenant().id());
        cells.put("ChargeCategory", "Adjustment");
        cells.put("ChargeDescription", entry.reason());
        cells.put("ChargeFrequency", "One-Time");
        cells.put("ChargePeriodStart", begin);
        cells.put("ChargePeriodEnd", begin.plus(Duration.ofDays(1)));
        cells.put("InvoiceIssuerName", "Sluice");
        cells.put("ProviderName", "Sluice");
        cells.put("PublisherName", "Sluice");
        return line(cells);
    }

    private static String tags(SpendPage.Row row) {
        Map<String, String> tags = new LinkedHashMap<>();
        tags.put("scenario", row.scenario());
        tags.put("step", row.step());
        try {
            return StrictJson.MAPPER.writeValueAsString(tags);
        } catch (JsonProcessingException neverForTexts) {
            throw new IllegalStateException(neverForTexts);
        }
    }
}
