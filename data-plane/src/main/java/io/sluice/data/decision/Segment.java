package io.sluice.data.decision;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.json.RecordWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * One file of decision records, a JSON object a line, with the offsets of its lines and the hashes of their trace ids in
 * memory (16 bytes a record). The index of a file from before the process started is read at its first use. Owned by one
 * thread.
 */
final class Segment {
    private static final ObjectReader READER = RecordWriter.reader(DecisionRecord.class);

    /** Every line begins with it, since the trace id is the record's first member. */
    private static final String LINE_START = "{\"traceId\":\"";

    private static final int TRACE_CHARS = 32;

    private static final Pattern HEAD = Pattern.compile(Pattern.quote(LINE_START) + "[0-9a-f]{" + TRACE_CHARS + "}");

    private final Path file;
    private final long number;
    private long[] hashes = new long[64];
    private int[] offsets = new int[64];
    private int records;
    private int bytes;
    private boolean indexed;

    Segment(Path file, long number, boolean fresh) {
        this.file = file;
        this.number = number;
        indexed = fresh;
    }

    Path file() {
        return file;
    }

    /** Whether the file is still there. */
    boolean present() {
        return Files.exists(file);
    }

    long number() {
        return number;
    }

    int bytes() {
        return bytes;
    }

    int records() throws IOException {
        index();
        return records;
    }

    /** Notes a line that will be written at the end. */
    void add(long hash, int lineBytes) {
        if (records == hashes.length) {
            hashes = Arrays.copyOf(hashes, records * 2);
            offsets = Arrays.copyOf(offsets, records * 2);
        }
        hashes[records] = hash;
        offsets[records] = bytes;
        records++;
        bytes += lineBytes;
    }

    /** Tells trace ids apart, which are random. */
    static long hash(String traceId) {
        return HexFormat.fromHexDigitsToLong(traceId, 0, 16) * 31 + HexFormat.fromHexDigitsToLong(traceId, 16, 32);
    }

    /** The newest line with that trace id before line {@code below}, or -1. */
    int find(String traceId, int below) throws IOException {
        index();
        long wanted = hash(traceId);
        for (int i = Math.min(below, records) - 1; i >= 0; i--) {
            if (hashes[i] == wanted) {
                return i;
            }
        }
        return -1;
    }

    /** The bytes of line {@code i}, without its line feed. */
    String line(int i) throws IOException {
        index();
        int end = i + 1 < records ? offsets[i + 1] : bytes;
        ByteBuffer line = ByteBuffer.allocate(end - offsets[i] - 1);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (line.hasRemaining() && channel.read(line, offsets[i] + line.position()) >= 0) {
                // a read may bring less than was asked for
            }
        }
        int length = 0;
        while (length < line.position() && line.get(length) != '\n') {
            length++; // lines that are no records stand between, they are in nobody's index
        }
        return new String(line.array(), 0, length, StandardCharsets.UTF_8);
    }

    static DecisionRecord parse(String line) throws JsonProcessingException {
        return READER.readValue(line);
    }

    /** Forgets what was noted: the file may hold less of it, and is asked again. */
    void reread() {
        records = 0;
        bytes = 0;
        indexed = false;
    }

    /** Reads the index from the file. Lines that are no records are left out. A last line without line feed was cut by a crash and is left out. */
    private void index() throws IOException {
        if (indexed) {
            return;
        }
        byte[] all = Files.readAllBytes(file);
        indexed = true;
        int start = 0;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == '\n') {
                String head = new String(
                        all, start, Math.min(i - start, LINE_START.length() + TRACE_CHARS), StandardCharsets.UTF_8);
                if (HEAD.matcher(head).matches()) {
                    bytes = start;
                    add(hash(head.substring(LINE_START.length())), i + 1 - start);
                }
                start = i + 1;
            }
        }
    }
}
