package io.sluice.data.recall;

/**
 * Limits of the exact cache of one node.
 *
 * @param bytesMax all answers together
 * @param tenantShare of {@code bytesMax} that one tenant's answers may take, above 0 and at most 1
 * @param answerBytesMax of one answer; larger ones are not kept
 */
public record CacheSettings(long bytesMax, double tenantShare, int answerBytesMax) {
    /** An eighth of the smallest heap that is recommended; some ten thousand usual answers. */
    public static final CacheSettings DEFAULT = new CacheSettings(64L << 20, 0.5, 1 << 20);
}
