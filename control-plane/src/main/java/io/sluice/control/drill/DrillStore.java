package io.sluice.control.drill;

import io.sluice.tenants.drill.DrillTally;
import io.vertx.core.Future;
import java.util.List;

/**
 * Keeps what drills found out. What was not saved yet is lost with the process: figures of the last seconds of a run, which
 * nothing depends on. Methods may be called from any thread and do not block.
 */
public interface DrillStore {
    /** Runs and proofs, in no order. */
    record Pages(List<DrillTally> runs, List<Proven> proofs) {
        public static final Pages EMPTY = new Pages(List.of(), List.of());

        public Pages {
            runs = List.copyOf(runs);
            proofs = List.copyOf(proofs);
        }

        boolean empty() {
            return runs.isEmpty() && proofs.isEmpty();
        }
    }

    /** All that is kept. */
    Future<Pages> load();

    /** Keeps {@code changed} in place of what was kept of the same runs and rungs, and forgets the runs in {@code gone}. */
    Future<Void> save(Pages changed, List<DrillTally.Run> gone);

    /** Finishes what was begun and closes; later calls fail. */
    Future<Void> close();
}
