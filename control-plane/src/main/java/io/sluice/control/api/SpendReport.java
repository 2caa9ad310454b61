package io.sluice.control.api;

import io.sluice.tenants.money.Money;
import java.util.List;
import java.util.Map;

/**
 * What was spent.
 *
 * @param rows by day and hour where those are asked for, then the dearest first
 * @param truncated whether there are more rows than are given
 * @param total of everything in the period, also where rows are left out
 * @param adjustments by finance to days of the period; no part of {@code total}
 * @param forecast what the period will have cost at its end if it goes on as it did; null where it is over or has not begun
 */
public record SpendReport(
        List<Row> rows, boolean truncated, SpendFigures total, Money adjustments, Money forecast, String currency) {
    public SpendReport {
        rows = List.copyOf(rows);
    }

    /**
     * Sums of one group.
     *
     * @param key value by the word of the dimension; a value is null where there is none, such as a request without end user
     */
    public record Row(Map<String, String> key, SpendFigures figures) {}
}
