package io.sluice.data.pool;

/** How the lanes of a pool share the permits of its targets at this moment. Any thread. */
interface LaneRules {
    /** The share of permits that batch may hold, 0 to 1. */
    double batchShare();

    /** The share of permits that real-time leaves to batch requests which wait, so that batch goes on; 0 where none waits. */
    double keptForBatch();

    /** A permit came back. */
    void released();
}
