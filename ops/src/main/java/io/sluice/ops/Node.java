package io.sluice.ops;

/**
 * A process that serves.
 *
 * @param facts for whoever started it
 * @param onStop drains and closes everything, and returns when that is done
 */
record Node(Greeting.Facts facts, Runnable onStop) {
    /** Drains and closes everything; returns when that is done. */
    void stop() {
        onStop.run();
    }
}
