package io.sluice.tenants.ledger;

import io.sluice.tenants.json.JsonSubtypes;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What may be asked of the authority over a cap. Each has the effect of one however often it is delivered: by the number of a
 * grant, by sums that only grow, by a version or by an id. Amounts are micro-units.
 */
@JsonSubtypes
public sealed interface AuthorityCommand {
    /** Which cap and period. */
    AccountKey account();

    /** Who asks; null where the authority does so itself. */
    default Holder holder() {
        return null;
    }

    /** What {@code cases} makes of this kind of command. */
    <R> R fold(Cases<R> cases);

    /** One answer per kind of command. */
    interface Cases<R> {
        R setCap(SetCap command);

        R removeCap(RemoveCap command);

        R grant(Grant command);

        R report(Report command);

        R finish(Finish command);

        R freeze(Freeze command);

        R reconcile(Reconcile command);

        R unfreeze(Unfreeze command);

        R close(Close command);

        R adjust(Adjust command);
    }

    /**
     * The cap is this much. Takes the place of an older version.
     *
     * @param version of the configuration that says so
     * @param opens when the period begins
     * @param ends when it ends
     */
    record SetCap(AccountKey account, long version, long limitMicros, Instant opens, Instant ends)
            implements AuthorityCommand {
        public SetCap {
            Objects.requireNonNull(opens);
            Objects.requireNonNull(ends);
            if (limitMicros < 0 || limitMicros > AccountState.MICROS_MAX) {
                throw new IllegalArgumentException("a cap is 0 to " + AccountState.MICROS_MAX + " micro-units");
            }
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.setCap(this);
        }
    }

    /** There is no such cap any more: nothing is granted until there is one again; what was spent is not forgotten. */
    record RemoveCap(AccountKey account, long version) implements AuthorityCommand {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.removeCap(this);
        }
    }

    /**
     * A holder asks for a slice.
     *
     * @param epoch the authority's, as the holder knows it
     * @param seq number of the grant, growing by one; asked again with the same number until it is answered
     * @param leastMicros less is of no use: what the smallest waiting request lacks; 0 where none waits
     * @param needMicros what all waiting requests lack
     * @param wishMicros what it would like for the seconds to come
     * @param usualMicros what a request of it usually reserves
     * @param totals of this holder: the authority takes them for true
     */
    record Grant(
            AccountKey account,
            Holder holder,
            long epoch,
            long seq,
            long leastMicros,
            long needMicros,
            long wishMicros,
            long usualMicros,
            HolderTotals totals)
            implements AuthorityCommand {
        public Grant {
            if (seq < 1 || leastMicros < 0 || needMicros < leastMicros || wishMicros < 0 || usualMicros < 0) {
                throw new IllegalArgumentException("a grant asks for amounts that are not negative");
            }
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.grant(this);
        }
    }

    /** A holder says where it stands; money that it gave back can be granted again. */
    record Report(AccountKey account, Holder holder, long epoch, HolderTotals totals) implements AuthorityCommand {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.report(this);
        }
    }

    /**
     * A holder's life is over: what it has neither spent nor given back is burned, which counts as spent until finance says
     * otherwise.
     *
     * @param totals its last words; null where nobody has them, then the last ones known are taken
     */
    record Finish(AccountKey account, Holder holder, long epoch, HolderTotals totals) implements AuthorityCommand {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.finish(this);
        }
    }

    /**
     * The authority may have lost its last steps: nothing is granted until every member has said what it has.
     *
     * @param members nodes that may have been granted something
     */
    record Freeze(AccountKey account, long epoch, Set<String> members) implements AuthorityCommand {
        public Freeze {
            members = Set.copyOf(members);
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.freeze(this);
        }
    }

    /**
     * A node says what all its lives have of this account, before it asks for anything, and in answer to a freeze.
     *
     * @param holder the life that runs
     * @param totals of it, and the last words of all lives before it
     */
    record Reconcile(AccountKey account, Holder holder, long epoch, Map<Holder, HolderTotals> totals)
            implements AuthorityCommand {
        public Reconcile {
            totals = Map.copyOf(totals);
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.reconcile(this);
        }
    }

    /** An operator answers for the members that do not come back. What they were granted after the loss may be spent twice. */
    record Unfreeze(AccountKey account, long epoch) implements AuthorityCommand {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.unfreeze(this);
        }
    }

    /** The period is over for good, and what holders that are gone did not give back is burned. */
    record Close(AccountKey account) implements AuthorityCommand {
        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.close(this);
        }
    }

    /**
     * Finance corrects what was spent, also of a period that is closed.
     *
     * @param id a correction is made once
     * @param micros added to what was spent; negative takes off, as for money that burned and was never charged
     */
    record Adjust(AccountKey account, String id, long micros, String reason) implements AuthorityCommand {
        public Adjust {
            if (id.isBlank() || reason.isBlank()) {
                throw new IllegalArgumentException("a correction has an id and a reason");
            }
            if (Math.abs(micros) > AccountState.MICROS_MAX) {
                throw new IllegalArgumentException(
                        "a correction is at most " + AccountState.MICROS_MAX + " micro-units");
            }
        }

        @Override
        public <R> R fold(Cases<R> cases) {
            return cases.adjust(this);
        }
    }
}
