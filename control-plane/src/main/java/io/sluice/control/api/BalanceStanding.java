package io.sluice.control.api;

import io.sluice.tenants.ScopedId;
import io.sluice.tenants.money.Money;
import java.time.Instant;

/**
 * How a prepaid account of a provider stands, by what somebody said it held and what was spent since.
 *
 * @param version of the declaration
 * @param amount it held
 * @param declaredAt when it held that
 * @param spent since then, at the configured prices
 * @param left below 0 where more was spent than it is said to have held
 * @param burnPerDay of the last day, or since {@code declaredAt} where that is shorter
 * @param runsOutAt at that burn; null where nothing is spent, or it lasts for years
 * @param low whether that is too soon
 * @param currency of all amounts
 * @param at as of when
 */
public record BalanceStanding(
        ScopedId provider,
        int version,
        Money amount,
        Instant declaredAt,
        Money spent,
        Money left,
        Money burnPerDay,
        Instant runsOutAt,
        boolean low,
        String currency,
        Instant at) {}
