package io.sluice.data.money;

import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.AuthorityAnswer;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.ledger.HolderTotals;
import io.sluice.tenants.ledger.SliceSize;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What passes between this node and the authority about one account: one grant at a time, asked until it is answered; what goes
 * back; what was spent; and, when the authority has lost something, what all lives of the node had. One thread.
 */
final class Lease {
    /** A refused wish is made again after so long; requests in need ask at once. */
    private static final Duration WISH_AGAIN = Duration.ofSeconds(1);

    /** Before the rate is known a slice is for so many usual requests. */
    private static final int REQUESTS_AT_FIRST = 8;

    private final AccountKey account;
    private final Holder me;
    private final Slice slice;
    private final Leases.Desk desk;
    private final Map<Holder, HolderTotals> livesBefore;
    private final Waiters waiters = new Waiters();
    private final UseRate rate;

    private boolean livesBeforeUntold;
    private long epoch;
    private long no;
    private long grantSeq;
    private AuthorityCommand.Grant pending;
    private Instant openSince;
    private Instant askedAt = Instant.MIN;
    private boolean writing;
    private boolean wished;
    private boolean wishDenied;
    private Instant wishAgainAt = Instant.MIN;
    private long returningMicros;
    private boolean reconcile;
    private Instant reconcileAt = Instant.MIN;
    private HolderTotals told = HolderTotals.NONE;
    private boolean toldHeard = true;
    private boolean retired;
    private boolean finished;
    private Instant finishAt = Instant.MIN;
    private long reconciledEpoch = -1;
    private Instant ends;
    private final double unit;
    private boolean followed;

    /**
     * @param livesBefore last words of the node's lives before this one
     * @param livesBeforeUntold whether the authority has to hear them before it is asked for anything
     * @param epoch of the authority, as far as this node knows
     */
    Lease(
            Slice slice,
            Holder me,
            Map<Holder, HolderTotals> livesBefore,
            boolean livesBeforeUntold,
            long epoch,
            Leases.Desk desk,
            Instant now,
            double unit) {
        this.account = slice.account();
        this.slice = slice;
        this.me = me;
        this.livesBefore = new TreeMap<>(livesBefore);
        this.livesBeforeUntold = livesBeforeUntold;
        this.reconcile = livesBeforeUntold;
        this.openSince = livesBeforeUntold ? now : null;
        this.epoch = epoch;
        this.desk = desk;
        this.rate = new UseRate(now);
        this.unit = unit;
    }

    Slice slice() {
        return slice;
    }

    /** A request needs {@code missing} more; it hears what came. */
    void need(long missingMicros, Instant now, Consumer<Refilled> done) {
        if (retired || finished) {
            done.accept(Refilled.DENIED);
            return;
        }
        Duration refillMax = desk.settings().refillMax();
        boolean silent = openSince != null && !now.isBefore(openSince.plus(refillMax));
        waiters.add(missingMicros, now.plus(silent ? desk.settings().silentMax() : refillMax), done);
        ask(now);
    }

    /** The slice is below its mark. */
    void wish(Instant now) {
        wished = true;
        ask(now);
    }

    /** Draws for requests to come, before the first of them is there; {@code usualMicros} as they were in the period before. */
    void drawFirst(long usualMicros, Instant now) {
        slice.estimated(usualMicros);
        wish(now);
    }

    /**
     * Whether it is time to draw the first slice of the period that follows. True once.
     *
     * @param there the time by the authority's clock
     */
    boolean follows(Instant there, Instant now) {
        if (followed || ends == null || !PrefetchDecider.decide(ends, there, rate.sinceUse(now), unit)) {
            return false;
        }
        followed = true;
        return true;
    }

    /** Often: requests that waited long enough hear that nothing came, and what was not answered is asked again. */
    void poll(Instant now) {
        waiters.expire(now);
        resend(now);
    }

    /** Once a second: draws ahead, gives back, says what was spent. */
    void tick(Instant now) {
        poll(now);
        rate.see(slice.settledMicros() + Math.max(0, slice.heldMicros()), now);
        if (wishDenied && !now.isBefore(wishAgainAt)) {
            wishDenied = false;
            slice.wishAgain();
        }
        if (slice.balanceMicros() < 0) {
            ask(now);
        }
        giveBackWhatIsIdle(now);
        report();
    }

    /** Nothing can be taken over any more. */
    void giveUp() {
        waiters.tell(Refilled.UNANSWERED);
    }

    /** Whether there is something to ask again, or somebody who waits. */
    boolean waits() {
        return pending != null || reconcile || !waiters.none() || (retired && !finished);
    }

    /** Whether this life has ended here and the authority knows. */
    boolean finished() {
        return finished;
    }

    /** When the period ends; null while nobody said. */
    Instant ends() {
        return ends;
    }

    private void ask(Instant now) {
        if (pending != null || writing || reconcile || retired || finished) {
            return;
        }
        long need = Math.min(Purse.MICROS_MAX, Math.max(0, -slice.balanceMicros()) + waiters.allMicros());
        boolean needed = need > 0 || !waiters.none();
        if (!needed && !wished) {
            return;
        }
        wished = false;
        long usual = slice.usualEstimateMicros();
        long wish = Math.min(Purse.MICROS_MAX, Math.max(usual * REQUESTS_AT_FIRST, rate.aheadMicros()));
        pending = new AuthorityCommand.Grant(
                account, me, epoch, grantSeq + 1, waiters.leastMicros(), need, wish, usual, totals());
        opened(now);
        send(pending, now);
    }

    /** Something is asked; how long it goes without an answer says how long requests wait. */
    private void opened(Instant now) {
        openSince = openSince == null ? now : openSince;
    }

    private void answered() {
        openSince = pending == null && !reconcile ? null : openSince;
    }

    private void pendingIsOver() {
        grantSeq = pending.seq();
        pending = null;
        answered();
    }

    private void send(AuthorityCommand command, Instant now) {
        askedAt = now;
        desk.send(command);
    }

    private void resend(Instant now) {
        if (pending != null
                && !writing
                && !now.isBefore(askedAt.plus(desk.settings().resendAfter()))) {
            send(pending, now);
        }
        if (reconcile
                && !writing
                && !now.isBefore(reconcileAt.plus(desk.settings().resendAfter()))) {
            reconcile(now);
        }
        if (retired && !finished && !now.isBefore(finishAt.plus(desk.settings().resendAfter()))) {
            finish(now);
        }
    }

    /** What this life may say of itself: only what is durable here. */
    private HolderTotals totals() {
        HolderTotals now = slice.totals(++no, grantSeq);
        return new HolderTotals(
                no,
                grantSeq,
                now.grantedMicros(),
                now.returnedMicros() - returningMicros,
                now.settledMicros(),
                now.heldMicros());
    }

    private void report() {
        if (retired || reconcile) {
            return;
        }
        HolderTotals next = totals();
        boolean same = next.grantSeq() == told.grantSeq()
                && next.grantedMicros() == told.grantedMicros()
                && next.returnedMicros() == told.returnedMicros()
                && next.settledMicros() == told.settledMicros()
                && next.heldMicros() == told.heldMicros();
        boolean quiet = same && toldHeard && next.heldMicros() == 0;
        if (!quiet) {
            told = next;
            toldHeard = false;
            desk.send(new AuthorityCommand.Report(account, me, epoch, next));
        }
    }

    private void giveBackWhatIsIdle(Instant now) {
        if (rate.idle(desk.settings().idleAfter(), now) && slice.heldMicros() == 0) {
            giveBack();
        }
    }

    /** Everything that is free goes back: the journal first, then the authority. */
    void giveBack() {
        long micros = slice.takeBack(Long.MAX_VALUE);
        if (micros == 0) {
            return;
        }
        returningMicros += micros;
        desk.commit(new LedgerRecord.Returned(account, micros), now -> {
            returningMicros -= micros;
            report();
        });
    }

    /** The period is over, or the node leaves: what is free goes back, and when nothing is held any more this life ends here. */
    void retire(Instant now) {
        giveBack();
        if (!retired && pending == null && !writing && returningMicros == 0 && !reconcile && slice.retire()) {
            retired = true;
            waiters.tell(Refilled.DENIED);
            finish(now);
        }
    }

    private void finish(Instant now) {
        finishAt = now;
        desk.send(new AuthorityCommand.Finish(account, me, epoch, slice.totals(HolderTotals.LAST, grantSeq)));
    }

    private void reconcile(Instant now) {
        reconcileAt = now;
        Map<Holder, HolderTotals> all = new TreeMap<>(livesBefore);
        all.put(me, retired ? slice.totals(HolderTotals.LAST, grantSeq) : totals());
        desk.send(new AuthorityCommand.Reconcile(account, me, epoch, all));
    }

    /** The authority may have lost something: nothing is asked of it until it has heard what this node has. */
    private void reconcileWith(long newEpoch, Instant now) {
        epoch = Math.max(epoch, newEpoch);
        reconcile = true;
        opened(now);
        if (pending != null && !writing) {
            pendingIsOver();
        }
        if (!writing) {
            reconcile(now);
        }
    }

    /**
     * How the cap stands.
     *
     * @param asked whether the authority waits for what the lives of this node had
     */
    void figures(CapFigures figures, boolean asked, Instant now) {
        ends = figures.ends();
        boolean untold = asked && figures.epoch() == epoch && reconciledEpoch < epoch && !reconcile;
        if (figures.epoch() > epoch || untold) {
            reconcileWith(figures.epoch(), now);
        }
        boolean back = figures.availableMicros() < 0 || !figures.capped() || scarce(figures);
        if (back && waiters.none()) {
            giveBack();
        }
    }

    /** What is free here may be what a request on another node lacks. */
    private boolean scarce(CapFigures figures) {
        return slice.freeMicros() > 0
                && figures.nodes() > 1
                && SliceSize.near(figures.availableMicros(), slice.usualEstimateMicros(), figures.nodes());
    }

    /** An answer to whatever this asked. */
    void heard(AuthorityAnswer answer, Instant now) {
        switch (answer.outcome()) {
            case GRANTED -> granted(answer);
            case DENIED, NO_CAP, NOT_YET -> denied(answer, now);
            case OLD_EPOCH -> {
                if (answer.epoch() > Math.max(epoch, reconciledEpoch)
                        || (answer.epoch() == epoch && reconciledEpoch < epoch && !reconcile)) {
                    reconcileWith(answer.epoch(), now);
                }
            }
            case FROZEN -> {
                if (!reconcile && answer.epoch() == epoch && reconciledEpoch < epoch) {
                    reconcileWith(epoch, now);
                }
            }
            case STALE -> stale(answer, now);
            case FINISHED -> over(answer);
            case DONE -> done(answer, now);
            case CLOSED -> closed();
            case STILL_HELD -> throw new IllegalStateException("a node closes no account");
        }
    }

    private boolean answersPending(AuthorityAnswer answer) {
        return pending != null && !writing && answer.seq() == pending.seq();
    }

    private void granted(AuthorityAnswer answer) {
        if (!answersPending(answer)) {
            return;
        }
        writing = true;
        long micros = answer.micros();
        desk.commit(new LedgerRecord.Granted(account, answer.seq(), micros), now -> {
            writing = false;
            pendingIsOver();
            slice.grant(micros);
            waiters.came(slice.freeMicros());
            if (reconcile) {
                reconcile(now);
            }
            ask(now); // for those who came after the question that this answers
        });
    }

    private void denied(AuthorityAnswer answer, Instant now) {
        if (!answersPending(answer)) {
            return;
        }
        pendingIsOver();
        wishDenied = true;
        wishAgainAt = now.plus(WISH_AGAIN);
        waiters.tell(Refilled.DENIED);
        if (answer.outcome() == AuthorityAnswer.Outcome.NO_CAP) {
            giveBack();
        }
    }

    private void stale(AuthorityAnswer answer, Instant now) {
        if (answersPending(answer)) {
            pendingIsOver();
            ask(now);
        } else if (answer.seq() == told.no()) {
            toldHeard = true;
        }
    }

    private void done(AuthorityAnswer answer, Instant now) {
        if (answer.seq() == HolderTotals.LAST) {
            finished = true;
            desk.append(new LedgerRecord.Finished(me, account));
        } else if (answer.seq() != 0) {
            toldHeard |= answer.seq() == told.no();
        } else if (reconcile && answer.epoch() == epoch) {
            reconcile = false;
            answered();
            reconciledEpoch = epoch;
            if (livesBeforeUntold) {
                livesBeforeUntold = false;
                livesBefore.forEach((life, words) -> {
                    if (words.grantedMicros() > 0) {
                        desk.append(new LedgerRecord.Finished(life, account));
                    }
                });
            }
            ask(now);
        }
    }

    /** The authority took this life for gone. What it has left may be spent: it was counted as spent. */
    private void over(AuthorityAnswer answer) {
        if (answersPending(answer)) {
            pendingIsOver();
            waiters.tell(Refilled.DENIED);
        }
        toldHeard |= answer.seq() == told.no();
        finished |= retired;
    }

    private void closed() {
        pending = writing ? pending : null;
        reconcile = false;
        answered();
        waiters.tell(Refilled.DENIED);
        slice.takeBack(Long.MAX_VALUE);
        toldHeard = true;
        if (slice.heldMicros() == 0) {
            desk.append(new LedgerRecord.Forgotten(account));
            desk.forget(this);
        }
    }
}
