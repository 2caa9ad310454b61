package io.sluice.data.recall;

/**
 * Limits of what is remembered.
 *
 * @param ttlMs a record is kept this long after its request came
 * @param bytesMax all records together; beyond it the oldest answers go of the tenant that keeps most
 * @param answerBytesMax of one answer; of a larger one only a note is kept
 * @param waitMsMax longest wait for the first request under the same key
 * @param waitersMax requests of a node that wait for others
 */
public record RecallSettings(long ttlMs, long bytesMax, int answerBytesMax, long waitMsMax, int waitersMax) {
    /** 24 hours, as Stripe keeps its keys; a gibibyte holds half a million usual answers. */
    public static final RecallSettings DEFAULT = new RecallSettings(24 * 3_600_000L, 1L << 30, 4 << 20, 30_000, 4_096);
}
