package io.sluice.ops;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Whether this process should get traffic, and why not. It is ready once every {@link Step} is done and until a stop is asked
 * for. Thread-safe.
 */
final class Readiness {
    /** What has to be done first, in this order. */
    enum Step {
        CONTROL_PLANE("the control plane is starting"),
        SNAPSHOT("no configuration is applied yet"),
        LISTENING("the data plane does not listen yet"),
        WARM("the request path is warming up");

        private final String missing;

        Step(String missing) {
            this.missing = missing;
        }
    }

    private final Set<Step> open = EnumSet.allOf(Step.class);
    private boolean draining;

    synchronized void done(Step step) {
        open.remove(step);
    }

    synchronized void drain() {
        draining = true;
    }

    /** Why not, in one line; empty where it is ready. */
    synchronized Optional<String> obstacle() {
        if (draining) {
            return Optional.of("draining");
        }
        return open.stream().findFirst().map(step -> step.missing);
    }
}
