package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.KeptAccount;
import io.sluice.tenants.ledger.SharedAccounts.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An authority on each node, over one store that replaces only the revision that a save names. What the store forgets is a suffix of its
 * saves, as where a replica that lags is promoted; then a new epoch begins with the next node that asks.
 */
final class SharedOffice implements LedgerSimulation.Office {
    private final LedgerSimulation world;
    private final Map<SimulatedNode, SimulatedCopy> copies = new HashMap<>();
    private final List<Kept> history = new ArrayList<>();
    private Kept kept = new Kept(new Epoch(1, 0), 0, Map.of());
    private int present;

    /** Numbers come again after a loss, as those of clocks that differ. */
    record Epoch(long number, int history) {
        static final Epoch NONE = new Epoch(0, -1);
    }

    /** Everything that the store has; it forgets the epoch with the rest. */
    private record Kept(Epoch epoch, long revision, Map<AccountKey, KeptAccount> accounts) {}

    SharedOffice(LedgerSimulation world) {
        this.world = world;
    }

    @Override
    public void ask(SimulatedNode from, AuthorityCommand command) {
        copy(from).ask(command);
    }

    /** That of the node's present life. */
    private SimulatedCopy copy(SimulatedNode node) {
        SimulatedCopy copy = copies.get(node);
        if (copy == null || copy.life() != node.life()) {
            copy = new SimulatedCopy(world, this, node);
            copies.put(node, copy);
        }
        return copy;
    }

    @Override
    public void tick() {
        world.nodes().forEach(node -> copy(node).look());
    }

    /** The epoch that holds now; a new one after a loss, or where a node joined one that is not there. */
    Epoch begin(Epoch known) {
        long number = kept.epoch().number();
        boolean lost = known.number() > number || (known.number() == number && known.history() != present);
        if (kept.epoch().history() != present || lost) {
            kept = new Kept(new Epoch(Math.max(number, known.number()) + 1, present), kept.revision(), kept.accounts());
        }
        return kept.epoch();
    }

    /** At first nobody can have been granted anything before. */
    Set<String> members() {
        return kept.epoch().number() == 1 ? Set.of() : world.members();
    }

    boolean over(Epoch epoch) {
        return kept.epoch().history() != present || !epoch.equals(kept.epoch());
    }

    Collection<KeptAccount> accounts() {
        return kept.accounts().values();
    }

    KeptAccount find(AccountKey account) {
        return kept.accounts().get(account);
    }

    /** The new revision, or 0 where another one is there. */
    long save(Write write) {
        AccountKey account = write.state().account();
        KeptAccount present = kept.accounts().get(account);
        long revision = present == null ? KeptAccount.NEVER : present.revision();
        if (revision != write.revision() && !world.world().blindSaves()) {
            return 0;
        }
        Map<AccountKey, KeptAccount> next = new LinkedHashMap<>(kept.accounts());
        next.put(account, new KeptAccount(kept.revision() + 1, write.state()));
        world.stepped(present == null ? null : present.state(), write.state());
        kept = new Kept(kept.epoch(), kept.revision() + 1, next);
        if (world.world().authorityForgets()) {
            history.add(kept);
        }
        return kept.revision();
    }

    @Override
    public void forget() {
        int back = history.isEmpty() ? 0 : world.random().nextInt(Math.min(history.size(), 60));
        for (int i = 0; i < back; i++) {
            history.remove(history.size() - 1);
        }
        if (!history.isEmpty()) {
            kept = history.get(history.size() - 1);
        }
        if (!world.world().withoutFreeze()) {
            present++;
        }
    }

    @Override
    public Collection<AccountState> states() {
        return accounts().stream().map(KeptAccount::state).toList();
    }
}
