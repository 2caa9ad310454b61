package io.sluice.tenants.routing;

import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.routing.RoutePlan.Reason;
import java.util.List;

/**
 * What a band does to the ladder of one request (requirement B6), first match wins:
 * <ol>
 *   <li>exempt, or NORMAL: nothing
 *   <li>EXHAUSTED: no model; a static rung only where the cap wants that, the request may descend, and there is no floor
 *   <li>core, or the answer to a tool call that is under way: nothing
 *   <li>CONSERVE, and RESTRICT where there is a floor: the lightest tier of the ladder that is not below the floor; a request that
 *       may not descend keeps its first rung
 *   <li>RESTRICT: no model; static rungs where the request may descend
 * </ol>
 * So a rung below the floor is never the first that a band leaves; where models of the floor fail it stays what it always was, a way
 * out. Made once per request; never seen by an answer that has begun.
 */
final class BandRule {
    /** Why no model may be called; null where some may. */
    private final Reason noModel;

    private final boolean noStatic;
    private final Tier tier;
    private final int firstAllowed;

    private BandRule(Reason noModel, boolean noStatic, Tier tier, int firstAllowed) {
        this.noModel = noModel;
        this.noStatic = noStatic;
        this.tier = tier;
        this.firstAllowed = firstAllowed;
    }

    /** The rule for a request; null where its money changes nothing. */
    static BandRule of(RouteInput input) {
        BudgetFacts budget = input.budget();
        if (budget == null || budget.exempt() || budget.band() == BudgetBand.NORMAL) {
            return null;
        }
        boolean descends = input.kind().mayDescend();
        if (budget.band() == BudgetBand.EXHAUSTED) {
            boolean texts = budget.atExhaustion() == AtExhaustion.DEGRADE && descends && budget.floor() == null;
            return new BandRule(Reason.BUDGET_EXHAUSTED, !texts, null, 0);
        }
        if (budget.core() || input.request().continuesTools()) {
            return null;
        }
        if (budget.band() == BudgetBand.RESTRICT && budget.floor() == null) {
            return new BandRule(Reason.BUDGET_RESTRICTS, false, null, 0);
        }
        return descends ? lightest(input.ladder(), budget.floor()) : null;
    }

    private static BandRule lightest(List<RungFacts> ladder, Tier floor) {
        Tier lightest = null;
        for (RungFacts rung : ladder) {
            Tier tier = rung.tier();
            boolean high = tier != null && (floor == null || tier.compareTo(floor) >= 0);
            if (high && (lightest == null || tier.compareTo(lightest) < 0)) {
                lightest = tier;
            }
        }
        if (lightest == null) {
            return null;
        }
        int first = 0;
        while (ladder.get(first).tier() != lightest) {
            first++;
        }
        return new BandRule(null, false, lightest, first);
    }

    /** Why a rung is out; null where it is not. */
    Reason exclusion(int rung, RungFacts facts) {
        if (facts.pool() == null) {
            return noStatic ? Reason.BUDGET_EXHAUSTED : null;
        }
        if (noModel != null) {
            return noModel;
        }
        if (facts.tier() != null && facts.tier().compareTo(tier) > 0) {
            return Reason.BUDGET_CONSERVES;
        }
        return facts.tier() != tier && rung < firstAllowed ? Reason.BELOW_FLOOR : null;
    }
}
