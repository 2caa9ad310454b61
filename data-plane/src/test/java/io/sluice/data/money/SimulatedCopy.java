package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountDecider;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.Authority;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.CapTerms;
import io.sluice.tenants.ledger.KeptAccount;
import io.sluice.tenants.ledger.SharedAccounts;
import io.sluice.tenants.ledger.SharedAccounts.Question;
import io.sluice.tenants.ledger.SharedAccounts.Round;
import io.sluice.tenants.ledger.SharedAccounts.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A node's copy of the ledger in one of its lives. The way to the store is long and may lose a save or the word that it was kept; then the
 * copy goes on with what the store has, while the save may still arrive.
 */
final class SimulatedCopy {
    /** After so long a round is given up. */
    private static final long ANSWER_MS_MAX = 2_000;

    private final LedgerSimulation world;
    private final SharedOffice store;
    private final SimulatedNode node;
    private final int life;
    private final Map<AccountKey, CapTerms> terms = new HashMap<>();
    private final List<Question> waiting = new ArrayList<>();
    private SharedAccounts accounts;
    private SharedOffice.Epoch epoch = SharedOffice.Epoch.NONE;
    private long rounds;
    private boolean busy;
    private boolean away = true;

    SimulatedCopy(LedgerSimulation world, SharedOffice store, SimulatedNode node) {
        this.world = world;
        this.store = store;
        this.node = node;
        this.life = node.life();
    }

    int life() {
        return life;
    }

    /** Each node hears of changed caps at a time of its own. */
    private CapTerms terms(AccountKey account) {
        CapTerms now = world.terms(account);
        CapTerms known = terms.get(account);
        if (known == null || world.calm() || world.random().nextInt(3) == 0) {
            terms.put(account, now);
        }
        return terms.get(account);
    }

    void ask(AuthorityCommand command) {
        if (!away) {
            waiting.add(Question.of(command));
            pump();
        }
    }

    private void pump() {
        if (busy || away || waiting.isEmpty()) {
            return;
        }
        busy = true;
        long round = ++rounds;
        List<Question> asked = List.copyOf(waiting);
        waiting.clear();
        world.after(ANSWER_MS_MAX, () -> givenUp(round));
        List<AccountKey> unknown = asked.stream()
                .map(Question::account)
                .filter(account -> !accounts.knows(account))
                .distinct()
                .toList();
        if (unknown.isEmpty()) {
            decide(asked, round);
            return;
        }
        there(round, () -> {
            Map<AccountKey, KeptAccount> found = new HashMap<>();
            unknown.forEach(account -> found.put(account, store.find(account)));
            return () -> {
                unknown.forEach(account -> {
                    if (found.get(account) == null) {
                        accounts.absent(account);
                    } else {
                        accounts.load(found.get(account));
                    }
                });
                decide(asked, round);
            };
        });
    }

    /** Something that happens at the store, and what this copy makes of it if it hears of it in time. */
    private interface AtStore {
        Runnable happen();
    }

    private void there(long round, AtStore step) {
        world.connected(node, () -> {
            Runnable then = step.happen();
            world.connected(node, () -> {
                if (busy && rounds == round && node.life() == life) {
                    then.run();
                }
            });
        });
    }

    private void decide(List<Question> asked, long round) {
        Round decided = accounts.decide(asked, world.now());
        if (decided.writes().isEmpty()) {
            answer(asked, decided, Map.of());
            return;
        }
        SharedOffice.Epoch in = epoch;
        there(round, () -> {
            if (store.over(in)) {
                return this::lose;
            }
            Map<AccountKey, Long> kept = new HashMap<>();
            Map<AccountKey, KeptAccount> present = new HashMap<>();
            for (Write write : decided.writes()) {
                AccountKey account = write.state().account();
                kept.put(account, store.save(write));
                present.put(account, store.find(account));
            }
            return () -> {
                kept.forEach((account, revision) -> {
                    if (revision > 0) {
                        accounts.kept(account, revision);
                    } else {
                        accounts.overtaken(account, present.get(account));
                    }
                });
                answer(asked, decided, kept);
            };
        });
    }

    private void answer(List<Question> asked, Round decided, Map<AccountKey, Long> kept) {
        busy = false;
        for (int i = 0; i < asked.size(); i++) {
            if (kept.getOrDefault(asked.get(i).account(), 1L) == 0) {
                waiting.add(asked.get(i));
            } else {
                AuthorityAnswer answer = decided.verdicts().get(i).answer();
                if (answer != null && answer.holder() != null) {
                    world.after(0, () -> node.heard(answer, life));
                }
            }
        }
        pump();
    }

    private void givenUp(long round) {
        if (busy && rounds == round) {
            lose();
        }
    }

    /** Nothing in memory is believed any more. */
    private void lose() {
        busy = false;
        away = true;
        waiting.clear();
    }

    /** Once a second: hears what others saved, and tells its node. */
    void look() {
        if (node.life() != life || (node.cutOff() && !world.calm())) {
            return;
        }
        if (away || store.over(epoch)) {
            epoch = store.begin(epoch);
            Instant began = epoch.number() == 1 ? world.begin() : world.now();
            accounts = new SharedAccounts(new Authority(epoch.number(), began, store.members(), this::terms));
            busy = false;
            away = false;
        }
        store.accounts().stream()
                .filter(each ->
                        !each.state().closed() || accounts.knows(each.state().account()))
                .forEach(accounts::load);
        List<CapFigures> figures = new ArrayList<>();
        for (AccountState state : accounts.states()) {
            figures.add(CapFigures.of(state, world.now()));
            boolean over = !world.now().isBefore(state.ends().plus(AccountDecider.CLOSE_AFTER));
            if (!state.closed()) {
                waiting.add(
                        over
                                ? Question.of(new AuthorityCommand.Close(state.account()))
                                : new Question(state.account(), null));
            }
        }
        node.figures(figures, life);
        pump();
    }
}
