package io.sluice.data.money;

import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.config.BudgetBand;
import io.sluice.tenants.config.BudgetSetting;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.message.CapBand;
import io.sluice.tenants.routing.BudgetFacts;
import io.sluice.tenants.routing.CompiledCap;
import io.sluice.tenants.routing.CompiledScenario;
import io.sluice.tenants.routing.CompiledTenant;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How short money is in each cap, as it was told last. A cap in a period of which nothing was told yet is NORMAL, so no band outlives
 * its period. Thread-safe; read without locks.
 */
public final class BandBoard {
    private volatile Map<AccountKey, BudgetBand> bands = Map.of();

    /** From now on these bands hold, and NORMAL for every cap that is not named. */
    public void publish(List<CapBand> all) {
        bands = all.stream().collect(Collectors.toUnmodifiableMap(CapBand::account, CapBand::band, BudgetBand::worst));
    }

    /** Caps in that band. */
    public long count(BudgetBand band) {
        return bands.values().stream().filter(each -> each == band).count();
    }

    /**
     * How money stands for a request; null where no cap applies.
     *
     * @param caps that apply to it
     * @param at when it came
     */
    public BudgetFacts of(CompiledTenant tenant, CompiledScenario scenario, List<CompiledCap> caps, Instant at) {
        if (caps.isEmpty()) {
            return null;
        }
        Map<AccountKey, BudgetBand> now = bands;
        CompiledCap shortest = caps.get(0);
        BudgetBand band = BudgetBand.NORMAL;
        if (!now.isEmpty()) {
            for (CompiledCap cap : caps) {
                BudgetBand each = now.getOrDefault(tenant.account(cap, at), BudgetBand.NORMAL);
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
