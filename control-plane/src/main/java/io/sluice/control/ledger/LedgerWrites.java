package io.sluice.control.ledger;

import io.sluice.control.ledger.LedgerStore.Epoch;
import io.sluice.control.ledger.LedgerStore.Saved;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.KeptAccount;
import io.sluice.tenants.ledger.SharedAccounts;
import io.sluice.tenants.ledger.SharedAccounts.Question;
import io.sluice.tenants.ledger.SharedAccounts.Round;
import io.sluice.tenants.ledger.SharedAccounts.Verdict;
import io.sluice.tenants.ledger.SharedAccounts.Write;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings questions to {@link SharedAccounts} and what they come to into the store, round by round: while one is saved, what comes meanwhile is
 * gathered for the next. Who was overtaken by another node decides anew in a later round. A command that would make sums wrong changes
 * nothing and is answered by a failure. Once the store fails everything is answered by that failure, until {@link #serve}. For one
 * loop.
 */
final class LedgerWrites {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerWrites.class);

    /** Accounts in one save: a store that works on one thread is not held up for longer than a millisecond or two. */
    private static final int ROUND_MAX = 128;

    /** Each time that one is overtaken another one got through; so often in a row means that something is wrong. */
    private static final int OVERTAKEN_MAX = 100;

    private final LedgerStore store;
    private final Context context;
    private final InstantSource clock;
    private final Runnable onAway;
    private final Deque<Ask> waiting = new ArrayDeque<>();
    private SharedAccounts accounts;
    private Epoch epoch = Epoch.NONE;
    private Throwable away = new IllegalStateException("the ledger is not ready");
    private boolean busy;

    /** One question and who waits for its answer. */
    private static final class Ask {
        final Question question;
        final Promise<AuthorityAnswer> promise = Promise.promise();
        boolean lookedUp;
        int overtaken;

        Ask(Question question) {
            this.question = question;
        }

        AccountKey account() {
            return question.account();
        }
    }

    /** @param onAway hears, on the loop, that nothing is answered any more */
    LedgerWrites(LedgerStore store, Context context, InstantSource clock, Runnable onAway) {
        this.store = store;
        this.context = context;
        this.clock = clock;
        this.onAway = onAway;
    }

    /** Null before the first {@link #serve}. */
    SharedAccounts accounts() {
        return accounts;
    }

    /** The one in which {@link #accounts} are. */
    Epoch epoch() {
        return epoch;
    }

    /** Why nothing is answered; null where it is. */
    Throwable away() {
        return away;
    }

    /** From now on {@code present} decides, and the store is asked again. */
    void serve(SharedAccounts present, Epoch in) {
        accounts = present;
        epoch = in;
        away = null;
        pump();
    }

    /** The answer to {@code command}, when it is durable. */
    Future<AuthorityAnswer> apply(AuthorityCommand command) {
        return ask(Question.of(command));
    }

    /** Brings an account under the terms and the epoch that hold now. */
    void refresh(AccountKey account) {
        ask(new Question(account, null));
    }

    private Future<AuthorityAnswer> ask(Question question) {
        if (away != null && !(away instanceof EpochOverException)) {
            return Future.failedFuture(away);
        }
        Ask ask = new Ask(question);
        waiting.add(ask);
        pump();
        return ask.promise.future();
    }

    private void pump() {
        if (busy || away != null || waiting.isEmpty()) {
            return;
        }
        busy = true;
        SharedAccounts mine = accounts;
        Epoch in = epoch;
        List<Ask> round = next();
        Set<AccountKey> unknown = new HashSet<>();
        round.stream().map(Ask::account).filter(account -> !mine.knows(account)).forEach(unknown::add);
        round.forEach(ask -> ask.lookedUp = unknown.contains(ask.account()));
        if (unknown.isEmpty()) {
            decide(mine, in, round);
            return;
        }
        store.find(unknown)
                .onComplete(found -> context.runOnContext(here -> {
                    if (found.failed()) {
                        fail(round, found.cause());
                    } else {
                        found.result().forEach(kept -> load(mine, kept));
                        Set<AccountKey> known = new HashSet<>();
                        found.result().forEach(kept -> known.add(kept.state().account()));
                        unknown.stream()
                                .filter(account -> !known.contains(account))
                                .forEach(mine::absent);
                        decide(mine, in, round);
                    }
                }));
    }

    private List<Ask> next() {
        List<Ask> round = new ArrayList<>();
        Set<AccountKey> distinct = new HashSet<>();
        while (!waiting.isEmpty() && distinct.size() < ROUND_MAX) {
            Ask ask = waiting.poll();
            distinct.add(ask.account());
            round.add(ask);
        }
        return round;
    }

    /** What is damaged stays unknown: whoever asks for it is told so, and no other account is harmed. */
    static void load(SharedAccounts into, KeptAccount kept) {
        try {
            into.load(kept);
        } catch (IllegalStateException damaged) {
            LOG.error("An account of the ledger is damaged", damaged);
        }
    }

    private void decide(SharedAccounts mine, Epoch in, List<Ask> asked) {
        List<Ask> round = new ArrayList<>(asked.size());
        for (Ask ask : asked) {
            if (mine.knows(ask.account())) {
                round.add(ask);
            } else if (ask.lookedUp) {
                ask.promise.fail(new IllegalStateException("the account " + ask.account() + " is damaged"));
            } else {
                // Closed and dropped from memory while another one was looked up.
                waiting.add(ask);
            }
        }
        Round decided = mine.decide(round.stream().map(ask -> ask.question).toList(), clock.instant());
        if (decided.writes().isEmpty()) {
            answer(round, decided, Map.of());
            done();
            return;
        }
        store.save(in, decided.writes())
                .onComplete(saved -> context.runOnContext(here -> {
                    if (saved.succeeded()) {
                        settle(mine, decided.writes(), saved.result());
                        answer(round, decided, saved.result());
                        done();
                    } else if (saved.cause() instanceof EpochOverException) {
                        busy = false;
                        again(round);
                        over(saved.cause());
                    } else {
                        decided.writes()
                                .forEach(write -> mine.forget(write.state().account()));
                        fail(round, saved.cause());
                    }
                }));
    }

    private static void settle(SharedAccounts mine, List<Write> writes, Map<AccountKey, Saved> saved) {
        for (Write write : writes) {
            AccountKey account = write.state().account();
            if (saved.get(account) instanceof Saved.Kept kept) {
                mine.kept(account, kept.revision());
            } else {
                overtaken(mine, account, (Saved.Overtaken) saved.get(account));
            }
        }
    }

    private static void overtaken(SharedAccounts mine, AccountKey account, Saved.Overtaken by) {
        try {
            mine.overtaken(account, by.present());
        } catch (IllegalStateException damaged) {
            LOG.error("An account of the ledger is damaged", damaged);
        }
    }

    private void answer(List<Ask> round, Round decided, Map<AccountKey, Saved> saved) {
        List<Ask> overtaken = new ArrayList<>();
        for (int i = 0; i < round.size(); i++) {
            Ask ask = round.get(i);
            Verdict verdict = decided.verdicts().get(i);
            if (saved.get(ask.account()) instanceof Saved.Overtaken) {
                ask.overtaken++;
                overtaken.add(ask);
            } else if (verdict.fault() != null) {
                LOG.error("The ledger refuses {}", ask.question, verdict.fault());
                ask.promise.fail(verdict.fault());
            } else {
                ask.promise.complete(verdict.answer());
            }
        }
        anew(overtaken);
    }

    /** At once: what is there now came with the answer, and it only gets older. */
    private void anew(List<Ask> overtaken) {
        overtaken.removeIf(ask -> ask.overtaken > OVERTAKEN_MAX
                && ask.promise.tryFail(new IllegalStateException("other nodes are always faster at " + ask.account())));
        again(overtaken);
    }

    private void again(List<Ask> round) {
        for (int i = round.size() - 1; i >= 0; i--) {
            waiting.addFirst(round.get(i));
        }
    }

    private void done() {
        busy = false;
        pump();
    }

    private void fail(List<Ask> round, Throwable cause) {
        busy = false;
        round.forEach(ask -> ask.promise.fail(cause));
        lost(cause);
    }

    /** The store is away: whoever waits hears so. */
    void lost(Throwable cause) {
        boolean first = away == null;
        away = cause;
        List<Ask> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(ask -> ask.promise.fail(cause));
        if (first) {
            onAway.run();
        }
    }

    /** Another epoch has begun: whoever waits is decided for in that one. */
    void over(Throwable cause) {
        if (away == null) {
            away = cause;
            onAway.run();
        }
    }
}
