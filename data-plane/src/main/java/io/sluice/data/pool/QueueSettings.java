package io.sluice.data.pool;

/**
 * Bounds of each pool's queue on one node (requirement B3).
 *
 * @param lengthMax requests that wait in it, both lanes together; 0 means that nobody waits
 * @param realtimeWaitMaxMs how long a real-time request may wait over all its rungs
 * @param batchShare of a pool's permits that batch may hold while real-time wants them
 * @param batchShareMin what it keeps of that while real-time waits too long, so that batch goes on
 */
public record QueueSettings(int lengthMax, long realtimeWaitMaxMs, double batchShare, double batchShareMin) {
    /** A thousand waiting requests are some megabytes of prompts; people notice a quarter of a second. */
    public static final QueueSettings DEFAULT = new QueueSettings(1_000, 250, 0.5, 0.1);

    public QueueSettings {
        require(lengthMax >= 0, "lengthMax must be at least 0");
        require(realtimeWaitMaxMs >= 0, "realtimeWaitMaxMs must be at least 0");
        require(batchShare > 0 && batchShare <= 1, "batchShare must be above 0 and at most 1");
        require(
                batchShareMin > 0 && batchShareMin <= batchShare,
                "batchShareMin must be above 0 and at most batchShare: with none batch would never end");
    }

    private static void require(boolean right, String message) {
        if (!right) {
            throw new IllegalArgumentException(message);
        }
    }
}
