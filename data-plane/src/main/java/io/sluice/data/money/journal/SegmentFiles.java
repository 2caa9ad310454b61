package io.sluice.data.money.journal;

import java.io.IOException;
import java.util.List;

/**
 * The file system as the journal sees it: a small port, so that tests can fill the disk, cut a write short or fail an fsync at any
 * point. Segments are numbered from 1.
 */
public interface SegmentFiles {
    /** Numbers of the segments there are, ascending. Forgets segments whose making was cut off. */
    List<Long> list() throws IOException;

    /** An existing segment, for reading and writing. */
    SegmentFile open(long number) throws IOException;

    /**
     * Makes a segment of {@code bytes} zeros that begins with {@code head}. It is there whole, on the medium, or not at all: a
     * crash leaves nothing that {@link #list} would show.
     */
    SegmentFile create(long number, byte[] head, int bytes) throws IOException;

    void delete(long number) throws IOException;

    /** Where an operator finds a segment. */
    String nameOf(long number);
}
