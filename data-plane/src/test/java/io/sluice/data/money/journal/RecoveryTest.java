package io.sluice.data.money.journal;

import static io.sluice.data.money.journal.Texts.found;
import static io.sluice.data.money.journal.Texts.now;
import static io.sluice.data.money.journal.Texts.offsets;
import static io.sluice.data.money.journal.Texts.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.data.money.journal.Texts.Text;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the journal makes of a disk that holds something else than it wrote. */
class RecoveryTest {
    private final MemoryFiles files = new MemoryFiles();

    /** One segment of five records, each written alone. */
    private byte[] fiveRecords() throws Exception {
        Texts.write(files, "one", "two", "three", "four", "five");
        return files.contents.get(1L);
    }

    private static DamagedJournalException refused(MemoryFiles files) {
        return catchThrowableOfType(DamagedJournalException.class, () -> found(files));
    }

    @Test
    void cutsATornTailOffAtEachLength() throws Exception {
        byte[] whole = fiveRecords();
        List<Integer> offsets = offsets(whole);
        int last = offsets.get(4);
        for (int kept = 0; kept < offsets.get(5) - last; kept++) {
            MemoryFiles torn = files.copy();
            byte[] bytes = torn.contents.get(1L);
            Arrays.fill(bytes, last + kept, offsets.get(5), (byte) 0);
            try (Journal journal = open(torn)) {
                assertThat(journal.tornBytes() > 0).as("%s bytes kept", kept).isEqualTo(used(whole, last, kept));
                assertThat(now(journal.append(new Text("again")))).isEqualTo(5);
            }
            assertThat(found(torn)).as("%s bytes kept", kept).containsExactly("one", "two", "three", "four", "again");
        }
    }

    /** Whether any of the bytes that were kept is no zero. */
    private static boolean used(byte[] whole, int from, int count) {
        return IntStream.range(from, from + count).anyMatch(at -> whole[at] != 0);
    }

    @Test
    void cutsTheTailOffWhicheverOfItsBitsIsWrong() throws Exception {
        List<Integer> offsets = offsets(fiveRecords());
        for (int at = offsets.get(4); at < offsets.get(5); at++) {
            for (int bit = 0; bit < 8; bit++) {
                MemoryFiles wrong = files.copy();
                wrong.contents.get(1L)[at] ^= (byte) (1 << bit);
                try (Journal journal = open(wrong)) {
                    assertThat(journal.tornBytes())
                            .as("byte %s bit %s", at, bit)
                            .isPositive();
                }
                assertThat(found(wrong)).containsExactly("one", "two", "three", "four");
            }
        }
    }

    @Test
    void refusesToStartWhicheverBitInTheMiddleIsWrong() throws Exception {
        List<Integer> offsets = offsets(fiveRecords());
        for (int i = 0; i < 4; i++) {
            for (int at = offsets.get(i); at < offsets.get(i + 1); at++) {
                MemoryFiles wrong = files.copy();
                wrong.contents.get(1L)[at] ^= (byte) (1 << at % 8);
                DamagedJournalException refusal = refused(wrong);
                assertThat(refusal.segment()).isEqualTo("segment-1");
                assertThat(refusal.offset()).isEqualTo(offsets.get(i).longValue());
                assertThat(refusal).hasMessageContaining("segment-1 at offset " + offsets.get(i));
            }
        }
    }

    @Test
    void changesNothingWhereItRefuses() throws Exception {
        fiveRecords();
        files.contents.get(1L)[Segment.HEAD_BYTES + 5] ^= 1;
        byte[] before = files.contents.get(1L).clone();
        assertThatThrownBy(() -> found(files)).isInstanceOf(DamagedJournalException.class);
        assertThat(files.contents.get(1L)).isEqualTo(before);
    }

    @Test
    void refusesADamagedTailOfASegmentThatIsNotTheLast() throws Exception {
        manySegments();
        List<Integer> offsets = offsets(files.contents.get(1L));
        int last = offsets.get(offsets.size() - 2);
        files.contents.get(1L)[last + 30] ^= 1;
        assertThat(refused(files).offset()).isEqualTo(last);
    }

    private void manySegments() throws Exception {
        try (Journal journal = open(files)) {
            for (int i = 0; i < 1_000; i++) {
                journal.append(new Text("x".repeat(200)));
            }
        }
        assertThat(files.contents.keySet()).hasSizeGreaterThan(2);
    }

    @Test
    void refusesASegmentWhoseTailIsMissingWithoutATrace() throws Exception {
        manySegments();
        List<Integer> offsets = offsets(files.contents.get(1L));
        byte[] bytes = files.contents.get(1L);
        Arrays.fill(bytes, offsets.get(offsets.size() - 2), bytes.length, (byte) 0);
        assertThat(refused(files).segment()).isEqualTo("segment-2");
    }

    @Test
    void refusesWhereASegmentInTheMiddleIsMissing() throws Exception {
        manySegments();
        files.contents.remove(2L);
        assertThat(refused(files).segment()).isEqualTo("segment-3");
    }

    @Test
    void refusesADamagedHead() throws Exception {
        fiveRecords();
        for (int at = 0; at < Segment.HEAD_BYTES; at++) {
            MemoryFiles wrong = files.copy();
            wrong.contents.get(1L)[at] ^= 1;
            assertThat(refused(wrong).offset()).isZero();
        }
    }

    @Test
    void refusesARecordOfAnotherJournal() throws Exception {
        byte[] own = fiveRecords();
        MemoryFiles others = new MemoryFiles();
        Texts.write(others, "One", "two", "three", "four", "five");
        List<Integer> offsets = offsets(own);
        System.arraycopy(others.contents.get(1L), offsets.get(4), own, offsets.get(4), offsets.get(5) - offsets.get(4));
        assertThat(refused(files).offset()).isEqualTo(offsets.get(4).longValue());
    }

    @Test
    void cutsAWriteOfManyRecordsOffOfWhichOnlyTheEndIsMissing() throws Exception {
        List<Integer> offsets = oneWriteOfFive();
        byte[] bytes = files.contents.get(1L);
        Arrays.fill(bytes, offsets.get(1), offsets.get(2), (byte) 0); // pages reach a disk in any order
        Arrays.fill(bytes, offsets.get(4), offsets.get(5), (byte) 0);
        assertThat(found(files)).containsExactly("one");
        assertThat(found(files)).containsExactly("one");
    }

    @Test
    void refusesAWriteOfManyRecordsOfWhichTheEndIsThere() throws Exception {
        List<Integer> offsets = oneWriteOfFive();
        Arrays.fill(files.contents.get(1L), offsets.get(1), offsets.get(2), (byte) 0);
        assertThat(refused(files).offset()).isEqualTo(offsets.get(1).longValue());
    }

    /** As one write of the journal leaves them. */
    private List<Integer> oneWriteOfFive() throws Exception {
        Texts.write(files);
        ByteBuffer bytes = ByteBuffer.wrap(files.contents.get(1L)).position(Segment.HEAD_BYTES);
        long hash = Segment.START;
        int start = 0;
        long seq = 0;
        for (String text : List.of("one", "two", "three", "four", "five")) {
            start = bytes.position();
            hash = Segment.put(bytes, ++seq, hash, new Text(text), Segment.CHAIN);
        }
        Segment.markLast(bytes, start, Segment.CHAIN);
        return offsets(files.contents.get(1L));
    }

    /** As the release before wrote it: its chain is another one. */
    private void firstVersion(String... texts) throws Exception {
        Texts.write(files);
        Segment.Head now = Segment.head(ByteBuffer.wrap(files.contents.get(1L)));
        ByteBuffer bytes = ByteBuffer.wrap(files.contents.get(1L))
                .put(Segment.head(new Segment.Head(Chain.SHA, now.journal(), 1, 1, Segment.START)));
        long hash = Segment.START;
        long seq = 0;
        for (String text : texts) {
            int start = bytes.position();
            Segment.put(bytes, ++seq, hash, new Text(text), Chain.SHA);
            hash = Segment.markLast(bytes, start, Chain.SHA);
        }
    }

    @Test
    void goesOnBehindSegmentsOfTheReleaseBefore() throws Exception {
        firstVersion("one", "two");
        Texts.write(files, "three");
        Texts.write(files, "four");
        assertThat(found(files)).containsExactly("one", "two", "three", "four");
        assertThat(files.contents).hasSize(2);
        assertThat(files.contents.get(1L)[7]).isEqualTo((byte) 1);
        assertThat(files.contents.get(2L)[7]).isEqualTo((byte) 2);
    }

    @Test
    void refusesToStartWhereASegmentOfTheReleaseBeforeIsDamaged() throws Exception {
        firstVersion("one", "two");
        Texts.write(files, "three");
        files.contents.get(1L)[offsets(files.contents.get(1L)).get(1) + 30] ^= 1;
        assertThat(refused(files).segment()).isEqualTo("segment-1");
    }

    @Test
    void refusesARecordThatIsWholeAndOfAnotherJournal() throws Exception {
        for (Chain chain : Chain.values()) {
            long one = Segment.put(ByteBuffer.allocate(200), 1, Segment.START, new Text("one"), chain);
            long other = Segment.put(ByteBuffer.allocate(200), 1, Segment.START, new Text("onf"), chain);
            assertThat(one).isNotEqualTo(other);
        }
    }

    @Test
    void cutsOffWhatStandsFarBehindTheEnd() throws Exception {
        byte[] bytes = fiveRecords();
        bytes[bytes.length - 1] = 1;
        try (Journal journal = open(files)) {
            assertThat(journal.tornBytes())
                    .isEqualTo(bytes.length - offsets(bytes).get(5));
        }
        assertThat(bytes[bytes.length - 1]).isZero();
    }
}
