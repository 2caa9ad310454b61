package io.sluice.control.api;

/**
 * A correction as a person typed it.
 *
 * @param day of the tenant's calendar; not in the future
 * @param amount to add, negative to take away
 * @param reason for whoever reads the statement
 */
public record AdjustSpend(String tenantId, String day, String amount, String reason) {
    /** Most that one correction adds or takes away: a thousand million units. */
    public static final long MICROS_MAX = 1_000_000_000L * 1_000_000;
}
