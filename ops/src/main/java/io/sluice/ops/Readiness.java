package io.sluice.ops;

import io.sluice.tenants.NodeRole;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Whether this process should get traffic, and why not: of apps, or of operators where it has nothing for apps. It is ready once every {@link
 * Step} of its roles is done and until a stop is asked for, as far as its data plane agrees. Thread-safe.
 */
final class Readiness {
    /** What has to be done first, in this order. */
    enum Step {
        STORES("the configuration is being loaded"),
        LISTENING("the data plane does not listen yet"),
        CONFIGURATION("the configuration is not served yet"),
        WARM("the request path is warming up");

        private final String missing;

        Step(String missing) {
            this.missing = missing;
        }

        private boolean isOf(Set<NodeRole> roles) {
            return switch (this) {
                case STORES, CONFIGURATION -> true;
                case LISTENING, WARM -> roles.contains(NodeRole.DATA);
            };
        }
    }

    private final Set<Step> open;
    private Supplier<String> dataPlane = () -> null;
    private boolean draining;

    /** @param roles of this node */
    Readiness(Set<NodeRole> roles) {
        open = EnumSet.allOf(Step.class).stream()
                .filter(step -> step.isOf(roles))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Step.class)));
    }

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
