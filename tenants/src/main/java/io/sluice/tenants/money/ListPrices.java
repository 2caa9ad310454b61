package io.sluice.tenants.money;

import io.sluice.tenants.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The starting table: providers' public prices in US dollars, each with its source and the day from which it holds. They are for
 * models without configured prices, and only where the currency is {@link #CURRENCY}. Read once from {@code list-prices.json}.
 */
public final class ListPrices {
    /** ISO 4217 code of all its amounts. */
    public static final String CURRENCY = "USD";

    private static final Map<String, PriceBook> BY_MODEL = read().models().stream()
            .collect(Collectors.toUnmodifiableMap(Row::model, row -> new PriceBook(row.prices())));

    /** The file. */
    record Table(String written, String currency, String note, List<Row> models, List<LeftOut> leftOut) {}

    /** The prices of one model by date. */
    record Row(String model, String provider, String source, List<Price> prices) {}

    /** A model that is known but whose price is not, so that nobody adds half of it. */
    record LeftOut(String model, String provider, String why) {}

    private ListPrices() {}

    /** The prices of the model that its provider calls {@code name}; empty where the table does not know it. */
    public static Optional<PriceBook> of(String name) {
        return Optional.ofNullable(BY_MODEL.get(name));
    }

    static Table read() {
        try (InputStream json = ListPrices.class.getResourceAsStream("list-prices.json")) {
            return StrictJson.MAPPER.readValue(json, Table.class);
        } catch (IOException notOurs) {
            throw new UncheckedIOException(notOurs);
        }
    }
}
