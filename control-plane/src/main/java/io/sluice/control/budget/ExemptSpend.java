package io.sluice.control.budget;

import io.sluice.control.api.SpendDimension;
import io.sluice.control.api.SpendReport;
import io.sluice.control.spend.SpendStore;
import io.sluice.control.spend.SpendStore.Span;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.ScenarioConfig;
import io.sluice.tenants.config.ScenarioSettings;
import io.sluice.tenants.config.SpendCapConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapFigures;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What scenarios that are exempt from bands have spent of each cap in its running period, from finance's rows. Caps of end users are
 * left out: nobody exempts a user. Thread-safe.
 */
public final class ExemptSpend {
    /** Apps times exempt scenarios of a tenant; dearer ones come first, so what is cut is small. */
    private static final int ROWS_MAX = 1_000;

    private static final long QUARTER_SECONDS = 900;

    private final Rows store;
    private final Map<AccountKey, Long> micros = new ConcurrentHashMap<>();

    /** Sums by dimensions, as {@link SpendStore#rows} has them. */
    public interface Rows {
        Future<List<SpendReport.Row>> rows(TenantId tenant, Span span, List<SpendDimension> groupBy, int max);
    }

    public ExemptSpend(Rows store) {
        this.store = store;
    }

    /** Micro-units, as of the last refresh; 0 where nothing is known. */
    long micros(AccountKey account) {
        return micros.getOrDefault(account, 0L);
    }

    /** Asks anew for the accounts of tenants with exempt scenarios; what fails is asked for again next time. */
    void refresh(Configuration configuration, Collection<CapFigures> accounts) {
        micros.keySet().retainAll(accounts.stream().map(CapFigures::account).collect(Collectors.toSet()));
        for (CapFigures figures : accounts) {
            AccountKey account = figures.account();
            TenantTree tree = configuration.tenants().get(account.tenant());
            SpendCapConfig cap = tree == null ? null : tree.spendCaps().get(account.capId());
            Set<String> exempt = cap == null ? Set.of() : exempt(tree, cap);
            if (exempt.isEmpty()) {
                micros.remove(account);
            } else {
                store.rows(
                                account.tenant(),
                                span(figures),
                                List.of(SpendDimension.APP, SpendDimension.SCENARIO),
                                ROWS_MAX)
                        .onSuccess(rows -> micros.put(account, sum(rows, cap, exempt)));
            }
        }
    }

    private static Span span(CapFigures figures) {
        long from = figures.opens().getEpochSecond();
        long until = figures.ends().getEpochSecond();
        return new Span(from - Math.floorMod(from, QUARTER_SECONDS), until + Math.floorMod(-until, QUARTER_SECONDS));
    }

    /** Names of exempt scenarios whose spend the cap counts. */
    private static Set<String> exempt(TenantTree tree, SpendCapConfig cap) {
        Set<String> all = tree.scenarios().values().stream()
                .filter(scenario -> ScenarioSettings.parse(scenario).budget().exempt())
                .map(ScenarioConfig::name)
                .collect(Collectors.toSet());
        return switch (cap.scope()) {
            case TENANT, APP -> all;
            case SCENARIO -> all.contains(cap.subject()) ? Set.of(cap.subject()) : Set.of();
            case END_USER -> Set.of();
        };
    }

    private static long sum(List<SpendReport.Row> rows, SpendCapConfig cap, Set<String> exempt) {
        long sum = 0;
        for (SpendReport.Row row : rows) {
            boolean ofApp = switch (cap.scope()) {
                case APP -> cap.subject().equals(row.key().get(SpendDimension.APP.word()));
                case TENANT, SCENARIO, END_USER -> true;
            };
            String scenario = row.key().get(SpendDimension.SCENARIO.word());
            if (ofApp && scenario != null && exempt.contains(scenario)) {
                sum += row.figures().cost().micros();
            }
        }
        return sum;
    }
}
