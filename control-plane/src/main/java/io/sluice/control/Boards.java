package io.sluice.control;

import io.sluice.control.budget.CapBoard;
import io.sluice.control.drill.DrillBook;
import io.sluice.control.shift.ShiftBoard;

/**
 * What the actors of one control plane have found out and others read: written by actors, read by any thread.
 *
 * @param watched the nodes, their epochs, and the health of pools
 * @param applied epochs that this node serves
 * @param caps how spend caps stand
 * @param shifts how scenarios' traffic is shifted
 * @param drills what drills have shown
 */
record Boards(Watched watched, AppliedEpochs applied, CapBoard caps, ShiftBoard shifts, DrillBook drills) {
    /** With nothing on them. */
    Boards() {
        this(new Watched(), new AppliedEpochs(), new CapBoard(), new ShiftBoard(), new DrillBook());
    }
}
