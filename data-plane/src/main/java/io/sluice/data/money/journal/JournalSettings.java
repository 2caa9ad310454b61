package io.sluice.data.money.journal;

/**
 * How the journal is laid out.
 *
 * @param segmentBytes length of a segment, allocated when it is begun, so that the disk is full at a change of segments and not
 *     in the middle of one
 * @param waitingMax records that may wait for the disk; above half of it {@link Journal#accepting} says no, at all of it the
 *     journal closes, since a settle may not be lost in silence
 */
public record JournalSettings(int segmentBytes, int waitingMax) {
    /** 16 MiB is 50,000 to 90,000 records; 65,536 waiting records are what a node makes in several seconds at full load. */
    public static final JournalSettings DEFAULT = new JournalSettings(16 << 20, 65_536);

    public JournalSettings {
        if (segmentBytes < Segment.BYTES_MIN) {
            throw new IllegalArgumentException("a segment has at least " + Segment.BYTES_MIN + " bytes");
        }
        if (waitingMax < 2) {
            throw new IllegalArgumentException("at least two records may wait");
        }
    }
}
