package io.sluice.control.budget;

import io.sluice.control.api.CapStanding;
import io.sluice.tenants.Stamp;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.budget.BandDecider;
import io.sluice.tenants.budget.BandDecision;
import io.sluice.tenants.budget.BandInput;
import io.sluice.tenants.budget.BandLimits;
import io.sluice.tenants.budget.BurnWindow;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.message.CapBand;
import io.sluice.tenants.money.Money;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Turns the ledger's figures into standings and bands: for the running period of each cap, what is used, how fast, which band that
 * gives and why. It decides on the caps of tenants that this node owns, from whatever band is known, whoever gave it; other caps keep the
 * band that their owner told. For one thread; its state may be lost, then bands begin anew from the figures.
 */
public final class CapWatch {
    /** Owners tell each second. */
    static final Duration UNTOLD = Duration.ofSeconds(15);

    private final String node;
    private final Map<AccountKey, CapBand> known = new HashMap<>();
    private final Map<AccountKey, Instant> toldAt = new HashMap<>();
    private Map<AccountKey, Burn> burns = Map.of();

    /** How fast one cap is spent in one period. */
    private record Burn(BurnWindow all, BurnWindow exempt) {
        static final Burn NONE = new Burn(BurnWindow.EMPTY, BurnWindow.EMPTY);
    }

    /** Another band of one cap, for the audit log and for whoever listens. */
    public record BandChange(AccountKey account, BudgetBand from, BandDecision decision) {}

    /**
     * How all caps stand.
     *
     * @param bands of this node's caps, as far as they ever had another than NORMAL
     * @param moved those of them with a new state, which are to be stored
     * @param changes of this node's caps since the last time, in the order of the figures
     */
    public record Told(
            List<CapStanding> standings, List<CapBand> bands, List<CapBand> moved, List<BandChange> changes) {}

    /** @param node that decides here */
    public CapWatch(String node) {
        this.node = node;
    }

    /** Takes in what another node told, or what was stored; gives those of which this node knows newer, to be told back. */
    public List<CapBand> heard(Collection<CapBand> told, Instant now) {
        List<CapBand> back = new ArrayList<>();
        for (CapBand each : told) {
            CapBand best = known.merge(each.account(), each, (old, fresh) -> fresh.newerThan(old) ? fresh : old);
            toldAt.put(each.account(), now);
            if (best.newerThan(each)) {
                back.add(best);
            }
        }
        return back;
    }

    /** Bands of others' caps that nobody has told for long: their owner may be the one who does not know them. Taken as told. */
    public List<CapBand> untold(Predicate<TenantId> mine, Instant now) {
        List<CapBand> untold = known.values().stream()
                .filter(each -> !mine.test(each.account().tenant()))
                .filter(each -> !toldAt.get(each.account()).plus(UNTOLD).isAfter(now))
                .toList();
        untold.forEach(each -> toldAt.put(each.account(), now));
        return untold;
    }

    /** Forgets bands of periods that are over, and names them. */
    public List<AccountKey> over(Instant now) {
        List<AccountKey> over = known.values().stream()
                .filter(each -> !now.isBefore(each.ends()))
                .map(CapBand::account)
                .toList();
        over.forEach(known::remove);
        over.forEach(toldAt::remove);
        return over;
    }

    /**
     * How the caps stand at {@code now}. Figures of removed caps and of periods that are over are left out.
     *
     * @param exemptMicros what scenarios that are exempt from bands have spent of an account; it only grows
     * @param mine whether this node decides on a tenant's caps
     */
    public Told next(
            Configuration configuration,
            Collection<CapFigures> figures,
            ToLongFunction<AccountKey> exemptMicros,
            Predicate<TenantId> mine,
            Instant now) {
        Map<AccountKey, Burn> burning = new HashMap<>();
        Told told = new Told(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (CapFigures each : figures) {
            SpendCapConfig cap = cap(configuration, each);
            if (cap != null && now.isBefore(each.ends())) {
                AccountKey account = each.account();
                long exempt = exemptMicros.applyAsLong(account);
                Burn before = burns.getOrDefault(account, Burn.NONE);
                Burn burn = new Burn(
                        before.all().next(now, each.spentMicros()),
                        before.exempt().next(now, exempt));
                burning.put(account, burn);
                BandInput input = input(cap, each, burn, exempt, now);
                if (mine.test(account.tenant())) {
                    decide(each, input, told);
                } else {
                    told.standings().add(standing(each, BandDecider.standing(input), input));
                }
            }
        }
        burns = Map.copyOf(burning);
        return told;
    }

    private BandInput input(SpendCapConfig cap, CapFigures each, Burn burn, long exempt, Instant now) {
        CapBand before = known.get(each.account());
        return new BandInput(
                BandLimits.of(cap),
                each.spentMicros() + each.burnedMicros(),
                each.heldMicros(),
                burn.all().microsPerHour(now, each.spentMicros()),
                burn.exempt().microsPerHour(now, exempt),
                each.opens(),
                each.ends(),
                now,
                before == null ? null : before.state());
    }

    /** A cap that was always NORMAL needs no state: its next decision is as its first. */
    private void decide(CapFigures figures, BandInput input, Told told) {
        AccountKey account = figures.account();
        CapBand before = known.get(account);
        BandDecision decision = BandDecider.decide(input);
        boolean moved = before == null
                ? decision.state().band() != BudgetBand.NORMAL
                : !decision.state().equals(before.state());
        if (moved) {
            Stamp stamp = Stamp.after(before == null ? null : before.stamp(), node);
            CapBand now = new CapBand(account, stamp, decision.state(), figures.ends());
            known.put(account, now);
            told.moved().add(now);
        }
        if (known.containsKey(account)) {
            told.bands().add(known.get(account));
            toldAt.put(account, input.at());
        }
        if (decision.changed()) {
            told.changes().add(new BandChange(account, before == null ? BudgetBand.NORMAL : before.band(), decision));
        }
        told.standings().add(standing(figures, decision, input));
    }

    /** The cap as it is declared; null where there is none any more. */
    private static SpendCapConfig cap(Configuration configuration, CapFigures figures) {
        TenantTree tree = configuration.tenants().get(figures.account().tenant());
        SpendCapConfig cap =
                tree == null ? null : tree.spendCaps().get(figures.account().capId());
        return cap == null || cap.removed() ? null : cap;
    }

    private static CapStanding standing(CapFigures figures, BandDecision decision, BandInput input) {
        return new CapStanding(
                figures.account(),
                new Money(input.settledMicros()),
                new Money(figures.heldMicros()),
                decision.state().band(),
                decision.state().begunNow(),
                figures.ends(),
                new Money(decision.forecastMicros()),
                decision.explanation(),
                input.at());
    }
}
