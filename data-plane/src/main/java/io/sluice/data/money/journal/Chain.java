package io.sluice.data.money.journal;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * How a record vouches for all before it: its hash is made of its bytes, among them the hash of the record before. It finds what a disk or a
 * person mixed up, not what somebody forged: no key is in it.
 */
enum Chain {
    /** The first 8 bytes of SHA-256 over the record: what releases wrote that knew segments of version 1 only. */
    SHA(1) {
        @Override
        long hash(ByteBuffer segment, int start) {
            try {
                MessageDigest sha = MessageDigest.getInstance("SHA-256");
                sha.update(
                        segment.duplicate().limit(Segment.end(segment, start)).position(start));
                return ByteBuffer.wrap(sha.digest()).getLong();
            } catch (NoSuchAlgorithmException everyPlatformMustHaveIt) {
                throw new IllegalStateException(everyPlatformMustHaveIt);
            }
        }
    },

    /** The record's crc32c, which covers the hash before it, mixed with that hash: 64 bits that cost nothing beyond the crc. */
    CRC(2) {
        @Override
        long hash(ByteBuffer segment, int start) {
            long mixed = Segment.prevHash(segment, start) ^ Segment.crcOf(segment, start) * 0x9E3779B97F4A7C15L;
            mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
            return mixed ^ mixed >>> 32;
        }
    };

    private final int version;

    Chain(int version) {
        this.version = version;
    }

    /** Of the segments that have it. */
    int version() {
        return version;
    }

    /** The hash of the valid record at {@code start}. */
    abstract long hash(ByteBuffer segment, int start);

    /** Null where this release knows no such version. */
    static Chain of(int version) {
        return version == SHA.version ? SHA : version == CRC.version ? CRC : null;
    }
}
