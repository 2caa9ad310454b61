package io.sluice.data.money.journal;

import java.nio.ByteBuffer;

/** What one record holds. Immutable: it is written by the journal's thread, some time after it was handed over. */
public interface Body {
    /** Which kind of record it is: 1 to 127. */
    byte type();

    /** Puts the payload, at most {@link Segment#PAYLOAD_BYTES_MAX} bytes. */
    void writeTo(ByteBuffer out);
}
