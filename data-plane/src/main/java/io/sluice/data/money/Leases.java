package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountDecider;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.Holder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Fills and empties a {@link Purse}: one {@link Lease} per account. Owned by one thread, on which everything here is called;
 * {@code owner} brings what the journal completes back to it. No timers of its own: its owner calls {@link #poll} and {@link #tick}.
 */
public final class Leases {
    /** What a lease needs from outside of it. */
    interface Desk {
        LeaseSettings settings();

        void send(AuthorityCommand command);

        /** Runs {@code then} on the owner's thread when the line is durable, and never where it can not be made so. */
        void commit(LedgerRecord line, Consumer<Instant> then);

        void append(LedgerRecord line);

        void forget(Lease lease);
    }

    private final Holder me;
    private final Purse purse;
    private final LedgerJournal journal;
    private final LeaseSettings settings;
    private final InstantSource clock;
    private final Executor owner;
    private final Consumer<AuthorityCommand> out;
    private final DoubleSupplier units;
    private final Map<AccountKey, Lease> leases = new LinkedHashMap<>();
    private final Desk desk = new OwnDesk();
    private JournalTotals before = new JournalTotals();
    private Duration authorityAhead = Duration.ZERO;
    private long epoch;
    private boolean draining;

    /**
     * @param me this life; it has to be larger than any that wrote the journal, and durable there
     * @param clock for waiting only: which day it is, the authority says
     * @param owner the thread of this object
     * @param out takes commands to the authority; whatever is lost is asked again
     */
    public Leases(
            Holder me,
            Purse purse,
            LedgerJournal journal,
            LeaseSettings settings,
            InstantSource clock,
            Executor owner,
            Consumer<AuthorityCommand> out) {
        this(
                me,
                purse,
                journal,
                settings,
                clock,
                owner,
                out,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /** @param units random numbers from 0 to 1: when around the end of a period this node draws of the next one */
    Leases(
            Holder me,
            Purse purse,
            LedgerJournal journal,
            LeaseSettings settings,
            InstantSource clock,
            Executor owner,
            Consumer<AuthorityCommand> out,
            DoubleSupplier units) {
        this.me = me;
        this.purse = purse;
        this.journal = journal;
        this.settings = settings;
        this.clock = clock;
        this.owner = owner;
        this.out = out;
        this.units = units;
        purse.onLow(account -> owner.execute(() -> wish(account)));
    }

    /** Which life of the node this is. */
    public long incarnation() {
        return me.incarnation();
    }

    /** Tells the authority what the lives before this one left. Once, at the begin. */
    public void recover(JournalTotals journaled) {
        before = journaled;
        for (AccountKey account : journaled.unfinished()) {
            lease(account, true);
        }
        poll();
    }

    /** {@code done} hears what came, at the latest after the refill time. */
    public void urgent(Shortfall missing, Consumer<Refilled> done) {
        Instant now = clock.instant();
        if (draining || purse.stopped() != null) {
            done.accept(Refilled.UNANSWERED);
            return;
        }
        lease(missing.account(), false).need(missing.missingMicros(), now, done);
    }

    private void wish(AccountKey account) {
        Lease lease = leases.get(account);
        if (lease != null && !draining) {
            lease.wish(clock.instant());
        }
    }

    private Lease lease(AccountKey account, boolean untold) {
        return leases.computeIfAbsent(
                account,
                first -> new Lease(
                        purse.slice(first),
                        me,
                        before.lastWords(first),
                        untold,
                        epoch,
                        desk,
                        clock.instant(),
                        units.getAsDouble()));
    }

    /** An answer of the authority, however late or often it comes; what answers another life is not heard. */
    public void heard(AuthorityAnswer answer) {
        Lease lease = leases.get(answer.account());
        epoch = Math.max(epoch, answer.epoch());
        if (lease != null && me.equals(answer.holder())) {
            lease.heard(answer, clock.instant());
        }
    }

    /** How an account stands, as the authority publishes it. */
    public void figures(CapFigures figures) {
        Instant now = clock.instant();
        authorityAhead = Duration.between(now, figures.at());
        epoch = Math.max(epoch, figures.epoch());
        boolean asked = figures.awaiting().contains(me.node())
                || figures.holders().stream().anyMatch(this::before);
        Lease lease = asked && !figures.closed() ? lease(figures.account(), true) : leases.get(figures.account());
        if (lease != null) {
            lease.figures(figures, asked, now);
        }
    }

    private void lost(Throwable failure) {
        purse.lost(failure);
        leases.values().forEach(Lease::giveUp);
    }

    private boolean before(Holder holder) {
        return holder.node().equals(me.node()) && holder.incarnation() < me.incarnation();
    }

    /** How far the authority's clock is ahead of this node's. */
    public Duration authorityAhead() {
        return authorityAhead;
    }

    /** Every few dozen milliseconds, while {@link #waits}. */
    public void poll() {
        Instant now = clock.instant();
        List.copyOf(leases.values()).forEach(lease -> lease.poll(now));
    }

    /** Whether {@link #poll} has something to do. */
    public boolean waits() {
        return leases.values().stream().anyMatch(Lease::waits);
    }

    /** Once a second. */
    public void tick() {
        Instant now = clock.instant();
        Instant there = now.plus(authorityAhead);
        for (Lease lease : List.copyOf(leases.values())) {
            lease.tick(now);
            if (!draining && purse.stopped() == null && lease.follows(there, now)) {
                drawFirst(lease, now);
            }
            boolean over = lease.ends() != null && !there.isBefore(lease.ends().plus(AccountDecider.CLOSE_AFTER));
            if (draining || over) {
                lease.retire(now);
            }
        }
    }

    /** Of the period that follows, unless a request has been faster. */
    private void drawFirst(Lease ending, Instant now) {
        AccountKey account = ending.slice().account();
        AccountKey next = new AccountKey(
                account.tenant(), account.capId(), account.period().next());
        if (!leases.containsKey(next)) {
            lease(next, false).drawFirst(ending.slice().usualEstimateMicros(), now);
        }
    }

    /** From now on nothing is drawn, and everything goes back as requests end. */
    public void drain() {
        draining = true;
        tick();
    }

    /** Whether, after {@link #drain}, nothing of this node's is left anywhere. */
    public boolean drained() {
        return leases.values().stream().allMatch(Lease::finished);
    }

    private final class OwnDesk implements Desk {
        @Override
        public LeaseSettings settings() {
            return settings;
        }

        @Override
        public void send(AuthorityCommand command) {
            out.accept(command);
        }

        @Override
        public void commit(LedgerRecord line, Consumer<Instant> then) {
            journal.commit(line)
                    .onSuccess(durable -> owner.execute(() -> then.accept(clock.instant())))
                    .onFailure(failure -> owner.execute(() -> lost(failure)));
        }

        @Override
        public void append(LedgerRecord line) {
            journal.append(line);
        }

        @Override
        public void forget(Lease lease) {
            AccountKey account = lease.slice().account();
            leases.remove(account, lease);
            before.read(new LedgerRecord.Forgotten(account));
            purse.forget(lease.slice());
        }
    }
}
