package io.sluice.data.upstream;

/**
 * What an upstream may do at most.
 *
 * @param wholeBytesMax a longer whole answer is cut (bad-input row 75)
 * @param headerBytesMax all response headers together (row 74)
 * @param connectMs for a connection to be made
 * @param connectionsMax per origin and event loop; permits are what bounds calls, this only backs them
 * @param keepAliveS idle connections are kept this long
 * @param lingerMs after the end of a stream's events, for the upstream to end the HTTP message by itself, so that the
 *     connection can be used again; then it is cut (case ST05)
 */
public record UpstreamLimits(
        long wholeBytesMax, int headerBytesMax, int connectMs, int connectionsMax, int keepAliveS, long lingerMs) {
    public static final UpstreamLimits DEFAULT = new UpstreamLimits(32L << 20, 16 << 10, 2_000, 4_096, 60, 100);
}
