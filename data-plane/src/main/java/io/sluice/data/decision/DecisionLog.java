package io.sluice.data.decision;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.json.RecordWriter;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.FindDecisions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the decision records of this node in segment files. Requests hand records over as text without waiting: made where its
 * parts are still in the processor's cache, and a tenth of their size; one thread writes the lines
 * and answers queries, so a query sees every record handed over before it. Records survive a crash of the process once
 * written, about 50 ms after the request; a gap is counted, never silent.
 */
public final class DecisionLog implements DecisionSource, AutoCloseable {
    /** Waking the writer for each record would cost more than the record. */
    private static final long WRITE_EVERY_MS = 50;

    /** Bounds the memory of one write, which is copied once more, and how far a segment is longer than it should be. */
    private static final int WRITE_BYTES_MAX = 1 << 20;

    /** A query reads at most this many records before it answers with a cursor. */
    private static final int SCANNED_MAX = 20_000;

    private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);

    private final DecisionLogSettings settings;
    private static final ThreadLocal<RecordWriter> WRITER = ThreadLocal.withInitial(RecordWriter::new);

    private final WaitingLines waiting;
    private final LongAdder dropped = new LongAdder();
    private final Deque<Segment> segments = new ArrayDeque<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "sluice-decisions");
        made.setDaemon(true);
        return made;
    });

    private final ScheduledFuture<?> writing;
    private WaitingLines.Taken spare = new WaitingLines.Taken(); // of the thread, like what follows
    private OutputStream out;
    private volatile boolean closed;

    /** Opens the log; segments that are already there can be queried at once. */
    public DecisionLog(DecisionLogSettings settings) throws IOException {
        this.settings = settings;
        waiting = new WaitingLines(settings.queueMax());
        Files.createDirectories(settings.directory());
        try (Stream<Path> files = Files.list(settings.directory())) {
            files.filter(file -> file.getFileName().toString().matches("decisions-[0-9]{12}\\.jsonl"))
                    .sorted()
                    .forEach(file -> segments.add(new Segment(file, numberOf(file), false)));
        }
        writing = thread.scheduleWithFixedDelay(this::write, WRITE_EVERY_MS, WRITE_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    private static long numberOf(Path file) {
        return Long.parseLong(file.getFileName().toString().substring(10, 22));
    }

    /** Hands a record over. Never waits for the disk; where too many are waiting the record is dropped and counted. */
    public void append(DecisionRecord record) {
        RecordWriter writer = WRITER.get();
        writer.write(record);
        if (closed || !waiting.add(record.traceId(), writer)) {
            dropped.increment();
        }
    }

    /** Records that were dropped or could not be written since the start. */
    public long dropped() {
        return dropped.sum();
    }

    @Override
    public Future<Optional<DecisionRecord>> find(TenantId tenant, String traceId) {
        if (!traceId.matches("[0-9a-f]{32}")) {
            return Future.succeededFuture(Optional.empty());
        }
        return onThread(() -> findNow(tenant, traceId));
    }

    /** A page of a tenant's records, newest first. */
    public Future<DecisionPage> find(FindDecisions query) {
        return onThread(() -> findNow(query));
    }

    private <T> Future<T> onThread(Callable<T> query) {
        Promise<T> promise = Promise.promise();
        thread.execute(() -> {
            try {
                write();
                promise.complete(query.call());
            } catch (Exception failed) {
                promise.fail(failed);
            }
        });
        return promise.future();
    }

    private Optional<DecisionRecord> findNow(TenantId tenant, String traceId) throws IOException {
        for (Iterator<Segment> newest = segments.descendingIterator(); newest.hasNext(); ) {
            Segment segment = newest.next();
            if (!segment.present()) {
                continue;
            }
            for (int i = segment.find(traceId, Integer.MAX_VALUE); i >= 0; i = segment.find(traceId, i)) {
                DecisionRecord found = Segment.parse(segment.line(i));
                if (found.traceId().equals(traceId) && (tenant == null || tenant.equals(found.tenant()))) {
                    return Optional.of(found);
                }
            }
        }
        return Optional.empty();
    }

    private DecisionPage findNow(FindDecisions query) throws IOException {
        Cursor after = Cursor.parse(query.after());
        List<DecisionRecord> found = new ArrayList<>();
        List<String> cursors = new ArrayList<>();
        String owner = "\"tenant\":" + StrictJson.MAPPER.writeValueAsString(query.tenant());
        int scanned = 0;
        for (Iterator<Segment> newest = segments.descendingIterator(); newest.hasNext(); ) {
            Segment segment = newest.next();
            if (segment.number() > after.segment() || !segment.present()) {
                continue;
            }
            int below = segment.number() == after.segment() ? after.line() : Integer.MAX_VALUE;
            for (int i = Math.min(below, segment.records()) - 1; i >= 0; i--) {
                if (found.size() == query.limit() || ++scanned > SCANNED_MAX) {
                    return new DecisionPage(found, cursors, new Cursor(segment.number(), i + 1).toString());
                }
                String line = segment.line(i);
                if (line.contains(owner)) {
                    DecisionRecord record = Segment.parse(line);
                    if (matches(query, record)) {
                        found.add(record);
                        cursors.add(new Cursor(segment.number(), i).toString());
                    }
                }
            }
        }
        return new DecisionPage(found, cursors, null);
    }

    private static boolean matches(FindDecisions query, DecisionRecord record) {
        return record.tenant().equals(query.tenant())
                && (query.scenario() == null || query.scenario().equals(record.scenario()))
                && (query.step() == null || query.step().equals(record.step()))
                && (query.outcome() == null || query.outcome().equals(record.outcome()))
                && (query.from() == null || !record.at().isBefore(query.from()))
                && (query.to() == null || record.at().isBefore(query.to()));
    }

    /** Where a page ended: everything below that line of that segment, and all older segments, is still to come. */
    private record Cursor(long segment, int line) {
        static Cursor parse(String text) {
            if (text == null) {
                return new Cursor(Long.MAX_VALUE, Integer.MAX_VALUE);
            }
            String[] parts = text.split("-", -1);
            if (parts.length != 2 || !parts[0].matches("[0-9]{1,12}") || !parts[1].matches("[0-9]{1,9}")) {
                throw new IllegalArgumentException("not a cursor of this list");
            }
            return new Cursor(Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
        }

        @Override
        public String toString() {
            return segment + "-" + line;
        }
    }

    private void write() {
        WaitingLines.Taken taken = waiting.take(spare);
        try {
            int from = 0;
            while (from < taken.lines()) {
                int to = from + 1;
                while (to < taken.lines() && taken.end(to + 1) - taken.end(from) <= WRITE_BYTES_MAX) {
                    to++;
                }
                write(taken, from, to);
                from = to;
            }
        } finally {
            spare = taken.emptied(); // the one before is being filled
        }
    }

    private void write(WaitingLines.Taken taken, int from, int to) {
        Segment segment = null;
        try {
            segment = writable();
            out.write(taken.bytes(), taken.end(from), taken.end(to) - taken.end(from));
            out.flush();
            for (int i = from; i < to; i++) {
                segment.add(taken.hash(i), taken.end(i + 1) - taken.end(i));
            }
        } catch (IOException | RuntimeException failed) {
            dropped.add(to - from);
            out = null;
            if (segment != null) {
                segment.reread(); // whatever of it reached the disk can still be found
            }
            LOG.warn("Decision records could not be written: {} are lost", to - from, failed);
        }
    }

    private Segment writable() throws IOException {
        if (out != null && segments.getLast().bytes() < settings.segmentBytesMax()) {
            return segments.getLast();
        }
        if (out != null) {
            out.close();
        }
        long number = segments.isEmpty() ? 1 : segments.getLast().number() + 1;
        Path file = settings.directory().resolve(String.format("decisions-%012d.jsonl", number));
        out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
        segments.add(new Segment(file, number, true));
        retire();
        return segments.getLast();
    }

    private void retire() throws IOException {
        segments.removeIf(segment -> !segment.present()); // operators tidy up by hand
        Instant oldest = Instant.now().minus(settings.retainedDaysMax(), ChronoUnit.DAYS);
        long total = 0;
        for (Segment segment : segments) {
            total += Files.size(segment.file());
        }
        while (segments.size() > 1) {
            Path first = segments.getFirst().file();
            boolean tooOld = Files.getLastModifiedTime(first).toInstant().isBefore(oldest);
            if (total <= settings.totalBytesMax() && !tooOld) {
                return;
            }
            total -= Files.size(first);
            Files.delete(first);
            segments.removeFirst();
        }
    }

    /** Writes what is waiting and stops. */
    @Override
    public void close() {
        closed = true;
        writing.cancel(false);
        thread.execute(this::write);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("Decision records were still being written when the log was closed");
            }
            if (out != null) {
                out.close();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException failed) {
            LOG.warn("The last decision segment could not be closed", failed);
        }
    }
}
