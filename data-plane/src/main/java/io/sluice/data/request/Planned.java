package io.sluice.data.request;

import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RoutePlan;

/** A request with its ordered candidates and everything they follow from. */
public record Planned(Identified identified, RouteInput input, RoutePlan plan) {
    /** How far down the ladder a step stands. */
    int descentsTo(String step) {
        for (int i = 0; i < identified.ladder().size(); i++) {
            if (identified.ladder().get(i).name().equals(step)) {
                return i;
            }
        }
        return 0;
    }
}
