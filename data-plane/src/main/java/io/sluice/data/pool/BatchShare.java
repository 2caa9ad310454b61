package io.sluice.data.pool;

/**
 * Which share of a pool's permits batch may hold (requirement B3): all but the last ones while real-time asks for none, half
 * while it does, and less, down to a minimum, while real-time waits longer than it should. So the real-time lane widens under
 * load and gives back what it does not use.
 *
 * @param share 0 to 1
 * @param wantedMs when real-time last waited
 */
record BatchShare(QueueSettings settings, double share, long wantedMs) {
    /** Requirement B3: above this, 95th percentile, the real-time lane widens. */
    static final double WAIT_MAX_MS = 100;

    /** How long real-time must not have waited before batch may have everything again. */
    static final long UNWANTED_MS = 5_000;

    /** Per step; from half to a tenth in four. */
    private static final double STEP = 0.1;

    static BatchShare of(QueueSettings settings) {
        return new BatchShare(settings, 1, Long.MIN_VALUE / 2);
    }

    /**
     * After one step of time.
     *
     * @param waitP95Ms 95th percentile of the waits that real-time requests ended since the last step; negative where none did
     * @param waiting whether any still waits
     */
    BatchShare next(double waitP95Ms, boolean waiting, long nowMs) {
        if (waitP95Ms < 0 && !waiting) {
            return nowMs - wantedMs >= UNWANTED_MS ? new BatchShare(settings, 1, wantedMs) : this;
        }
        double claimed = Math.min(share, settings.batchShare());
        double next = waitP95Ms > WAIT_MAX_MS
                ? Math.max(settings.batchShareMin(), claimed - STEP)
                : waitP95Ms >= 0 && waitP95Ms < WAIT_MAX_MS / 2
                        ? Math.min(settings.batchShare(), claimed + STEP)
                        : claimed;
        return new BatchShare(settings, next, nowMs);
    }
}
