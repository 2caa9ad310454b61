package io.sluice.data.pool;

/** Lanes that share as a test says. */
record FixedLanes(double batchShare, double keptForBatch, Runnable onRelease) implements LaneRules {
    static final FixedLanes FREE = new FixedLanes(1, 0, () -> {});

    static FixedLanes batch(double share) {
        return new FixedLanes(share, 0, () -> {});
    }

    @Override
    public void released() {
        onRelease.run();
    }
}
