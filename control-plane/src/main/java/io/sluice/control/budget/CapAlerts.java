package io.sluice.control.budget;

import io.sluice.control.api.CapStanding;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.config.WebhookConfig;
import io.sluice.tenants.ledger.AccountKey;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which webhooks have to be told what of the caps: each threshold once per cap, limit and period, each other band once. Remembers what was
 * told; {@link #of} begins where facts that were stored left off. Pure and immutable.
 */
public final class CapAlerts {
    private final Map<Ear, Told> told;

    /** A webhook and a cap in one of its periods. */
    private record Ear(String webhook, AccountKey account) {}

    /** A share of a limit. */
    private record Step(double share, long limitMicros) {}

    private record Told(Set<Step> steps, BudgetBand band, Instant ends) {
        Told with(CapFact fact) {
            if (fact.threshold() == null) {
                return new Told(steps, fact.band(), ends);
            }
            Set<Step> more = new HashSet<>(steps);
            more.add(new Step(fact.threshold(), fact.limitMicros()));
            return new Told(Set.copyOf(more), band, ends);
        }
    }

    /**
     * What has to be told, and what holds once that is stored.
     *
     * @param due by cap, lower thresholds first, the band last
     */
    public record Next(CapAlerts after, List<CapAlert> due) {}

    private CapAlerts(Map<Ear, Told> told) {
        this.told = told;
    }

    /** After these were told, in this order. */
    public static CapAlerts of(Collection<CapFact> facts) {
        Map<Ear, Told> told = new HashMap<>();
        facts.forEach(fact -> add(told, fact));
        return new CapAlerts(told);
    }

    private static void add(Map<Ear, Told> told, CapFact fact) {
        Told none = new Told(Set.of(), BudgetBand.NORMAL, fact.ends());
        told.compute(
                new Ear(fact.webhook(), fact.account()), (ear, before) -> (before == null ? none : before).with(fact));
    }

    /** What follows from how the caps stand; caps that were removed and periods that are over tell nothing. */
    public Next next(Configuration configuration, Collection<CapStanding> standings, Instant now) {
        List<CapAlert> due = new ArrayList<>();
        for (CapStanding standing : standings) {
            TenantTree tree = configuration.tenants().get(standing.account().tenant());
            if (tree == null || tree.webhooks().isEmpty() || !now.isBefore(standing.resetsAt())) {
                continue;
            }
            SpendCapConfig cap = tree.spendCaps().get(standing.account().capId());
            if (cap != null && !cap.removed()) {
                tree.webhooks().values().stream()
                        .filter(WebhookConfig::active)
                        .forEach(webhook -> add(due, webhook, cap, standing));
            }
        }
        return due.isEmpty() ? new Next(this, due) : new Next(told(due, now), due);
    }

    private void add(List<CapAlert> due, WebhookConfig webhook, SpendCapConfig cap, CapStanding standing) {
        Told before = told.get(new Ear(webhook.id(), standing.account()));
        for (double share : webhook.thresholds()) {
            boolean isTold = before != null
                    && before.steps().contains(new Step(share, cap.limit().micros()));
            if (!isTold && reached(share, cap, standing)) {
                due.add(new CapAlert(webhook.id(), cap, share, standing));
            }
        }
        if (standing.band() != (before == null ? BudgetBand.NORMAL : before.band())) {
            due.add(new CapAlert(webhook.id(), cap, null, standing));
        }
    }

    /** Nothing is a share of nothing: a cap of 0 is told by its band. */
    private static boolean reached(double share, SpendCapConfig cap, CapStanding standing) {
        return cap.limit().micros() > 0
                && BigDecimal.valueOf(standing.spent().micros())
                                .compareTo(
                                        BigDecimal.valueOf(cap.limit().micros()).multiply(BigDecimal.valueOf(share)))
                        >= 0;
    }

    /** After these were told, too; forgets what is over at {@code now}. */
    public CapAlerts told(List<CapAlert> due, Instant now) {
        Map<Ear, Told> next = new HashMap<>(told);
        next.values().removeIf(each -> !now.isBefore(each.ends()));
        due.forEach(alert -> add(next, alert.fact()));
        return new CapAlerts(next);
    }
}
