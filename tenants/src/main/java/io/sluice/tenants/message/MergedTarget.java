package io.sluice.tenants.message;

import io.sluice.tenants.health.TargetState;

/**
 * One target as the whole cluster sees it.
 *
 * @param health published health, 0 to 1
 */
public record MergedTarget(String key, double health, TargetState state, int inFlight) {}
