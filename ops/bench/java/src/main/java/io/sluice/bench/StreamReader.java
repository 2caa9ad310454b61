package io.sluice.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads answers of chunked server-sent events from one connection, strictly enough to tell a whole stream from a cut one: status
 * 200, chunk framing, every content chunk, {@code data: [DONE]} before the last HTTP chunk. Not thread safe; belongs to the load's one thread.
 */
final class StreamReader {
    private static final byte[] DONE = "data: [DONE]".getBytes(StandardCharsets.US_ASCII);
    private static final int HEAD_BYTES_MAX = 16 * 1024;

    private enum Part {
        HEAD,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        LAST_LINE
    }

    private final SocketChannel channel;
    private final Tally tally;
    private final int chunksExpected;
    private final ByteBuffer in = ByteBuffer.allocate(64 * 1024);
    private final StringBuilder line = new StringBuilder();

    private Part part = Part.HEAD;
    private int chunkLeft;
    private boolean running;
    private int chunksSeen;
    private boolean doneSeen;
    private long askedNanos;
    private int signs;
    private int digits = -1;
    private long stamp;
    private int doneMatched;

    StreamReader(SocketChannel channel, Tally tally, int chunksExpected) {
        this.channel = channel;
        this.tally = tally;
        this.chunksExpected = chunksExpected;
    }

    SocketChannel channel() {
        return channel;
    }

    boolean running() {
        return running;
    }

    void asked(long nowNanos) {
        askedNanos = nowNanos;
        running = true;
        chunksSeen = 0;
        doneSeen = false;
        part = Part.HEAD;
        line.setLength(0);
    }

    void abandon() {
        running = false;
    }

    /** @return true when the stream has ended whole and the connection is free for the next request */
    boolean read() throws IOException {
        in.clear();
        int count = channel.read(in);
        if (count < 0) {
            if (!running) {
                throw new IOException("the server closed an idle connection");
            }
            throw new IOException("the stream was cut");
        }
        long now = System.nanoTime();
        boolean ended = false;
        for (int i = 0; i < count; i++) {
            ended |= take(in.get(i), now);
        }
        return ended;
    }

    private boolean take(byte next, long now) throws IOException {
        switch (part) {
            case HEAD -> head(next);
            case CHUNK_SIZE -> chunkSize(next);
            case CHUNK -> {
                body(next, now);
                if (--chunkLeft == 0) {
                    part = Part.CHUNK_END;
                }
            }
            case CHUNK_END -> {
                if (next == '\n') {
                    part = Part.CHUNK_SIZE;
                }
            }
            case LAST_LINE -> {
                if (next == '\n') {
                    return end();
                }
            }
        }
        return false;
    }

    private void head(byte next) throws IOException {
        line.append((char) next);
        int length = line.length();
        if (length > HEAD_BYTES_MAX) {
            throw new IOException("the answer's head is too long");
        }
        if (next == '\n' && length >= 4 && line.charAt(length - 3) == '\n') {
            String head = line.toString().toLowerCase(Locale.ROOT);
            if (!head.startsWith("http/1.1 200 ") || !head.contains("\r\ntransfer-encoding: chunked\r\n")) {
                throw new IOException(
                        "unexpected answer: " + head.lines().findFirst().orElse(""));
            }
            line.setLength(0);
            part = Part.CHUNK_SIZE;
        }
    }

    private void chunkSize(byte next) {
        if (next != '\n') {
            line.append((char) next);
            return;
        }
        chunkLeft = Integer.parseInt(line.toString().trim(), 16);
        line.setLength(0);
        part = chunkLeft == 0 ? Part.LAST_LINE : Part.CHUNK;
    }

    /** Looks for a stamp and for the closing event; both may be split over chunks. */
    private void body(byte next, long now) {
        if (digits >= 0) {
            stamp = stamp * 10 + (next - '0');
            if (++digits == Stamp.DIGITS) {
                digits = -1;
                seen(now);
            }
        } else if (next == '@') {
            if (++signs == 2) {
                signs = 0;
                digits = 0;
                stamp = 0;
            }
        } else {
            signs = 0;
        }
        doneMatched = next == DONE[doneMatched] ? doneMatched + 1 : (next == DONE[0] ? 1 : 0);
        if (doneMatched == DONE.length) {
            doneMatched = 0;
            doneSeen = true;
        }
    }

    private void seen(long now) {
        if (chunksSeen++ == 0) {
            tally.firstChunk(now - askedNanos, now - stamp);
        }
        tally.chunk(now - stamp);
    }

    private boolean end() throws IOException {
        if (!doneSeen) {
            throw new IOException("the stream ended without [DONE]");
        }
        if (chunksSeen != chunksExpected) {
            throw new IOException("the stream had " + chunksSeen + " chunks, not " + chunksExpected);
        }
        running = false;
        tally.ended();
        return true;
    }
}
