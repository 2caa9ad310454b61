package io.sluice.data.money.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Journals of short texts. */
final class Texts {
    static final JournalSettings SMALL = new JournalSettings(Segment.BYTES_MIN, 10_000);

    private Texts() {}

    /** One record of the journal. */
    record Text(String text) implements Body {
        @Override
        public byte type() {
            return 1;
        }

        @Override
        public void writeTo(ByteBuffer out) {
            out.put(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    static String text(JournalRecord entry) {
        return StandardCharsets.UTF_8.decode(entry.payload()).toString();
    }

    static Journal open(SegmentFiles files) throws IOException {
        return Journal.open(files, SMALL, found -> {}, Summary.NONE, cause -> {});
    }

    /** What the next life of the process finds. */
    static List<String> found(SegmentFiles files) throws IOException {
        List<String> found = new ArrayList<>();
        Journal.open(files, SMALL, entry -> found.add(text(entry)), Summary.NONE, cause -> {})
                .close();
        return found;
    }

    static long now(CompletionStage<Long> done) throws Exception {
        return done.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    /** Each text in a write of its own. */
    static void write(SegmentFiles files, String... texts) throws Exception {
        try (Journal journal = open(files)) {
            for (String text : texts) {
                now(journal.append(new Text(text)));
            }
        }
    }

    /** Where the records of a segment begin, and where the last one ends. */
    static List<Integer> offsets(byte[] segment) {
        ByteBuffer bytes = ByteBuffer.wrap(segment);
        List<Integer> offsets = new ArrayList<>(List.of(Segment.HEAD_BYTES));
        while (Segment.validAt(bytes, offsets.get(offsets.size() - 1))) {
            offsets.add(Segment.end(bytes, offsets.get(offsets.size() - 1)));
        }
        return offsets;
    }
}
