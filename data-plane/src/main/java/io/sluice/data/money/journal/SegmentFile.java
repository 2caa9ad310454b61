package io.sluice.data.money.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One open file of the journal. Used by one thread at a time. */
public interface SegmentFile extends Closeable {
    /** Its length in bytes, with what was allocated and is not written yet. */
    long size() throws IOException;

    /** Reads at {@code position}, perhaps less than there is room for; -1 at the end. */
    int read(ByteBuffer into, long position) throws IOException;

    /** Writes at {@code position}, perhaps less than was given. */
    int write(ByteBuffer from, long position) throws IOException;

    /** Returns when everything written is on the medium. A failure says nothing about what is there. */
    void force() throws IOException;

    @Override
    void close() throws IOException;
}
