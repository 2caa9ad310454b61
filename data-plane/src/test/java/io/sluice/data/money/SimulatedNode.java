package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderTotals;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One node of the simulation: its disk outlives it, everything else is new with each life. */
final class SimulatedNode {
    private static final LeaseSettings SETTINGS = new LeaseSettings(
            Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofSeconds(10));

    private final LedgerSimulation world;
    private final String name;
    private final Duration skew;
    private final MemoryJournal journal = new MemoryJournal();
    private Purse purse;
    private Leases leases;
    private Reservations reservations;
    private final Map<AccountKey, Long> past = new HashMap<>();
    private JournalTotals ended = new JournalTotals();
    private boolean alive;
    private int life;
    private long cutUntilMs;

    SimulatedNode(LedgerSimulation world, String name, Duration skew) {
        this.world = world;
        this.name = name;
        this.skew = skew;
    }

    int life() {
        return life;
    }

    boolean cutOff() {
        return world.nowMs() < cutUntilMs;
    }

    void cut(long forMs) {
        cutUntilMs = world.nowMs() + forMs;
    }

    Instant believedNow() {
        return world.now().plus(skew).plus(alive ? leases.authorityAhead() : Duration.ZERO);
    }

    void start() {
        life++;
        alive = true;
        int mine = life;
        JournalTotals before = journal.read();
        Holder me = new Holder(name, before.incarnation() + 1);
        journal.append(new LedgerRecord.Opened(me, world.nowMs()));
        journal.sync();
        LedgerJournal writes = new LaterJournal(mine);
        purse = new Purse(writes);
        leases = new Leases(
                me,
                purse,
                writes,
                SETTINGS,
                () -> world.now().plus(skew),
                task -> world.after(0, () -> ifAlive(mine, task)),
                command -> {
                    world.asked(command);
                    world.toAuthority(this, command);
                },
                world.random()::nextDouble);
        Leases ownLeases = leases;
        reservations = new Reservations(purse, missing -> {
            Promise<Refilled> came = Promise.promise();
            ownLeases.urgent(missing, came::complete);
            return came.future();
        });
        leases.recover(before);
        world.every(1_000, () -> alive && life == mine, () -> ifAlive(mine, ownLeases::tick));
        poll(mine);
    }

    private void poll(int mine) {
        world.after(
                100,
                () -> ifAlive(mine, () -> {
                    leases.poll();
                    if (leases.waits() || !world.calm()) {
                        poll(mine);
                    }
                }));
    }

    private void ifAlive(int mine, Runnable task) {
        if (alive && life == mine) {
            world.touched();
            task.run();
        }
    }

    void crash() {
        if (alive) {
            alive = false;
            world.touched();
            journal.crash(world.random());
            past.clear();
            ended = journal.read();
            world.after(world.random().nextInt(4_000), this::comeBack);
        }
    }

    void comeBack() {
        if (!alive) {
            start();
        }
    }

    void heard(AuthorityAnswer answer, int sentBy) {
        ifAlive(sentBy, () -> leases.heard(answer));
    }

    void figures(List<CapFigures> figures, int sentTo) {
        ifAlive(sentTo, () -> figures.forEach(leases::figures));
    }

    void request(String id, List<AccountKey> accounts, long estimate) {
        int mine = life;
        world.touched();
        ifAlive(
                mine,
                () -> reservations.reserve(id, accounts, estimate).onSuccess(reserved -> {
                    if (reserved instanceof Hold hold) {
                        sent(hold, estimate, mine);
                    }
                }));
    }

    private void sent(Hold hold, long estimate, int mine) {
        long luck = world.random().nextInt(20);
        if (luck == 0) {
            world.after(world.random().nextInt(100), () -> ifAlive(mine, () -> hold.release()));
            return;
        }
        long cost = cost(estimate);
        world.charge(hold.accounts(), cost, Math.max(0, cost - estimate));
        boolean again = luck < 4;
        world.after(
                duration(),
                () -> ifAlive(mine, () -> {
                    if (again) {
                        secondAttempt(hold, cost, estimate, mine);
                    } else {
                        settle(hold, cost);
                    }
                }));
    }

    private void secondAttempt(Hold hold, long cost, long estimate, int mine) {
        reservations.raise(hold, estimate).onSuccess(raised -> {
            if (raised instanceof Shortfall) {
                settle(hold, cost);
                return;
            }
            long more = cost(estimate);
            world.charge(hold.accounts(), more, Math.max(0, more - estimate));
            world.after(duration(), () -> ifAlive(mine, () -> settle(hold, cost + more)));
        });
    }

    /** Twice now and then: only the first end counts. */
    private void settle(Hold hold, long cost) {
        hold.settle(cost, null);
        if (world.random().nextInt(10) == 0) {
            hold.settle(cost, null);
            hold.release();
        }
    }

    private long cost(long estimate) {
        boolean wrong = world.world().lowEstimates() && world.random().nextInt(5) == 0;
        return wrong
                ? estimate + world.random().nextLong(estimate + 1)
                : world.random().nextLong(estimate + 1);
    }

    private long duration() {
        return world.random().nextInt(40) == 0
                ? world.random().nextInt(12_000)
                : world.random().nextInt(1, 1_500);
    }

    /** Spent, held, or lost with a life of this node, as far as it or its disk can know. */
    long knownMicros(AccountKey account) {
        long known = past.computeIfAbsent(
                account,
                first -> ended.lastWords(first).values().stream()
                        .mapToLong(words ->
                                Math.max(words.settledMicros(), words.grantedMicros() - words.returnedMicros()))
                        .sum());
        return known + (alive ? purse.heldMicros(account) + purse.settledMicros(account) : 0);
    }

    /** What its slice has, below zero by estimates that were too low. */
    long balanceMicros(AccountKey account) {
        return purse.slice(account).balanceMicros();
    }

    long journaledMicros(AccountKey account) {
        return journal.read().lastWords(account).values().stream()
                .mapToLong(HolderTotals::settledMicros)
                .sum();
    }

    /** What was said to be durable is there, once. */
    void checkJournal() {
        Set<String> found = new HashSet<>();
        for (LedgerRecord line : journal.disk()) {
            if (line instanceof LedgerRecord.Settled settled && !found.add(settled.requestId())) {
                throw new AssertionError("I5: " + settled.requestId() + " was settled twice");
            }
        }
        if (!found.containsAll(journal.acknowledged())) {
            throw new AssertionError("I3: a settle that was said to be durable is lost");
        }
    }

    /** Writes a little later, as a disk does; a sabotaged one says that grants are durable at once. */
    private final class LaterJournal implements LedgerJournal {
        private final int mine;
        private boolean syncing;

        LaterJournal(int mine) {
            this.mine = mine;
        }

        @Override
        public void append(LedgerRecord line) {
            journal.append(line);
            later();
        }

        @Override
        public Future<Void> commit(LedgerRecord line) {
            Future<Void> durable = journal.commit(line);
            later();
            boolean lie = world.world().grantsBeforeDurable() && line instanceof LedgerRecord.Granted;
            return lie ? Future.succeededFuture() : durable;
        }

        /** Now and then a disk is slow; one that lies may take its time. */
        private long syncMs() {
            if (world.world().grantsBeforeDurable()) {
                return world.random().nextInt(4_000);
            }
            return world.random().nextInt(10) == 0
                    ? world.random().nextInt(400)
                    : world.random().nextInt(1, 8);
        }

        private void later() {
            if (!syncing) {
                syncing = true;
                world.after(
                        syncMs(),
                        () -> ifAlive(mine, () -> {
                            syncing = false;
                            journal.sync();
                        }));
            }
        }
    }
}
