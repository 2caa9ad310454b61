package io.sluice.tenants.money;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The prices of one model by date.
 *
 * @param prices in ascending order of {@link Price#validFrom}; the compact constructor sorts them
 */
public record PriceBook(List<Price> prices) {
    public static final PriceBook EMPTY = new PriceBook(List.of());

    public PriceBook {
        prices = prices.stream().sorted(Comparator.comparing(Price::validFrom)).toList();
    }

    /** The price that holds at {@code at}; empty where none has begun yet: the attempt is then reported as unpriced. */
    public Optional<Price> at(Instant at) {
        for (int i = prices.size() - 1; i >= 0; i--) {
            if (!prices.get(i).validFrom().isAfter(at)) {
                return Optional.of(prices.get(i));
            }
        }
        return Optional.empty();
    }
}
