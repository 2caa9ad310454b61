package io.sluice.data.request;

/**
 * Limits of requests.
 *
 * @param bodyBytesMax longest body
 * @param bodyTimeoutMs for a body to arrive
 * @param clientStallMs a caller who reads nothing for this long is cut off
 */
public record PipelineSettings(long bodyBytesMax, long bodyTimeoutMs, long clientStallMs) {
    public static final PipelineSettings DEFAULT = new PipelineSettings(32L << 20, 15_000, 30_000);
}
