package io.sluice.data.request;

import io.sluice.tenants.money.Money;
import io.sluice.tenants.routing.CompiledCap;
import io.sluice.tenants.routing.RouteDecider;
import io.sluice.tenants.routing.RouteInput;
import io.sluice.tenants.routing.RoutePlan;

/** A request with its ordered candidates and everything they follow from. */
public record Planned(Identified identified, RouteInput input, RoutePlan plan) {
    /** The same request as if {@code cap} were used up: what is left of its plan where the cap does not cover it. */
    Planned exhausted(CompiledCap cap) {
        RouteInput without = input.with(input.budget().exhausted(cap.id(), cap.atExhaustion()));
        return new Planned(identified, without, RouteDecider.decide(without));
    }

    /** A cost as the headers may tell it, which have no other currency; null where the tenant pays in another one. */
    Money inDollars(Money cost) {
        return identified.caller().tenant().paysInDollars() ? cost : null;
    }

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
