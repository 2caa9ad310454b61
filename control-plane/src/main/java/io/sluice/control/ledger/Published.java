package io.sluice.control.ledger;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.SharedAccounts;
import io.sluice.tenants.message.BusMessage.CapsPublished;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a node's own bus is told of its copy of the ledger. Not thread-safe. */
final class Published {
    private final Bus bus;
    private final String node;
    private final Map<AccountKey, Long> toldOfEpoch = new HashMap<>();

    Published(Bus bus, String node) {
        this.bus = bus;
        this.node = node;
    }

    /** Accounts that grant nothing before this node has said what it has, once for each epoch. */
    void awaited(SharedAccounts accounts, Instant now) {
        List<CapFigures> figures = new ArrayList<>();
        for (AccountState state : accounts.states()) {
            boolean news = state.awaiting().contains(node)
                    && !Long.valueOf(state.epoch()).equals(toldOfEpoch.put(state.account(), state.epoch()));
            if (news) {
                figures.add(CapFigures.of(state, now));
            }
        }
        if (!figures.isEmpty()) {
            bus.publish(Address.CAPS, new CapsPublished(figures, now));
        }
    }

    /**
     * How accounts stand, closed ones for the last time: they are dropped from memory.
     *
     * @param all or only those that changed since the last call
     */
    void tick(SharedAccounts accounts, boolean all, Instant now) {
        Set<AccountKey> changed = accounts.changes();
        List<CapFigures> figures = new ArrayList<>();
        for (AccountState state : accounts.states()) {
            AccountKey account = state.account();
            if (all || changed.contains(account)) {
                figures.add(CapFigures.of(state, now));
            }
            if (state.closed() && !accounts.waits(account)) {
                accounts.forget(account);
                toldOfEpoch.remove(account);
            }
        }
        bus.publish(Address.CAPS, new CapsPublished(figures, now));
    }
}
