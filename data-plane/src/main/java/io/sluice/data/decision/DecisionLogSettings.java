package io.sluice.data.decision;

import java.nio.file.Path;

/**
 * Where decision records are kept and how many.
 *
 * @param directory made if absent
 * @param segmentBytesMax a segment is closed when it is longer
 * @param totalBytesMax the oldest segments are deleted above this
 * @param retainedDaysMax older segments are deleted
 * @param queueMax records waiting to be written; more are dropped and counted, so that a slow disk never slows requests
 */
public record DecisionLogSettings(
        Path directory, int segmentBytesMax, long totalBytesMax, int retainedDaysMax, int queueMax) {
    /** A record is about 1.5 KB: 512 MiB hold some 350,000 requests. */
    public static DecisionLogSettings in(Path directory) {
        return new DecisionLogSettings(directory, 16 << 20, 512L << 20, 30, 65_536);
    }
}
