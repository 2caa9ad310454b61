package io.sluice.control.webhook;

import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;

/**
 * Keeps what webhooks have to be told, and that they were.
 * <ol>
 *   <li>An alert that is stored twice is there once.
 *   <li>When a future succeeds, what it stored survives a crash of process and machine.
 * </ol>
 * Methods may be called from any thread and do not block; futures may complete on a thread of the store.
 */
public interface AlertStore {
    /** All alerts whose period ends after {@code now}, in the order in which they were stored. */
    Future<List<Alert>> told(Instant now);

    /** Stores alerts that are new; they are due at once. */
    Future<Void> add(List<Alert> alerts);

    /** For each webhook the delivery that is due longest at {@code now}. */
    Future<List<Delivery>> due(Instant now);

    /**
     * Another attempt failed.
     *
     * @param next when it is due again
     */
    Future<Void> failed(Alert.Key key, int attempts, Instant next);

    /** Nothing more is to be done about an alert. */
    Future<Void> ended(Alert.Key key, Outcome outcome);

    /** Forgets alerts that are ended and whose period was over before {@code before}. */
    Future<Void> purge(Instant before);

    /** Finishes what was begun and closes. */
    Future<Void> close();

    /** What became of an alert. */
    enum Outcome {
        /** The receiver confirmed it. */
        DELIVERED,
        /** The receiver did not confirm it in time. */
        GIVEN_UP,
        /** The webhook is off, or removed. */
        DROPPED
    }

    /**
     * An alert on its way.
     *
     * @param attempts that failed
     */
    record Delivery(Alert alert, int attempts) {}
}
