package io.sluice.tenants.fault;

/** A rule that applied to an attempt, with the share of attempts it strikes. */
public record FaultOdds(String rule, double share) {}
