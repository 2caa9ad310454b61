package io.sluice.control.api;

import java.time.Instant;
import java.util.List;

/**
 * Rows of an export.
 *
 * @param next cursor of the next page; null where there is none
 */
public record SpendPage(List<Row> rows, String next) {
    public SpendPage {
        rows = List.copyOf(rows);
    }

    /**
     * Usage of one hour with all that it can be told apart by.
     *
     * @param hour its first instant
     * @param endUser null where the callers named none
     * @param priceVersion of the price that was used; null where the model has no price
     * @param estimated whether Sluice counted the tokens by itself
     */
    public record Row(
            Instant hour,
            String app,
            String scenario,
            String provider,
            String model,
            String step,
            String endUser,
            String priceVersion,
            boolean estimated,
            SpendFigures figures) {}
}
