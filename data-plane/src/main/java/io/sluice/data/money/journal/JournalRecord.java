package io.sluice.data.money.journal;

import java.nio.ByteBuffer;

/**
 * One record as it is on disk.
 *
 * @param seq 1 for the first of all; the next has the next number, over segments and restarts
 * @param payload read-only
 */
public record JournalRecord(long seq, byte type, ByteBuffer payload) {
    public JournalRecord {
        payload = payload.asReadOnlyBuffer();
    }

    /** From its beginning, whoever read it before. */
    @Override
    public ByteBuffer payload() {
        return payload.duplicate().rewind();
    }
}
