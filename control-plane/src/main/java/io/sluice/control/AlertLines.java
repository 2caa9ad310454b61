package io.sluice.control;

import io.sluice.control.store.AuditLine;
import io.sluice.control.webhook.Alert;
import io.sluice.control.webhook.AlertNotes;
import io.sluice.control.webhook.GivenUp;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * Writes down in the audit log what becomes of events for webhooks.
 *
 * @param notes stores a line
 */
record AlertLines(AuditTrail trail, Function<AuditLine, Future<Void>> notes) implements AlertNotes {
    @Override
    public Future<Void> gaveUp(GivenUp given) {
        return notes.apply(trail.gaveUp(given));
    }

    @Override
    public Future<Void> happened(Alert alert) {
        return notes.apply(trail.balanceLow(alert));
    }
}
