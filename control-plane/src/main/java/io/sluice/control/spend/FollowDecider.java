package io.sluice.control.spend;

import io.sluice.control.spend.SpendLog.Logged;
import io.sluice.control.spend.SpendLog.Page;
import io.sluice.control.spend.SpendLogEntry.Began;

/** What a node's copy does about what it reads of the log. */
final class FollowDecider {
    private FollowDecider() {}

    /**
     * Where a copy is.
     *
     * @param position of the last entry that it applied; 0 where it never followed the log
     * @param id of that entry; where there is none, the one with which this copy would begin the log
     * @param ownHistory whether it has something that did not come from the log
     */
    record Standing(long position, String id, boolean ownHistory) {}

    /** What comes next. */
    enum Step {
        /** The copy has all. */
        NOTHING,
        /** Apply what was read. */
        APPLY,
        /** Entries between the copy and what is kept are gone: a copy of another node is needed. */
        FETCH,
        /** The log is empty and the copy is not: its history is what the log begins with. */
        BEGIN,
        /** The log begins with this copy's history. */
        BEGUN,
        /** The cluster has a history and this copy another one: for people to choose. */
        FOREIGN,
        /** The log is not the one that the copy followed, or has lost its end: for people to choose. */
        LOST
    }

    static Step decide(Standing at, Page page) {
        boolean otherEntry =
                at.position() > 0 && page.idThere() != null && !page.idThere().equals(at.id());
        if (page.last() < at.position() || otherEntry) {
            return Step.LOST;
        }
        if (at.position() == 0 && at.ownHistory()) {
            return beginning(at, page);
        }
        if (page.last() == at.position()) {
            return Step.NOTHING;
        }
        Logged first = page.next().isEmpty() ? null : page.next().get(0);
        return first == null || first.position() != at.position() + 1 || first.entry() instanceof Began
                ? Step.FETCH
                : Step.APPLY;
    }

    private static Step beginning(Standing at, Page page) {
        if (page.last() == 0) {
            return Step.BEGIN;
        }
        Logged first = page.next().isEmpty() ? null : page.next().get(0);
        return first != null && first.position() == 1 && first.id().equals(at.id()) ? Step.BEGUN : Step.FOREIGN;
    }
}
