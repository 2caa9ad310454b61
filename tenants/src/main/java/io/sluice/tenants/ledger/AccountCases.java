package io.sluice.tenants.ledger;

import io.sluice.tenants.ledger.AuthorityAnswer.Outcome;
import io.sluice.tenants.ledger.Transfer.Place;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** One command at a time over one {@link AccountBook}. Whatever refuses changes nothing. */
final class AccountCases implements AuthorityCommand.Cases<AuthorityAnswer> {
    private final AccountBook book;
    private final Holder asking;
    private final Instant now;

    AccountCases(AccountBook book, Holder asking, Instant now) {
        this.book = book;
        this.asking = asking;
        this.now = now;
    }

    @Override
    public AuthorityAnswer setCap(AuthorityCommand.SetCap command) {
        AccountState state = book.before();
        if (state.closed()) {
            return answer(Outcome.CLOSED);
        }
        if (command.version() <= state.version()) {
            return answer(command.version() == state.version() ? Outcome.DONE : Outcome.STALE);
        }
        book.move(null, Place.OUTSIDE, Place.CAP, command.limitMicros() - state.limitMicros());
        book.terms(command.version(), true, command.opens(), command.ends());
        return answer(Outcome.DONE);
    }

    @Override
    public AuthorityAnswer removeCap(AuthorityCommand.RemoveCap command) {
        AccountState state = book.before();
        if (state.closed()) {
            return answer(Outcome.CLOSED);
        }
        if (command.version() <= state.version()) {
            return answer(command.version() == state.version() ? Outcome.DONE : Outcome.STALE);
        }
        book.terms(command.version(), false, state.opens(), state.ends());
        return answer(Outcome.DONE);
    }

    @Override
    public AuthorityAnswer grant(AuthorityCommand.Grant command) {
        Outcome refused = refused(command.epoch());
        if (refused != null) {
            return answer(refused, command.seq(), 0);
        }
        HolderState before = book.holder(command.holder());
        if (before.finished() || book.laterLife(command.holder())) {
            return answer(Outcome.FINISHED, command.seq(), 0);
        }
        if (command.seq() <= before.grantSeq()) {
            boolean known = command.seq() == before.grantSeq() && before.grantMicros() >= 0;
            return known ? granted(command.seq(), before.grantMicros()) : answer(Outcome.STALE, command.seq(), 0);
        }
        AccountState state = book.before();
        if (!state.capped()) {
            return answer(Outcome.NO_CAP, command.seq(), 0);
        }
        sync(command.holder(), command.totals());
        if (state.frozen()) {
            return answer(Outcome.FROZEN, command.seq(), 0);
        }
        if (state.opens().isAfter(now.plus(AccountDecider.EARLY_MAX))) {
            return answer(Outcome.NOT_YET, command.seq(), 0);
        }
        return grantNow(command);
    }

    private AuthorityAnswer grantNow(AuthorityCommand.Grant command) {
        HolderState part = book.holder(command.holder());
        int nodes = book.nodes() + (book.knows(command.holder()) ? 0 : 1);
        long micros = now.isBefore(book.before().ends())
                ? SliceSize.decide(command, book.availableMicros(), nodes)
                : late(command);
        book.put(
                command.holder(),
                part.heard(Math.max(part.no(), command.totals().no()), command.seq(), micros, now)
                        .counted(Math.addExact(part.grantedMicros(), micros), part.returnedMicros(), false));
        book.move(command.holder(), Place.CAP, Place.ESCROW, micros);
        return granted(command.seq(), micros);
    }

    /** A request that runs over the end of its period may reserve more, until the period can be closed; nobody stocks up. */
    private long late(AuthorityCommand.Grant command) {
        long available = Math.max(0, book.availableMicros());
        boolean over = !now.isBefore(book.before().ends().plus(AccountDecider.CLOSE_AFTER));
        return over || available < command.leastMicros() ? 0 : Math.min(command.needMicros(), available);
    }

    @Override
    public AuthorityAnswer report(AuthorityCommand.Report command) {
        Outcome refused = refused(command.epoch());
        if (refused != null) {
            return answer(refused);
        }
        if (!book.knows(command.holder()) && book.laterLife(command.holder())) {
            return answer(Outcome.FINISHED, command.totals().no(), 0);
        }
        boolean heard = sync(command.holder(), command.totals());
        if (book.holder(command.holder()).finished()) {
            burn(command.holder());
            return answer(Outcome.FINISHED, command.totals().no(), 0);
        }
        return answer(heard ? Outcome.DONE : Outcome.STALE, command.totals().no(), 0);
    }

    @Override
    public AuthorityAnswer finish(AuthorityCommand.Finish command) {
        Outcome refused = refused(command.epoch());
        if (refused != null) {
            return answer(refused);
        }
        if (command.totals() != null) {
            sync(command.holder(), command.totals());
        }
        burn(command.holder());
        return answer(
                Outcome.DONE, command.totals() == null ? 0 : command.totals().no(), 0);
    }

    @Override
    public AuthorityAnswer freeze(AuthorityCommand.Freeze command) {
        AccountState state = book.before();
        if (state.closed()) {
            return answer(Outcome.CLOSED);
        }
        if (command.epoch() <= state.epoch()) {
            return answer(command.epoch() == state.epoch() ? Outcome.DONE : Outcome.STALE);
        }
        Set<String> awaiting = new TreeSet<>(command.members());
        state.holders().forEach((holder, part) -> {
            if (!part.finished()) {
                awaiting.add(holder.node());
            }
        });
        book.status(command.epoch(), awaiting, false);
        return answer(Outcome.DONE);
    }

    @Override
    public AuthorityAnswer reconcile(AuthorityCommand.Reconcile command) {
        Outcome refused = refused(command.epoch());
        if (refused != null) {
            return answer(refused);
        }
        for (Map.Entry<Holder, HolderTotals> each : command.totals().entrySet()) {
            boolean nothing = each.getValue().equals(HolderTotals.NOTHING) && !book.knows(each.getKey());
            if (nothing) {
                continue;
            }
            sync(each.getKey(), each.getValue());
            if (each.getValue().no() == HolderTotals.LAST
                    || book.holder(each.getKey()).finished()) {
                burn(each.getKey());
            }
        }
        Set<String> awaiting = new TreeSet<>(book.before().awaiting());
        awaiting.remove(command.holder().node());
        book.status(command.epoch(), awaiting, false);
        return answer(Outcome.DONE);
    }

    @Override
    public AuthorityAnswer unfreeze(AuthorityCommand.Unfreeze command) {
        Outcome refused = refused(command.epoch());
        if (refused != null) {
            return answer(refused);
        }
        book.status(command.epoch(), Set.of(), false);
        return answer(Outcome.DONE);
    }

    @Override
    public AuthorityAnswer close(AuthorityCommand.Close command) {
        AccountState state = book.before();
        if (state.closed()) {
            return answer(Outcome.DONE);
        }
        if (!state.known()) {
            return answer(Outcome.NO_CAP);
        }
        if (state.frozen() && !goneForGood()) {
            return answer(Outcome.FROZEN);
        }
        if (state.ends().plus(AccountDecider.CLOSE_AFTER).isAfter(now)) {
            return answer(Outcome.NOT_YET);
        }
        boolean held = state.holders().values().stream().anyMatch(this::mayStillSpend);
        if (held) {
            return answer(Outcome.STILL_HELD);
        }
        book.holders().forEach(this::burn);
        book.status(state.epoch(), Set.of(), true);
        return answer(Outcome.DONE);
    }

    /** Whether nodes that are awaited had their time, both since the freeze, whose epoch is a clock's, and since the period could close. */
    private boolean goneForGood() {
        AccountState state = book.before();
        Instant since = Instant.ofEpochMilli(state.epoch());
        Instant over = state.ends().plus(AccountDecider.CLOSE_AFTER);
        Instant later = since.isAfter(over) ? since : over;
        return !later.plus(AccountDecider.GONE_AFTER).isAfter(now);
    }

    private boolean mayStillSpend(HolderState part) {
        boolean empty = part.escrowMicros() <= 0 && part.heldMicros() == 0;
        boolean gone = !part.heardAt().plus(AccountDecider.GONE_AFTER).isAfter(now);
        return !part.finished() && !empty && !gone;
    }

    @Override
    public AuthorityAnswer adjust(AuthorityCommand.Adjust command) {
        if (!book.before().corrections().contains(command.id())) {
            book.move(null, Place.CAP, Place.ADJUSTED, command.micros());
            book.corrected(command.id());
        }
        return answer(Outcome.DONE);
    }

    /** Why nothing of a node is heard; null where it is. */
    private Outcome refused(long epoch) {
        AccountState state = book.before();
        if (state.closed()) {
            return Outcome.CLOSED;
        }
        if (!state.known()) {
            return Outcome.NO_CAP;
        }
        return epoch == state.epoch() ? null : Outcome.OLD_EPOCH;
    }

    /**
     * Takes a holder's totals for true, unless something later was heard of it: what it says it took over was granted, even if
     * that was forgotten here; and what it says it will never take over was not.
     *
     * @return whether it was heard
     */
    private boolean sync(Holder holder, HolderTotals totals) {
        HolderState before = book.holder(holder);
        if (totals.no() <= before.no()) {
            return false;
        }
        boolean allAnswered = totals.no() == HolderTotals.LAST || totals.grantSeq() >= before.grantSeq();
        long granted = allAnswered ? totals.grantedMicros() : Math.max(before.grantedMicros(), totals.grantedMicros());
        long returned = Math.max(before.returnedMicros(), totals.returnedMicros());
        long grantSeq = Math.max(before.grantSeq(), totals.grantSeq());
        book.put(
                holder,
                before.heard(totals.no(), grantSeq, allAnswered ? -1 : before.grantMicros(), now)
                        .counted(granted, returned, before.finished()));
        book.move(holder, Place.CAP, Place.ESCROW, granted - before.grantedMicros());
        book.move(holder, Place.ESCROW, Place.CAP, returned - before.returnedMicros());
        book.move(holder, Place.ESCROW, Place.SPENT, totals.settledMicros() - before.spentMicros());
        book.move(holder, Place.ESCROW, Place.HELD, totals.heldMicros() - before.heldMicros());
        return true;
    }

    /** What a life that is over has left is burned; what it spent beyond its grants is covered by the cap. */
    private void burn(Holder holder) {
        book.move(holder, Place.HELD, Place.ESCROW, book.holder(holder).heldMicros());
        HolderState part = book.holder(holder);
        long left = part.escrowMicros() + part.burnedMicros();
        book.move(holder, Place.ESCROW, Place.BURNED, Math.max(0, left) - part.burnedMicros());
        long uncovered = Math.max(0, -left);
        book.put(holder, book.holder(holder).counted(part.grantedMicros() + uncovered, part.returnedMicros(), true));
        book.move(holder, Place.CAP, Place.ESCROW, uncovered);
    }

    private AuthorityAnswer granted(long seq, long micros) {
        return answer(micros > 0 ? Outcome.GRANTED : Outcome.DENIED, seq, micros);
    }

    private AuthorityAnswer answer(Outcome outcome) {
        return answer(outcome, 0, 0);
    }

    private AuthorityAnswer answer(Outcome outcome, long seq, long micros) {
        return new AuthorityAnswer(
                book.before().account(),
                asking,
                outcome,
                book.epoch(),
                seq,
                micros,
                book.availableMicros(),
                Math.max(1, book.nodes()),
                now);
    }
}
