package io.sluice.tenants.shift;

/**
 * What one target's weight is multiplied with in one scenario, because it is slow there (requirement F3).
 *
 * @param weight 0 (no new requests) to below 1
 * @param heldUntilMs until then the weight stays; afterwards it rises
 */
public record Slowdown(double weight, long heldUntilMs) {
    public Slowdown {
        if (!(weight >= 0 && weight < 1)) {
            throw new IllegalArgumentException("a slowed target has a weight from 0 to below 1: " + weight);
        }
    }
}
