package io.sluice.graphql;

import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * What the process says of itself, beside the administration API.
 *
 * @param live false asks whoever runs the process to end it; called on the event loop, must not block
 * @param ready whether traffic is welcome; called on the event loop, must not block
 * @param metrics the scrape in Prometheus' text format; called on a worker thread
 */
public record Probes(Supplier<Boolean> live, Supplier<Future<Readiness>> ready, Supplier<String> metrics) {
    /**
     * Whether traffic is welcome.
     *
     * @param reason why not, for operators; empty where it is
     */
    public record Readiness(boolean ready, String reason) {
        public static final Readiness READY = new Readiness(true, "");

        /** Not ready, and why. */
        public static Readiness not(String reason) {
            return new Readiness(false, reason);
        }
    }
}
