package io.sluice.control.spend;

import io.sluice.control.spend.SpendLogEntry.Began;
import io.sluice.control.spend.SpendLogEntry.Shipped;
import io.vertx.core.Future;
import java.util.List;

/**
 * The one sequence of what happens to spend that all nodes of a cluster follow.
 * <ol>
 *   <li>What an append succeeded with is never lost, never changes, and has one place in the sequence for all.
 *   <li>A shipment is in it only where it begins at the place of its journal: each line of a journal once.
 *   <li>After a failure an append may be in it or not; it may be appended again, and counts once.
 *   <li>What {@link #since} returns survives the loss of whoever keeps the log, as far as that was set up to survive.
 * </ol>
 * Thread-safe; nothing blocks. Futures fail where the log can't be reached.
 */
public interface SpendLog {
    /**
     * An entry at its place.
     *
     * @param position 1 for the first; no number is left out
     * @param id drawn for this entry: tells a log from one that was restored and went on otherwise
     */
    record Logged(long position, String id, SpendLogEntry entry) {}

    /**
     * Entries after a position.
     *
     * @param last position of the last entry there is; 0 where the log is empty
     * @param idThere of the entry at the position that was asked for; null where it is not kept any more
     * @param next some of the following, in order; where old ones are not kept any more, they begin later
     */
    record Page(long last, String idThere, List<Logged> next) {
        public Page {
            next = List.copyOf(next);
        }
    }

    /** How far a journal is in the log; 0 where it is unknown. */
    record Place(String node, long journal, long seq) {}

    /** How far a journal is in the log; 0 where it is unknown. */
    Future<Long> place(String node, long journal);

    /**
     * Appends lines of a journal, unless they do not begin at its place.
     *
     * @return how far the journal is in the log then
     */
    Future<Long> ship(Shipped shipped);

    /** Appends what is no shipment. */
    Future<Void> append(SpendLogEntry entry);

    /**
     * Makes {@code began} the first entry, with journals at {@code places}, unless there is one; whether it was done shows
     * {@link #since}.
     */
    Future<Void> begin(String id, Began began, List<Place> places);

    /** Some entries after {@code position}. */
    Future<Page> since(long position);

    Future<Void> close();
}
