package io.sluice.data.money.journal;

import java.io.IOException;

/** A record that was acknowledged can not be read again. The message names segment and offset. */
public final class DamagedJournalException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient String segment;
    private final long offset;

    DamagedJournalException(String segment, long offset, String what) {
        super("the journal is damaged: segment " + segment + " at offset " + offset + ": " + what
                + "; nothing was changed. Restore the segment from a copy; or move the journal's directory away, and what was not"
                + " shipped from it is lost and the slices that this node held are burned");
        this.segment = segment;
        this.offset = offset;
    }

    /** Name of the segment. */
    public String segment() {
        return segment;
    }

    /** In bytes from the beginning of the segment. */
    public long offset() {
        return offset;
    }
}
