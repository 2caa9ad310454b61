package io.sluice.graphql;

import io.sluice.tenants.config.Catalog;
import io.sluice.tenants.money.Price;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One price of one model. */
record PricedModel(String model, Price price) {
    /** All prices of a catalog, by model and date. */
    static List<PricedModel> of(Catalog catalog) {
        return catalog.prices().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(book -> book.getValue().prices().stream().map(price -> new PricedModel(book.getKey(), price)))
                .toList();
    }

    /** A minute of the day as HH:MM. */
    static String clock(int minute) {
        return String.format(Locale.ROOT, "%02d:%02d", minute / 60, minute % 60);
    }
}
