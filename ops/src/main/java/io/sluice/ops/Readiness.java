package io.sluice.ops;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Whether this process should get traffic, and why not. It is ready once every {@link Step} is done and until a stop is asked
 * for, as far as the data plane agrees. Thread-safe.
 */
final class Readiness {
    /** What has to be done first, in this order. */
    enum Step {
        CONTROL_PLANE("the control plane is starting"),
        LISTENING("the data plane does not listen yet"),
        WARM("the request path is warming up");

        private final String missing;

        Step(String missing) {
            this.missing = missing;
        }
    }

    private final Set<Step> open = EnumSet.allOf(Step.class);
    private Supplier<String> dataPlane = () -> null;
    private boolean draining;

    synchronized void done(Step step) {
        open.remove(step);
    }

    /**
     * The data plane listens.
     *
     * @param obstacle what it says against getting traffic; null where nothing
     */
    synchronized void serving(Supplier<String> obstacle) {
        dataPlane = obstacle;
        done(Step.LISTENING);
    }

    synchronized void drain() {
        draining = true;
    }

    /** Why not, in one line; empty where it is ready. */
    synchronized Optional<String> obstacle() {
        if (draining) {
            return Optional.of("draining");
        }
        Optional<Step> first = open.stream().findFirst();
        return first.isPresent() ? first.map(step -> step.missing) : Optional.ofNullable(dataPlane.get());
    }
}
