package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountDecider;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.Authority;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.CapTerms;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.LocalPeriods;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Nodes and an authority that hear each other at once, and a clock that stands until it is moved. One thread, but for the purses. */
final class Direct {
    static final Instant OPENS = Instant.parse("2026-03-28T00:00:00Z");

    private final Map<String, Long> limits = new HashMap<>();
    private final Authority authority = new Authority(1, OPENS.minusSeconds(60), Set.of(), this::terms);
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final List<Node> nodes = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(11);
    private final Queue<Late> late = new ArrayDeque<>();
    private Duration answersAfter = Duration.ZERO;
    private long version;
    private Instant now = OPENS.plus(Duration.ofHours(12));

    /** What the authority hears later. */
    private record Late(Instant at, Runnable task) {}

    /** One node. */
    final class Node {
        final MemoryJournal journal = new MemoryJournal();
        final Purse purse = new Purse(new SyncJournal(journal));
        final Queue<AuthorityCommand> sent = new ArrayDeque<>();
        final Leases leases;
        boolean cutOff;
        private int crowds;
        final Reservations reservations;

        Node(String name) {
            leases = new Leases(
                    new Holder(name, 1),
                    purse,
                    new SyncJournal(journal),
                    LeaseSettings.DEFAULT,
                    () -> now,
                    tasks::add,
                    this::send,
                    random::nextDouble);
            reservations = new Reservations(purse, missing -> {
                Future<Refilled> came = urgent(missing);
                settleDown();
                return came;
            });
        }

        private Future<Refilled> urgent(Shortfall missing) {
            Promise<Refilled> came = Promise.promise();
            leases.urgent(missing, came::complete);
            return came.future();
        }

        /** So many requests, all of which ask before the authority answers the first. */
        List<Future<Reservation>> crowd(int requests, long micros, AccountKey account) {
            Reservations atOnce = new Reservations(purse, this::urgent);
            crowds++;
            return IntStream.range(0, requests)
                    .mapToObj(i -> atOnce.reserve("crowd-" + crowds + "-" + i, List.of(account), micros))
                    .toList();
        }

        private void send(AuthorityCommand command) {
            sent.add(command);
            if (cutOff) {
                return;
            }
            late.add(new Late(now.plus(answersAfter), () -> {
                List<AccountDecider.Step> steps = authority.apply(command, now);
                AuthorityAnswer answer = steps.get(steps.size() - 1).answer();
                leases.heard(answer);
            }));
            due();
        }

        Reservation reserve(String id, long micros, AccountKey... accounts) {
            return reservations.reserve(id, List.of(accounts), micros).result();
        }
    }

    /** Durable at once. */
    private record SyncJournal(MemoryJournal journal) implements LedgerJournal {
        @Override
        public synchronized void append(LedgerRecord line) {
            journal.append(line);
        }

        @Override
        public synchronized Future<Void> commit(LedgerRecord line) {
            Future<Void> durable = journal.commit(line);
            journal.sync();
            return durable;
        }
    }

    private CapTerms terms(AccountKey account) {
        Long limit = limits.get(account.capId());
        Instant opens = LocalPeriods.beginOf(account.period(), ZoneOffset.UTC);
        return new CapTerms(version, limit != null, limit == null ? 0 : limit, opens, opens.plus(Duration.ofDays(1)));
    }

    static AccountKey account(String cap) {
        return AccountKey.ofKey("acme|2026-03-28|" + cap);
    }

    void cap(String cap, long micros) {
        version++;
        limits.put(cap, micros);
    }

    Node node(String name) {
        Node node = new Node(name);
        nodes.add(node);
        return node;
    }

    AccountState state(String cap) {
        return state(account(cap));
    }

    AccountState state(AccountKey account) {
        return authority.state(account);
    }

    Instant now() {
        return now;
    }

    /** From now on an answer of the authority takes so long. */
    void answersAfter(Duration time) {
        answersAfter = time;
    }

    private void due() {
        while (!late.isEmpty() && !late.peek().at().isAfter(now)) {
            tasks.add(late.remove().task());
        }
    }

    /** Until nobody has anything to say. */
    void settleDown() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Time passes, and with it a second's tick. */
    void pass(Duration time) {
        pass(time, Leases::tick);
    }

    /** Time passes within a second. */
    void passSome(Duration time) {
        pass(time, Leases::poll);
    }

    private void pass(Duration time, Consumer<Leases> then) {
        now = now.plus(time);
        nodes.forEach(node -> then.accept(node.leases));
        due();
        settleDown();
    }

    void publish() {
        authority.states().forEach(state -> {
            authority.apply(new AuthorityCommand.Close(state.account()), now);
            CapFigures figures = CapFigures.of(authority.state(state.account()), now);
            nodes.forEach(node -> node.leases.figures(figures));
        });
        settleDown();
    }
}
