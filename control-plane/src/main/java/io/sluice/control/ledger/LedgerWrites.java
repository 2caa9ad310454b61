package io.sluice.control.ledger;

import io.sluice.tenants.ledger.AccountDecider;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.Authority;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapFigures;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An authority together with what of it is on disk. Answers wait for the disk: while one save runs, what comes meanwhile is gathered
 * for the next. After a failed save the authority in memory is ahead of the disk and answers nothing more. A command that would make sums
 * wrong changes nothing and is answered by a failure. For one loop.
 */
final class LedgerWrites {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerWrites.class);

    private final Authority authority;
    private final LedgerStore store;
    private final Context context;
    private final Map<AccountKey, AccountState> unsaved = new LinkedHashMap<>();
    private final List<Runnable> answers = new ArrayList<>();
    private final List<Promise<?>> waiting = new ArrayList<>();
    private final Set<AccountKey> changed = new HashSet<>();
    private boolean saving;
    private Throwable broken;

    LedgerWrites(Authority authority, LedgerStore store, Context context) {
        this.authority = authority;
        this.store = store;
        this.context = context;
    }

    Authority authority() {
        return authority;
    }

    /** Why nothing is answered any more; null where it is. */
    Throwable broken() {
        return broken;
    }

    /** The answer to {@code command}, when it is durable. */
    Future<AuthorityAnswer> apply(AuthorityCommand command, InstantSource clock) {
        if (authority.state(command.account()) != null) {
            return applyKnown(command, clock);
        }
        Promise<AuthorityAnswer> answer = Promise.promise();
        store.find(command.account())
                .onComplete(found -> context.runOnContext(here -> {
                    if (found.failed()) {
                        answer.fail(found.cause());
                    } else {
                        load(found.result())
                                .compose(loaded -> applyKnown(command, clock))
                                .onComplete(answer);
                    }
                }));
        return answer.future();
    }

    private Future<Void> load(Optional<AccountState> found) {
        try {
            found.filter(state -> authority.state(state.account()) == null).ifPresent(authority::load);
            return Future.succeededFuture();
        } catch (IllegalStateException fault) {
            LOG.error("An account of the ledger is damaged", fault);
            return Future.failedFuture(fault);
        }
    }

    private Future<AuthorityAnswer> applyKnown(AuthorityCommand command, InstantSource clock) {
        if (broken != null) {
            return Future.failedFuture(broken);
        }
        AccountState before = authority.state(command.account());
        Promise<AuthorityAnswer> promise = Promise.promise();
        try {
            List<AccountDecider.Step> steps = authority.apply(command, clock.instant());
            AuthorityAnswer answer = steps.get(steps.size() - 1).answer();
            waiting.add(promise);
            answers.add(() -> promise.complete(answer));
        } catch (IllegalStateException | ArithmeticException fault) {
            LOG.error("The ledger refuses {}", command, fault);
            promise.fail(fault);
        }
        gather(before, command.account());
        save();
        return promise.future();
    }

    /** Brings an account under the terms that hold now. */
    void refresh(AccountKey account, Instant now) {
        if (broken == null) {
            AccountState before = authority.state(account);
            authority.refresh(account, now);
            gather(before, account);
            save();
        }
    }

    private void gather(AccountState before, AccountKey account) {
        AccountState after = authority.state(account);
        if (after != null && !after.equals(before)) {
            unsaved.put(account, after);
            changed.add(account);
        }
    }

    private void save() {
        if (saving) {
            return;
        }
        List<Runnable> done = List.copyOf(answers);
        List<Promise<?>> asked = List.copyOf(waiting);
        answers.clear();
        waiting.clear();
        if (unsaved.isEmpty()) {
            done.forEach(Runnable::run);
            return;
        }
        List<AccountState> states = List.copyOf(unsaved.values());
        unsaved.clear();
        saving = true;
        store.save(states)
                .onComplete(saved -> context.runOnContext(here -> {
                    saving = false;
                    if (saved.failed()) {
                        broken = saved.cause();
                        asked.forEach(promise -> promise.fail(broken));
                        waiting.forEach(promise -> promise.fail(broken));
                        waiting.clear();
                        answers.clear();
                        return;
                    }
                    done.forEach(Runnable::run);
                    save();
                }));
    }

    /**
     * How accounts stand, closed ones for the last time: they are dropped from memory.
     *
     * @param all or only those that changed since the last call
     */
    List<CapFigures> figures(boolean all, Instant now) {
        List<CapFigures> figures = new ArrayList<>();
        for (AccountState state : authority.states()) {
            if (all || changed.contains(state.account())) {
                figures.add(CapFigures.of(state, now));
            }
            if (state.closed() && !unsaved.containsKey(state.account()) && !saving) {
                authority.unload(state.account());
            }
        }
        changed.clear();
        return figures;
    }
}
