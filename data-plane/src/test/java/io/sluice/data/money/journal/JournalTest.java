package io.sluice.data.money.journal;

import static io.sluice.data.money.journal.Texts.SMALL;
import static io.sluice.data.money.journal.Texts.found;
import static io.sluice.data.money.journal.Texts.now;
import static io.sluice.data.money.journal.Texts.open;
import static io.sluice.data.money.journal.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.data.money.journal.Texts.Text;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class JournalTest {
    private final MemoryFiles files = new MemoryFiles();

    private static List<String> numbered(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> "record " + i + " " + "x".repeat(i % 300))
                .toList();
    }

    private static List<CompletionStage<Long>> appendAll(Journal journal, List<String> texts) {
        return texts.stream().map(text -> journal.append(new Text(text))).toList();
    }

    @Test
    void findsEveryAcknowledgedRecordInItsOrderOverManySegments() throws Exception {
        List<String> texts = numbered(3_000);
        try (Journal journal = open(files)) {
            List<CompletionStage<Long>> done = appendAll(journal, texts);
            assertThat(now(done.get(2_999))).isEqualTo(3_000);
        }
        assertThat(found(files)).isEqualTo(texts);
        assertThat(files.contents.keySet()).hasSizeGreaterThan(3);
    }

    @Test
    void goesOnWithTheNextNumberAfterARestart() throws Exception {
        Texts.write(files, "a", "b");
        Texts.write(files, "c");
        try (Journal journal = open(files)) {
            assertThat(now(journal.append(new Text("d")))).isEqualTo(4);
        }
        assertThat(found(files)).containsExactly("a", "b", "c", "d");
    }

    @Test
    void writesWhatWaitsTogether() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        files.onForce = () -> await(first);
        try (Journal journal = open(files)) {
            List<CompletionStage<Long>> done = appendAll(journal, numbered(200));
            first.countDown();
            now(done.get(199));
        }
        assertThat(files.forces.get()).isLessThanOrEqualTo(3);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    @Test
    void keepsTheOrderOfEachOfManyThreads() throws Exception {
        try (Journal journal = open(files)) {
            Set<Long> seqs = ConcurrentHashMap.newKeySet();
            List<Thread> threads = IntStream.range(0, 4)
                    .mapToObj(t -> new Thread(() -> IntStream.range(0, 500)
                            .forEach(i -> journal.append(new Text(t + ":" + i)).thenAccept(seqs::add))))
                    .toList();
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            now(journal.append(new Text("last")));
            assertThat(seqs).hasSize(2_000);
        }
        List<String> found = found(files);
        for (int t = 0; t < 4; t++) {
            String own = t + ":";
            assertThat(found.stream().filter(text -> text.startsWith(own)))
                    .containsExactlyElementsOf(
                            IntStream.range(0, 500).mapToObj(i -> own + i).toList());
        }
    }

    @Test
    void losesNothingToShortWrites() throws Exception {
        files.writeBytesMax = 7;
        Texts.write(files, "a longer text than seven bytes", "another one");
        assertThat(found(files)).containsExactly("a longer text than seven bytes", "another one");
    }

    @Test
    void refusesATooLongRecordAndTakesTheOthers() throws Exception {
        try (Journal journal = open(files)) {
            CompletionStage<Long> before = journal.append(new Text("before"));
            CompletionStage<Long> tooLong = journal.append(new Text("x".repeat(Segment.PAYLOAD_BYTES_MAX + 1)));
            CompletionStage<Long> after = journal.append(new Text("after"));
            assertThat(now(before)).isEqualTo(1);
            assertThat(now(after)).isEqualTo(2);
            assertThatThrownBy(() -> now(tooLong))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IllegalArgumentException.class);
        }
        assertThat(found(files)).containsExactly("before", "after");
    }

    @Test
    void tellsOfRecordsThatNobodyWaitsForInTheirOrder() throws Exception {
        CompletableFuture<Long> last = new CompletableFuture<>();
        List<Long> seqs = new CopyOnWriteArrayList<>();
        try (Journal journal = open(files)) {
            for (String text : numbered(50)) {
                journal.append(new Text(text), (seq, why) -> seqs.add(seq));
            }
            journal.append(new Text("last"), (seq, why) -> last.complete(seq));
            assertThat(now(last)).isEqualTo(51);
            assertThat(journal.durableSeq()).isEqualTo(51);
        }
        assertThat(seqs).isEqualTo(LongStream.rangeClosed(1, 50).boxed().toList());
    }

    @Test
    void tellsOfEachRecordThatIsLostThoughNobodyWaitsForIt() throws Exception {
        CompletableFuture<Throwable> lost = new CompletableFuture<>();
        CompletableFuture<Throwable> tooLong = new CompletableFuture<>();
        CompletableFuture<Throwable> later = new CompletableFuture<>();
        try (Journal journal = open(files)) {
            journal.append(new Text("x".repeat(Segment.PAYLOAD_BYTES_MAX + 1)), (seq, why) -> tooLong.complete(why));
            assertThat(tooLong.get(20, TimeUnit.SECONDS)).isInstanceOf(IllegalArgumentException.class);
            files.forceFails = true;
            journal.append(new Text("lost"), (seq, why) -> lost.complete(why));
            assertThat(lost.get(20, TimeUnit.SECONDS)).isInstanceOf(JournalClosedException.class);
            journal.append(new Text("later"), (seq, why) -> later.complete(why));
            assertThat(later.get(20, TimeUnit.SECONDS)).isInstanceOf(JournalClosedException.class);
        }
    }

    @Test
    void isFollowedByEveryRecordThatIsOnDisk() throws Exception {
        Texts.write(files, "before");
        List<String> followed = new CopyOnWriteArrayList<>();
        Journal journal = Journal.open(
                files,
                SMALL,
                entry -> {},
                Summary.NONE,
                lastSeq -> {
                    followed.add("after " + lastSeq);
                    return (seq, body) -> followed.add(seq + " " + ((Text) body).text());
                },
                cause -> {});
        try (journal) {
            now(journal.append(new Text("one")));
            now(journal.append(new Text("two")));
        }
        assertThat(followed).containsExactly("after 1", "2 one", "3 two");
    }

    @Test
    void takesTheLongestRecord() throws Exception {
        String longest = "x".repeat(Segment.PAYLOAD_BYTES_MAX);
        Texts.write(files, longest, "next", longest);
        assertThat(found(files)).containsExactly(longest, "next", longest);
    }

    @Test
    void closesForGoodWhenAForceFails() throws Exception {
        List<JournalClosedException> heard = new CopyOnWriteArrayList<>();
        Texts.write(files, "kept");
        try (Journal journal = Journal.open(files, SMALL, entry -> {}, Summary.NONE, heard::add)) {
            files.forceFails = true;
            CompletionStage<Long> lost = journal.append(new Text("lost"));
            assertThatThrownBy(() -> now(lost))
                    .hasCauseInstanceOf(JournalClosedException.class)
                    .hasMessageContaining("Input/output error");
            files.forceFails = false;
            int forces = files.forces.get();
            int writes = files.writes.get();
            assertThatThrownBy(() -> now(journal.append(new Text("later"))))
                    .hasCauseInstanceOf(JournalClosedException.class);
            assertThat(journal.accepting()).isFalse();
            assertThat(heard).containsExactly(journal.closedBy());
            assertThat(files.forces.get()).isEqualTo(forces);
            assertThat(files.writes.get()).isEqualTo(writes);
        }
        assertThat(found(files.copy())).startsWith("kept").doesNotContain("later");
    }

    @Test
    void closesForGoodOnAFullDiskAndKeepsWhatItAcknowledged() throws Exception {
        List<JournalClosedException> heard = new CopyOnWriteArrayList<>();
        List<String> acknowledged = new ArrayList<>();
        files.segmentsMax = 2;
        try (Journal journal = Journal.open(files, SMALL, entry -> {}, Summary.NONE, heard::add)) {
            for (String text : numbered(3_000)) {
                CompletionStage<Long> done = journal.append(new Text(text));
                done.thenAccept(seq -> acknowledged.add(text));
            }
            CompletionStage<Long> later = journal.append(new Text("later"));
            assertThatThrownBy(() -> now(later)).hasMessageContaining("No space left on device");
        }
        assertThat(heard).hasSize(1);
        assertThat(acknowledged).isNotEmpty();
        assertThat(found(files)).startsWith(acknowledged.toArray(String[]::new));
    }

    @Test
    void keepsWhatItAcknowledgedAtWhateverByteTheDiskIsFull() throws Exception {
        for (int bytes = 0; bytes < 200; bytes++) {
            MemoryFiles full = new MemoryFiles();
            full.bytesLeft.set(bytes);
            List<String> acknowledged = new ArrayList<>();
            try (Journal journal = open(full)) {
                for (String text : List.of("one", "two", "three", "four", "five", "six", "seven", "eight")) {
                    try {
                        now(journal.append(new Text(text)));
                        acknowledged.add(text);
                    } catch (ExecutionException expected) {
                        assertThat(expected).hasCauseInstanceOf(JournalClosedException.class);
                    }
                }
            }
            full.bytesLeft.set(Long.MAX_VALUE);
            assertThat(found(full)).as("room for %s bytes", bytes).isEqualTo(acknowledged);
        }
    }

    @Test
    void refusesNewSpendersWhenTheDiskFallsBehindAndClosesBeforeMemoryIsFull() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        files.onForce = () -> await(stuck);
        List<JournalClosedException> heard = new CopyOnWriteArrayList<>();
        JournalSettings few = new JournalSettings(Segment.BYTES_MIN, 10);
        try (Journal journal = Journal.open(files, few, entry -> {}, Summary.NONE, heard::add)) {
            for (int i = 0; i < 6; i++) {
                journal.append(new Text("waits"));
            }
            assertThat(journal.accepting()).isFalse();
            assertThat(heard).isEmpty();
            for (int i = 0; i < 5; i++) {
                journal.append(new Text("waits"));
            }
            assertThat(heard)
                    .singleElement()
                    .satisfies(cause -> assertThat(cause).hasMessageContaining("10 records waited"));
            stuck.countDown();
        }
    }

    @Test
    void refusesWhatComesAfterItsEnd() throws Exception {
        Journal journal = open(files);
        journal.close();
        assertThatThrownBy(() -> now(journal.append(new Text("late"))))
                .hasCauseInstanceOf(JournalClosedException.class);
    }

    @Test
    void writesWhatWaitsBeforeItEnds() throws Exception {
        List<String> texts = numbered(500);
        Journal journal = open(files);
        appendAll(journal, texts);
        journal.close();
        assertThat(found(files)).isEqualTo(texts);
    }

    @Test
    void readersGetEveryRecordFromWhereTheyBegin() throws Exception {
        List<String> texts = numbered(2_000);
        try (Journal journal = open(files)) {
            now(appendAll(journal, texts).get(1_999));
            JournalReader reader = journal.reader(700);
            List<String> read = new ArrayList<>();
            for (List<JournalRecord> some = reader.next(64); !some.isEmpty(); some = reader.next(64)) {
                some.forEach(entry -> read.add(text(entry)));
            }
            assertThat(read).isEqualTo(texts.subList(700, 2_000));
            now(journal.append(new Text("new")));
            assertThat(reader.next(64)).singleElement().satisfies(entry -> {
                assertThat(text(entry)).isEqualTo("new");
                assertThat(entry.seq()).isEqualTo(2_001);
            });
        }
    }

    @Test
    void readersNeverSeeWhatIsNotOnDisk() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch writing = new CountDownLatch(1);
        try (Journal journal = open(files)) {
            files.onForce = () -> {
                writing.countDown();
                await(stuck);
            };
            CompletionStage<Long> done = journal.append(new Text("a"));
            await(writing);
            JournalReader reader = journal.reader(0);
            assertThat(reader.next(10)).isEmpty();
            stuck.countDown();
            now(done);
            assertThat(reader.next(10)).hasSize(1);
        }
    }

    @Test
    void forgetsSegmentsOfWhichEveryRecordIsOlder() throws Exception {
        List<String> texts = numbered(2_000);
        try (Journal journal = open(files)) {
            now(appendAll(journal, texts).get(1_999));
            int before = files.contents.size();
            int deleted = journal.forget(1_000);
            assertThat(deleted).isPositive();
            assertThat(files.contents.keySet()).hasSize(before - deleted);
            List<JournalRecord> first = journal.reader(0).next(1);
            assertThat(first.get(0).seq()).isBetween(2L, 1_000L);
            assertThat(text(first.get(0)))
                    .isEqualTo(texts.get((int) first.get(0).seq() - 1));
        }
        List<String> kept = found(files);
        assertThat(kept).isEqualTo(texts.subList(2_000 - kept.size(), 2_000));
    }

    @Test
    void keepsTheNewestSegmentWhateverIsForgotten() throws Exception {
        try (Journal journal = open(files)) {
            now(journal.append(new Text("a")));
            assertThat(journal.forget(Long.MAX_VALUE)).isZero();
        }
        assertThat(found(files)).containsExactly("a");
    }

    @Test
    void tellsWhenARecordThatWasReadableIsNotAnyMore() throws Exception {
        try (Journal journal = open(files)) {
            now(journal.append(new Text("a")));
            files.contents.get(1L)[Segment.HEAD_BYTES + 20] ^= 1;
            assertThatThrownBy(() -> journal.reader(0).next(1))
                    .isInstanceOf(DamagedJournalException.class)
                    .hasMessageContaining("segment-1")
                    .hasMessageContaining("offset " + Segment.HEAD_BYTES);
        }
    }

    @Test
    void givesTheTypeBackAsItWas() throws Exception {
        Body typed = new Body() {
            @Override
            public byte type() {
                return 127;
            }

            @Override
            public void writeTo(ByteBuffer out) {
                // no payload
            }
        };
        List<JournalRecord> found = new ArrayList<>();
        try (Journal journal = open(files)) {
            now(journal.append(typed));
        }
        Journal.open(files, SMALL, found::add, Summary.NONE, cause -> {}).close();
        assertThat(found).singleElement().satisfies(entry -> {
            assertThat(entry.type()).isEqualTo((byte) 127);
            assertThat(entry.payload().remaining()).isZero();
        });
    }
}
