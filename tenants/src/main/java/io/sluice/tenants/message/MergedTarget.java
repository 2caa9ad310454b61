package io.sluice.tenants.message;

import io.sluice.tenants.health.TargetState;

/**
 * One target as the whole cluster sees it.
 *
 * @param health published health, 0 to 1
 * @param local what nodes take off by themselves, 0 to 1: the mean over the nodes that report it; 1 where none does
 */
public record MergedTarget(String key, double health, double local, TargetState state, int inFlight) {}
