package io.sluice.control.budget;

import io.sluice.control.api.CapStanding;
import io.sluice.tenants.budget.BandDecider;
import io.sluice.tenants.budget.BandDecision;
import io.sluice.tenants.budget.BandInput;
import io.sluice.tenants.budget.BandLimits;
import io.sluice.tenants.budget.BandState;
import io.sluice.tenants.budget.BurnWindow;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.message.CapBand;
import io.sluice.tenants.money.Money;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Turns the ledger's figures into standings and bands: for the running period of each cap, what is used, how fast, which band that
 * gives and why. Keeps what the next decision needs. For one owner on one thread; its state may be lost, then bands begin anew from the
 * figures.
 */
public final class CapWatch {
    private Map<AccountKey, Watched> watched = Map.of();

    /** What is remembered of one cap in one period. */
    private record Watched(BandState state, BurnWindow burn, BurnWindow exemptBurn) {
        static final Watched NEW = new Watched(null, BurnWindow.EMPTY, BurnWindow.EMPTY);
    }

    /** Another band of one cap, for the audit log and for whoever listens. */
    public record BandChange(AccountKey account, BudgetBand from, BandDecision decision) {}

    /**
     * How all caps stand.
     *
     * @param bands of those that are not NORMAL, for the nodes
     * @param changes since the last time, in the order of the figures
     */
    public record Told(List<CapStanding> standings, List<CapBand> bands, List<BandChange> changes) {}

    /**
     * How the caps stand at {@code now}. Figures of removed caps and of periods that are over are left out.
     *
     * @param exemptMicros what scenarios that are exempt from bands have spent of an account; it only grows
     */
    public Told next(
            Configuration configuration,
            Collection<CapFigures> figures,
            ToLongFunction<AccountKey> exemptMicros,
            Instant now) {
        Map<AccountKey, Watched> next = new HashMap<>();
        List<CapStanding> standings = new ArrayList<>();
        List<CapBand> bands = new ArrayList<>();
        List<BandChange> changes = new ArrayList<>();
        for (CapFigures each : figures) {
            SpendCapConfig cap = cap(configuration, each);
            if (cap == null || !now.isBefore(each.ends())) {
                continue;
            }
            AccountKey account = each.account();
            Watched before = watched.getOrDefault(account, Watched.NEW);
            long settled = each.spentMicros() + each.burnedMicros();
            long exempt = exemptMicros.applyAsLong(account);
            Watched burning = new Watched(
                    before.state(),
                    before.burn().next(now, each.spentMicros()),
                    before.exemptBurn().next(now, exempt));
            BandDecision decision = BandDecider.decide(new BandInput(
                    BandLimits.of(cap),
                    settled,
                    each.heldMicros(),
                    burning.burn().microsPerHour(now, each.spentMicros()),
                    burning.exemptBurn().microsPerHour(now, exempt),
                    each.opens(),
                    each.ends(),
                    now,
                    before.state()));
            next.put(account, new Watched(decision.state(), burning.burn(), burning.exemptBurn()));
            standings.add(standing(each, settled, decision, now));
            if (decision.state().band() != BudgetBand.NORMAL) {
                bands.add(new CapBand(account, decision.state().band()));
            }
            if (decision.changed()) {
                BudgetBand was = before.state() == null
                        ? BudgetBand.NORMAL
                        : before.state().band();
                changes.add(new BandChange(account, was, decision));
            }
        }
        watched = Map.copyOf(next);
        return new Told(standings, bands, changes);
    }

    /** The cap as it is declared; null where there is none any more. */
    private static SpendCapConfig cap(Configuration configuration, CapFigures figures) {
        TenantTree tree = configuration.tenants().get(figures.account().tenant());
        SpendCapConfig cap =
                tree == null ? null : tree.spendCaps().get(figures.account().capId());
        return cap == null || cap.removed() ? null : cap;
    }

    private static CapStanding standing(CapFigures figures, long settled, BandDecision decision, Instant now) {
        return new CapStanding(
                figures.account(),
                new Money(settled),
                new Money(figures.heldMicros()),
                decision.state().band(),
                figures.ends(),
                new Money(decision.forecastMicros()),
                decision.explanation(),
                now);
    }
}
