package io.sluice.control;

import io.sluice.control.drill.DrillStore;
import io.sluice.control.drill.SqliteDrillStore;
import io.sluice.control.ledger.LedgerStore;
import io.sluice.control.ledger.SqliteLedgerStore;
import io.sluice.control.spend.SpendStore;
import io.sluice.control.spend.SqliteSpendStore;
import io.sluice.control.store.ConfigStore;
import io.sluice.control.store.SqliteConfigStore;
import io.sluice.control.webhook.AlertStore;
import io.sluice.control.webhook.SqliteAlertStore;
import io.vertx.core.Future;

/** Where a control plane keeps what must survive it; closed by the control plane. */
public record ControlStores(
        ConfigStore config, DrillStore drills, SpendStore spend, LedgerStore ledger, AlertStore alerts) {
    /** Opens them. */
    @FunctionalInterface
    public interface Opening {
        /** Blocks: not for event loops. */
        ControlStores open(ControlPlaneSettings settings);
    }

    /** Files in the data directory: for one process. Blocks. */
    public static ControlStores local(ControlPlaneSettings settings) {
        return local(settings, localConfig(settings));
    }

    /** Likewise with the configuration in {@code config}. Blocks. */
    public static ControlStores local(ControlPlaneSettings settings, ConfigStore config) {
        return local(settings, config, SqliteLedgerStore.open(settings.dataDir().resolve("ledger.db")));
    }

    /** Likewise with the accounts of caps in {@code ledger}, which nodes may share. Blocks. */
    public static ControlStores local(ControlPlaneSettings settings, ConfigStore config, LedgerStore ledger) {
        return shared(settings, config, ledger, localSpend(settings));
    }

    /** What nodes share is kept elsewhere, the rest in the data directory. Blocks. */
    public static ControlStores shared(
            ControlPlaneSettings settings, ConfigStore config, LedgerStore ledger, SpendStore spend) {
        return new ControlStores(
                config,
                SqliteDrillStore.open(settings.dataDir().resolve("drills.db")),
                spend,
                ledger,
                SqliteAlertStore.open(settings.dataDir().resolve("webhooks.db")));
    }

    /** The file of what was spent in the data directory. Blocks. */
    public static SqliteSpendStore localSpend(ControlPlaneSettings settings) {
        return SqliteSpendStore.open(settings.dataDir().resolve("spend.db"), settings.clock());
    }

    /** The file of the configuration in the data directory. Blocks. */
    public static SqliteConfigStore localConfig(ControlPlaneSettings settings) {
        return SqliteConfigStore.open(settings.dataDir().resolve("config.db"));
    }

    /** Finishes what was begun, configuration last. */
    Future<Void> close() {
        return drills.close()
                .transform(any -> spend.close())
                .transform(any -> ledger.close())
                .transform(any -> alerts.close())
                .transform(any -> config.close());
    }
}
