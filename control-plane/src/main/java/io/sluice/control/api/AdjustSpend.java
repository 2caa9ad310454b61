package io.sluice.control.api;

/**
 * A correction as a person typed it.
 *
 * @param day of the tenant's calendar; not in the future
 * @param amount to add, negative to take away
 * @param reason for whoever reads the statement
 */
public record AdjustSpend(String tenantId, String day, String amount, String reason) {}
