package io.sluice.data.money;

import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.BudgetSetting;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.message.CapBand;
import io.sluice.tenants.routing.BudgetFacts;
import io.sluice.tenants.routing.CompiledCap;
import io.sluice.tenants.routing.CompiledScenario;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How short money is in each cap, as its owner told it last. A cap in a period of which nothing was told yet is NORMAL, so no band outlives
 * its period. Thread-safe; read without locks.
 */
public final class BandBoard {
    private volatile Map<AccountKey, CapBand> bands = Map.of();

    /** Takes in bands, in any order and as often as they come: of two of a cap the newer holds. Bands of periods that are over are dropped. */
    public synchronized void publish(List<CapBand> told, Instant now) {
        Map<AccountKey, CapBand> next = new HashMap<>(bands);
        told.forEach(each -> next.merge(each.account(), each, (old, fresh) -> fresh.newerThan(old) ? fresh : old));
        next.values().removeIf(each -> !now.isBefore(each.ends()));
        bands = Map.copyOf(next);
    }

    /** Caps in that band. */
    public long count(BudgetBand band) {
        return bands.values().stream().filter(each -> each.band() == band).count();
    }

    /**
     * How money stands for a request; null where no cap applies.
     *
     * @param caps that apply to it
     */
    public BudgetFacts of(CompiledScenario scenario, RequestCaps caps) {
        if (caps.caps().isEmpty()) {
            return null;
        }
        Map<AccountKey, CapBand> now = bands;
        CompiledCap shortest = caps.caps().get(0);
        BudgetBand band = BudgetBand.NORMAL;
        if (!now.isEmpty()) {
            for (int i = 0; i < caps.caps().size(); i++) {
                CompiledCap cap = caps.caps().get(i);
                CapBand told = now.get(caps.accounts().get(i));
                BudgetBand each = told == null ? BudgetBand.NORMAL : told.band();
                boolean stricter = each.compareTo(band) > 0
                        || (each == band && cap.atExhaustion().compareTo(shortest.atExhaustion()) < 0);
                if (stricter) {
                    band = each;
                    shortest = cap;
                }
            }
        }
        BudgetSetting setting = scenario.settings().budget();
        boolean normal = band == BudgetBand.NORMAL;
        return new BudgetFacts(
                band,
                normal ? null : shortest.id(),
                normal ? AtExhaustion.REFUSE : shortest.atExhaustion(),
                scenario.core(),
                setting.exempt(),
                setting.floor());
    }
}
