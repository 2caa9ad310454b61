package io.sluice.tenants.budget;

/**
 * The band of a cap from now on.
 *
 * @param changed whether it is another than before
 * @param forecastMicros what will have been spent when the period ends, at the present burn
 * @param explanation in one sentence, for people: figures, the rule, the forecast
 */
public record BandDecision(BandState state, boolean changed, long forecastMicros, String explanation) {}
