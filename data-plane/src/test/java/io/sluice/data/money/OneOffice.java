package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountDecider;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.Authority;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapFigures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One authority for all nodes, on a machine of its own; what it forgets is a suffix of its steps. */
final class OneOffice implements LedgerSimulation.Office {
    private final LedgerSimulation world;
    private final List<Map<AccountKey, AccountState>> history = new ArrayList<>();
    private long epoch = 1;
    private Authority authority;

    OneOffice(LedgerSimulation world) {
        this.world = world;
        authority = new Authority(epoch, world.begin(), Set.of(), world::terms);
    }

    @Override
    public void ask(SimulatedNode from, AuthorityCommand command) {
        world.travel(from, () -> {
            AuthorityAnswer answer = apply(command);
            int life = from.life();
            world.travel(from, () -> from.heard(answer, life));
        });
    }

    private AuthorityAnswer apply(AuthorityCommand command) {
        AccountState before = authority.state(command.account());
        List<AccountDecider.Step> steps = authority.apply(command, world.now());
        AccountState state = authority.state(command.account());
        if (state != null) {
            // The bound is that of the first step, which sets the cap: a grant of the same question comes after it.
            world.stepped(before, steps.get(0).next().known() ? steps.get(0).next() : state);
            world.stepped(state, state);
            remember();
        }
        return steps.get(steps.size() - 1).answer();
    }

    private void remember() {
        if (world.world().authorityForgets()) {
            Map<AccountKey, AccountState> now = new LinkedHashMap<>();
            authority.states().forEach(each -> now.put(each.account(), each));
            history.add(now);
        }
    }

    @Override
    public void tick() {
        List<CapFigures> figures = new ArrayList<>();
        for (AccountState state : authority.states()) {
            boolean over = !state.closed() && !world.now().isBefore(state.ends().plus(AccountDecider.CLOSE_AFTER));
            if (over || state.epoch() < authority.epoch() || state.version() < world.termsVersion()) {
                apply(new AuthorityCommand.Close(state.account()));
            }
            figures.add(CapFigures.of(authority.state(state.account()), world.now()));
        }
        for (SimulatedNode node : world.nodes()) {
            int life = node.life();
            world.travel(node, () -> node.figures(figures, life));
        }
    }

    @Override
    public void forget() {
        int lost = history.isEmpty() ? 0 : world.random().nextInt(Math.min(history.size(), 60));
        for (int i = 0; i < lost; i++) {
            history.remove(history.size() - 1);
        }
        authority = new Authority(++epoch, world.now(), world.members(), world::terms);
        if (!history.isEmpty()) {
            history.get(history.size() - 1).values().forEach(authority::load);
        }
        if (world.world().withoutFreeze()) {
            authority.states().forEach(state -> {
                authority.apply(new AuthorityCommand.Close(state.account()), world.now());
                authority.apply(new AuthorityCommand.Unfreeze(state.account(), epoch), world.now());
            });
        }
    }

    @Override
    public Collection<AccountState> states() {
        return authority.states();
    }
}
