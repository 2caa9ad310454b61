package io.sluice.data.request;

import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RoutePlan;

/** A request with its ordered candidates and everything they follow from. */
public record Planned(Identified identified, RouteInput input, RoutePlan plan) {}
