package io.sluice.data.money.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.slf4j.LoggerFactory;

/**
 * An append-only journal of one node.
 * <ol>
 *   <li>When the future of {@link #append} succeeds, the record survives kill -9 and a loss of power; records are on disk in the
 *       order in which they were handed over.
 *   <li>One thread of its own writes: everything that waits goes with one write and one {@code force}, and then its futures complete,
 *       on that thread. {@code append} takes no lock and never waits. A record that somebody waits for is on disk within some 5 ms,
 *       others within 25.
 *   <li>After a failed write, a failed force, a full disk or too many waiting records the journal is closed for good: everything that
 *       waits fails, so does every later append, and the listener hears why, once. Nothing is tried again: what a disk kept after a
 *       failed force, nobody knows.
 *   <li>Opening it again finds every acknowledged record, or fails and names segment and offset.
 * </ol>
 * Thread-safe.
 */
public final class Journal implements AutoCloseable {
    /** Bounds the memory of one round. */
    private static final int BATCH_MAX = 4_096;

    private static final long STOP_MS_MAX = 10_000;

    /**
     * Between two writes where somebody waits. Long enough that a busy node makes hundreds of forces a second and not thousands, which
     * would take a core; short enough that a record is on disk within 5 ms.
     */
    private static final long PAUSE_NS = 2_000_000;

    /** Between two writes where nobody waits: a force costs as much as some hundred records, and what a crash takes of them is burned. */
    private static final long REST_NS = 20_000_000;

    private final SegmentFiles files;
    private final JournalSettings settings;
    private final Summary summary;
    private final Consumer<JournalClosedException> onClosed;
    private final NavigableMap<Long, Long> numbers;
    private final JournalWriter writer;
    private final Follower follower;
    private final long tornBytes;
    private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicReference<JournalClosedException> closed = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean parked;
    private volatile boolean awaited;
    private volatile boolean stopping;
    private volatile long durableSeq;
    private volatile long neededFrom;

    /** Hears how it went with one record, once. */
    @FunctionalInterface
    public interface Ack {
        /**
         * On the journal's thread, or where the journal is closed on that of whoever appends.
         *
         * @param seq of the record; of no meaning where it is not known to be on disk
         * @param why it is not; null where it is
         */
        void ended(long seq, Throwable why);
    }

    /** Hears of every record when it is on disk, in their order, on the journal's thread: it is to be quick, and not to fail. */
    @FunctionalInterface
    public interface Follower {
        void durable(long seq, Body body);
    }

    private record Waiting(Body body, Ack ack) {}

    private Journal(
            SegmentFiles files,
            JournalSettings settings,
            Recovery.Found found,
            Summary summary,
            LongFunction<Follower> follower,
            Consumer<JournalClosedException> onClosed)
            throws IOException {
        this.files = files;
        this.settings = settings;
        this.summary = summary;
        this.onClosed = onClosed;
        numbers = new ConcurrentSkipListMap<>(found.numbers());
        writer = new JournalWriter(files, settings.segmentBytes(), found, numbers);
        durableSeq = found.lastSeq();
        this.follower = follower.apply(durableSeq);
        tornBytes = found.tornBytes();
        thread = new Thread(this::run, "sluice-journal");
        thread.setDaemon(true);
    }

    /**
     * Opens the journal in {@code files}, or makes it. Blocks while it reads all of it: not for event loops.
     *
     * @param replay hears every record there is, oldest first, before this returns
     * @param summary has read them by then
     * @param follower is made with the seq of the last record there is; 0 where there is none
     * @param onClosed hears once, on any thread, that the journal closed itself
     * @throws DamagedJournalException where a record that was acknowledged can not be read
     */
    public static Journal open(
            SegmentFiles files,
            JournalSettings settings,
            Consumer<JournalRecord> replay,
            Summary summary,
            LongFunction<Follower> follower,
            Consumer<JournalClosedException> onClosed)
            throws IOException {
        Journal journal = new Journal(files, settings, Recovery.run(files, replay), summary, follower, onClosed);
        journal.thread.start();
        return journal;
    }

    /** As the other one, followed by nobody. */
    public static Journal open(
            SegmentFiles files,
            JournalSettings settings,
            Consumer<JournalRecord> replay,
            Summary summary,
            Consumer<JournalClosedException> onClosed)
            throws IOException {
        return open(files, settings, replay, summary, lastSeq -> (seq, body) -> {}, onClosed);
    }

    /**
     * Hands a record over. The future gives its seq when it is on disk; it fails with {@link JournalClosedException}, or with
     * {@link IllegalArgumentException} where the body is too long.
     */
    public CompletionStage<Long> append(Body body) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        append(body, (seq, why) -> {
            if (why == null) {
                done.complete(seq);
            } else {
                done.completeExceptionally(why);
            }
        });
        awaited = true;
        LockSupport.unpark(thread);
        return done;
    }

    /** As {@link #append(Body)}, for those who hear of it and don't wait. */
    public void append(Body body, Ack ack) {
        if (closed.get() == null && waiting.incrementAndGet() > settings.waitingMax()) {
            closeForGood(new JournalClosedException(
                    "the journal is closed: " + settings.waitingMax() + " records waited for the disk", null));
        }
        queue.add(new Waiting(body, ack));
        if (closed.get() != null) {
            failWaiting();
        } else if (parked) {
            LockSupport.unpark(thread);
        }
    }

    /** Whether new requests may spend: it is open, and the disk keeps up, so that there is room for what runs already. */
    public boolean accepting() {
        return closed.get() == null && waiting.get() <= settings.waitingMax() / 2;
    }

    /** Tells this journal from one that was in its place before: drawn when it is made, 1 to 2^63 - 1. */
    public long id() {
        return writer.journal();
    }

    /** Why it closed itself or was closed; null while it is open. */
    public JournalClosedException closedBy() {
        return closed.get();
    }

    /** Records waiting for the disk. */
    public int waiting() {
        return waiting.get();
    }

    /** The last record on disk; 0 where there is none. */
    public long durableSeq() {
        return durableSeq;
    }

    /** Bytes of a write that a crash had cut off, found when it was opened; 0 where there were none. */
    public long tornBytes() {
        return tornBytes;
    }

    /** A reader of the records after {@code afterSeq}, or from the oldest kept record on where that is later. */
    public JournalReader reader(long afterSeq) {
        return new JournalReader(files, numbers, this::durableSeq, afterSeq);
    }

    /** The first record of the newest summary: what is older says nothing more. 0 where nothing may go yet. */
    public long neededFrom() {
        return neededFrom;
    }

    /**
     * Deletes segments of which every record is older.
     *
     * @param belowSeq the oldest record that is still needed
     * @return how many were deleted
     */
    public synchronized int forget(long belowSeq) throws IOException {
        int deleted = 0;
        while (numbers.size() > 1) {
            Map.Entry<Long, Long> oldest = numbers.firstEntry();
            Long nextBegins = numbers.higherKey(oldest.getKey());
            if (nextBegins == null || nextBegins > belowSeq) {
                break;
            }
            files.delete(oldest.getValue());
            numbers.remove(oldest.getKey());
            deleted++;
        }
        return deleted;
    }

    private void run() {
        List<Waiting> batch = new ArrayList<>();
        while (closed.get() == null) {
            awaited = false;
            for (Waiting next = queue.poll(); next != null; next = batch.size() < BATCH_MAX ? queue.poll() : null) {
                batch.add(next);
            }
            if (!batch.isEmpty()) {
                write(batch);
                waiting.addAndGet(-batch.size());
                batch.clear();
                pause();
            } else if (stopping) {
                closed.compareAndSet(null, new JournalClosedException("the journal is closed: the node stops", null));
            } else {
                park();
            }
        }
        failWaiting();
        try {
            writer.close();
        } catch (IOException ofNoUseAnyMore) {
            // whatever was acknowledged was forced before
        }
    }

    private void pause() {
        long began = System.nanoTime();
        while (!stopping && closed.get() == null) {
            long leftNs = (awaited ? PAUSE_NS : REST_NS) - (System.nanoTime() - began);
            if (leftNs <= 0) {
                return;
            }
            LockSupport.parkNanos(this, leftNs);
        }
    }

    private void park() {
        parked = true;
        if (queue.isEmpty() && !stopping && closed.get() == null) {
            LockSupport.park(this);
        }
        parked = false;
    }

    private void write(List<Waiting> batch) {
        List<Waiting> taken = new ArrayList<>(batch.size());
        int next = 0;
        try {
            for (; next < batch.size(); next++) {
                take(batch.get(next), taken);
            }
            flush(taken);
        } catch (IOException | RuntimeException | Error failure) {
            closeForGood(new JournalClosedException(
                    "the journal is closed, so this node does not spend until it is started again: " + failure,
                    failure));
            taken.forEach(each -> each.ack().ended(0, closed.get()));
            batch.subList(next, batch.size()).forEach(each -> each.ack().ended(0, closed.get()));
        }
    }

    private void take(Waiting each, List<Waiting> taken) throws IOException {
        if (!writer.hasRoom()) {
            flush(taken);
        }
        try {
            if (writer.add(each.body()) == 0) {
                flush(taken);
                nextSegment();
                writer.add(each.body());
            }
            summary.read(each.body());
            taken.add(each);
        } catch (IllegalArgumentException wrongBody) {
            each.ack().ended(0, wrongBody);
        }
    }

    /** A summary takes at most half of a segment; one that is longer is left out, and everything is kept. */
    private void nextSegment() throws IOException {
        writer.nextSegment();
        long first = writer.seq() + 1;
        List<? extends Body> records = summary.records();
        for (Body each : records) {
            if (!writer.hasRoom()) {
                writer.flush();
            }
            if (writer.halfFull() || writer.add(each) == 0) {
                return;
            }
        }
        writer.flush();
        durableSeq = writer.seq();
        if (!records.isEmpty()) {
            neededFrom = first;
        }
    }

    private void flush(List<Waiting> taken) throws IOException {
        writer.flush();
        durableSeq = writer.seq();
        long before = durableSeq - taken.size();
        for (int i = 0; i < taken.size(); i++) {
            follower.durable(before + i + 1, taken.get(i).body());
        }
        for (int i = 0; i < taken.size(); i++) {
            taken.get(i).ack().ended(before + i + 1, null);
        }
        taken.clear();
    }

    private void closeForGood(JournalClosedException cause) {
        if (closed.compareAndSet(null, cause)) {
            LockSupport.unpark(thread);
            try {
                onClosed.accept(cause);
            } catch (RuntimeException bug) {
                LoggerFactory.getLogger(Journal.class).error("whoever waits for the end of the journal failed", bug);
            }
        }
    }

    private void failWaiting() {
        for (Waiting left = queue.poll(); left != null; left = queue.poll()) {
            left.ack().ended(0, closed.get());
        }
    }

    /** Writes what waits and closes; returns when that is done, at most after 10 s. Later appends fail. */
    @Override
    public void close() {
        stopping = true;
        LockSupport.unpark(thread);
        try {
            thread.join(STOP_MS_MAX);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
