package io.sluice.control.webhook;

import io.vertx.core.Future;

/** Writes lines of the audit log; the futures succeed when they are stored. */
public interface AlertNotes {
    /** A webhook did not confirm an event in time. */
    Future<Void> gaveUp(GivenUp given);

    /** Something happened that is told the audit log itself. */
    Future<Void> happened(Alert alert);
}
