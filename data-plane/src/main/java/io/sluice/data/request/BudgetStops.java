package io.sluice.data.request;

import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.routing.BudgetFacts;
import io.sluice.tenants.routing.CompiledCap;
import io.sluice.tenants.routing.CompiledTenant;
import io.sluice.tenants.routing.RoutePlan;
import io.sluice.tenants.routing.RoutePlan.Reason;
import java.time.Instant;
import java.util.Optional;

/** The words in which a request is told that money keeps it from every model. Pure. */
final class BudgetStops {
    /** A failover takes seconds; a client that comes back sooner only waits again. */
    private static final long RETRY_MS = 2_000;

    private BudgetStops() {}

    /** Whether shortage of money, and nothing else, decided that no model is called. */
    static boolean decided(RoutePlan plan) {
        return plan.refused() == Refusal.BUDGET_EXHAUSTED
                || plan.refused() == Refusal.MODEL_NOT_PRICED
                || (plan.candidates().stream().allMatch(candidate -> candidate.target() < 0)
                        && plan.excluded().stream().anyMatch(out -> ofBand(out.reason())));
    }

    private static boolean ofBand(Reason reason) {
        return reason == Reason.BUDGET_RESTRICTS || reason == Reason.BUDGET_EXHAUSTED;
    }

    /** Of a plan for which {@link #decided} holds. */
    static Stop stop(Planned planned) {
        String scenario = planned.identified().scenario().name();
        if (planned.plan().refused() == Refusal.MODEL_NOT_PRICED) {
            return Stop.of(
                    Refusal.MODEL_NOT_PRICED,
                    "no model that may answer \"" + scenario
                            + "\" has a price, and a spend cap applies, so nobody could say"
                            + " whether it holds; the operators of the gateway can give the model one",
                    null);
        }
        BudgetFacts budget = planned.input().budget();
        Optional<CompiledCap> cap = cap(planned, budget.cap());
        String why = budget.band() == BudgetBand.EXHAUSTED
                ? "is used up, or what is left of it is kept for scenarios that are exempt"
                : "is nearly used up, and what is left is kept for scenarios that are core, which \"" + scenario
                        + "\" is not";
        return new Stop(
                refusal(planned),
                display(cap) + " " + why + anew(planned, cap) + ". Ask whoever manages your budget to raise it",
                null,
                0,
                false);
    }

    /** The refusal for want of money in the form that the scenario's clients understand. */
    static Refusal refusal(Planned planned) {
        int status = planned.identified().scenario().settings().budget().status();
        return status == Refusal.INSUFFICIENT_QUOTA.status() ? Refusal.INSUFFICIENT_QUOTA : Refusal.BUDGET_EXHAUSTED;
    }

    /** Of a request whose reservation a cap does not cover. */
    static Stop uncovered(Planned planned, String capId) {
        Optional<CompiledCap> cap = cap(planned, capId);
        String display = display(cap);
        boolean nothing = cap.filter(each -> each.limitMicros() == 0).isPresent();
        String words = nothing
                ? display + " is 0, so nothing may be spent; ask whoever manages your budget to raise it"
                : display + " does not cover what this request may cost" + anew(planned, cap)
                        + ". Ask whoever manages your budget to raise it, or send less and a smaller max_tokens";
        return new Stop(refusal(planned), words, null, 0, false);
    }

    /** Of a request whose cap nobody could say anything about: this node has spent what it was granted of it. */
    static Stop unanswered(Planned planned, String capId) {
        return Stop.later(
                Refusal.CAPS_UNAVAILABLE,
                "nobody can say whether " + display(cap(planned, capId))
                        + " covers this request, because the record of spend caps can't be reached, and nothing is spent"
                        + " under a cap without it; nothing was sent, try again in a moment",
                RETRY_MS);
    }

    private static Optional<CompiledCap> cap(Planned planned, String capId) {
        return planned.identified().caps().stream()
                .filter(cap -> cap.id().equals(capId))
                .findFirst();
    }

    private static String display(Optional<CompiledCap> cap) {
        return cap.map(CompiledCap::display).orElse("a spend cap");
    }

    private static String anew(Planned planned, Optional<CompiledCap> cap) {
        CompiledTenant tenant = planned.identified().caller().tenant();
        Instant at = planned.identified().arrival().at();
        return cap.map(each -> "; it begins anew at "
                        + tenant.caps()
                                .calendar()
                                .endOf(tenant.account(each, at).period()))
                .orElse("");
    }
}
