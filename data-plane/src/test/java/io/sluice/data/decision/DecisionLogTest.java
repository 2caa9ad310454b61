package io.sluice.data.decision;

import static io.sluice.data.decision.SampleRecords.T1;
import static io.sluice.data.decision.SampleRecords.T2;
import static io.sluice.data.decision.SampleRecords.record;
import static io.sluice.data.decision.SampleRecords.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.decision.DecisionReplay;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.FindDecisions;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecisionLogTest {
    @TempDir
    private Path directory;

    private DecisionLog open() throws IOException {
        return new DecisionLog(DecisionLogSettings.in(directory));
    }

    private DecisionLog open(int segmentBytesMax, long totalBytesMax) throws IOException {
        return new DecisionLog(new DecisionLogSettings(directory, segmentBytesMax, totalBytesMax, 30, 1_000));
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static FindDecisions query(TenantId tenant, String scenario, String outcome, String after, int limit) {
        return new FindDecisions(tenant, scenario, null, outcome, null, null, after, limit);
    }

    /** All pages of a query, newest first. */
    private static List<String> traces(DecisionLog log, TenantId tenant, int limit) throws Exception {
        List<String> traces = new ArrayList<>();
        String after = null;
        do {
            DecisionPage page = await(log.find(query(tenant, null, null, after, limit)));
            page.records().forEach(each -> traces.add(each.traceId()));
            after = page.next();
        } while (after != null);
        return traces;
    }

    private List<Path> segments() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    private static List<String> newestFirst(int from, int to) {
        List<String> traces = new ArrayList<>();
        for (int i = to - 1; i >= from; i--) {
            traces.add(trace(i));
        }
        return traces;
    }

    @Test
    void findsWhatWasHandedOverAtOnceAndByteForByte() throws Exception {
        DecisionRecord written = record(T1, 7, "chat", "ok");
        try (DecisionLog log = open()) {
            log.append(written);

            assertThat(await(log.find(T1, trace(7)))).contains(written);
        }
    }

    @Test
    void keepsTwoTenantsWithTheSameTraceIdApart() throws Exception {
        DecisionRecord mine = record(T1, 7, "chat", "ok");
        DecisionRecord theirs = record(T2, 7, "chat", "ok");
        try (DecisionLog log = open()) {
            log.append(mine);
            log.append(theirs);

            assertThat(await(log.find(T1, trace(7)))).contains(mine);
            assertThat(await(log.find(T2, trace(7)))).contains(theirs);
            assertThat(await(log.find(null, trace(7)))).contains(theirs);
            assertThat(await(log.find(new TenantId("t3"), trace(7)))).isEmpty();
            assertThat(traces(log, T1, 10)).containsExactly(trace(7));
        }
    }

    @Test
    void aTenantNamedInsideAnothersRecordDoesNotSeeIt() throws Exception {
        try (DecisionLog log = open()) {
            log.append(record(T1, 1, "\"tenant\":\"t2\"", "ok"));

            assertThat(traces(log, T2, 10)).isEmpty();
        }
    }

    @Test
    void knowsNothingUnderAnIdThatIsNone() throws Exception {
        try (DecisionLog log = open()) {
            for (String id : List.of("", "zz", trace(1) + "0", trace(1).replace('0', 'G'), "../../etc/passwd")) {
                assertThat(await(log.find(T1, id))).isEqualTo(Optional.empty());
            }
        }
    }

    @Test
    void findsEverythingAgainAfterARestart() throws Exception {
        try (DecisionLog log = open(20_000, 1L << 30)) {
            for (int i = 0; i < 100; i++) {
                log.append(record(T1, i, "chat", "ok"));
                if (i % 10 == 9) {
                    await(log.find(T1, trace(i)));
                }
            }
        }
        assertThat(segments()).hasSizeGreaterThan(3);
        try (DecisionLog log = open()) {
            log.append(record(T1, 100, "chat", "ok"));

            assertThat(traces(log, T1, 7)).isEqualTo(newestFirst(0, 101));
            assertThat(await(log.find(T1, trace(3)))).contains(record(T1, 3, "chat", "ok"));
        }
    }

    @Test
    void leavesOutALastLineThatACrashCutAndWritesOnAfterIt() throws Exception {
        try (DecisionLog log = open()) {
            log.append(record(T1, 0, "chat", "ok"));
            log.append(record(T1, 1, "chat", "ok"));
        }
        Path file = segments().get(0);
        byte[] all = Files.readAllBytes(file);
        for (int cut = 1; cut < 400; cut += 13) {
            Files.write(file, Arrays.copyOf(all, all.length - cut));
            try (DecisionLog log = open()) {
                assertThat(traces(log, T1, 10)).as("%d bytes cut", cut).containsExactly(trace(0));
                assertThat(await(log.find(T1, trace(1)))).isEmpty();
            }
        }
        try (DecisionLog log = open()) {
            log.append(record(T1, 2, "chat", "ok"));
            assertThat(traces(log, T1, 10)).containsExactly(trace(2), trace(0));
        }
    }

    @Test
    void linesThatAreNoRecordsHideNoOther() throws Exception {
        try (DecisionLog log = open()) {
            log.append(record(T1, 0, "chat", "ok"));
        }
        Path file = segments().get(0);
        Files.writeString(
                file,
                "\n{}\ngarbage \u00e4\n{\"traceId\":\"" + "Z".repeat(32) + "\"}\n" + Files.readString(file),
                StandardOpenOption.APPEND);
        try (DecisionLog log = open()) {
            assertThat(traces(log, T1, 10)).containsExactly(trace(0), trace(0));
            assertThat(await(log.find(T1, trace(0)))).isPresent();
        }
    }

    @Test
    void pagesMeetEveryRecordExactlyOnce() throws Exception {
        try (DecisionLog log = open(8_000, 1L << 30)) {
            for (int i = 0; i < 60; i++) {
                log.append(record(i % 3 == 0 ? T2 : T1, i, "chat", "ok"));
                await(log.find(T1, trace(i)));
            }
            List<String> expected = newestFirst(0, 60);
            expected.removeIf(trace -> Integer.parseInt(trace, 16) % 3 == 1);
            for (int limit : new int[] {1, 2, 7, 39, 40, 41, 1_000}) {
                assertThat(traces(log, T1, limit)).as("limit %d", limit).isEqualTo(expected);
            }
        }
    }

    @Test
    void aPageStaysRightWhileNewRecordsArrive() throws Exception {
        try (DecisionLog log = open()) {
            for (int i = 0; i < 10; i++) {
                log.append(record(T1, i, "chat", "ok"));
            }
            DecisionPage first = await(log.find(query(T1, null, null, null, 5)));
            log.append(record(T1, 10, "chat", "ok"));
            DecisionPage second = await(log.find(query(T1, null, null, first.next(), 50)));

            assertThat(second.records().stream().map(DecisionRecord::traceId)).isEqualTo(newestFirst(0, 5));
        }
    }

    @Test
    void filtersByEveryField() throws Exception {
        try (DecisionLog log = open()) {
            log.append(record(T1, 0, "chat", "ok"));
            log.append(record(T1, 1, "mail", "ok"));
            log.append(record(T1, 2, "chat", "client_abort"));
            Instant second = record(T1, 1, "mail", "ok").at();

            assertThat(await(log.find(query(T1, "chat", null, null, 9))).records())
                    .hasSize(2);
            assertThat(await(log.find(query(T1, "chat", "ok", null, 9))).records())
                    .hasSize(1);
            assertThat(await(log.find(query(T1, null, "nothing", null, 9))).records())
                    .isEmpty();
            FindDecisions since = new FindDecisions(T1, null, null, null, second, null, null, 9);
            FindDecisions before = new FindDecisions(T1, null, null, null, null, second, null, 9);
            FindDecisions step = new FindDecisions(T1, null, "nowhere", null, null, null, null, 9);
            assertThat(await(log.find(since)).records()).hasSize(2);
            assertThat(await(log.find(before)).records()).hasSize(1);
            assertThat(await(log.find(step)).records()).isEmpty();
        }
    }

    @Test
    void refusesACursorThatIsNone() throws Exception {
        try (DecisionLog log = open()) {
            for (String cursor : List.of("", "x", "1", "1-2-3", "-1-2", "1-99999999999", "9".repeat(40) + "-1")) {
                assertThatThrownBy(() -> await(log.find(query(T1, null, null, cursor, 9))))
                        .as(cursor)
                        .hasRootCauseInstanceOf(IllegalArgumentException.class);
            }
            assertThat(await(log.find(query(T1, null, null, "5-5", 9))).records())
                    .isEmpty();
        }
    }

    @Test
    void keepsItsSizeByForgettingTheOldest() throws Exception {
        try (DecisionLog log = open(6_000, 30_000)) {
            for (int i = 0; i < 200; i++) {
                log.append(record(T1, i, "chat", "ok"));
                await(log.find(T1, trace(i)));
            }
            long bytes = 0;
            for (Path file : segments()) {
                bytes += Files.size(file);
            }
            List<String> kept = traces(log, T1, 50);

            assertThat(bytes).isLessThan(30_000 + 12_000);
            assertThat(kept).hasSizeBetween(5, 100).isEqualTo(newestFirst(200 - kept.size(), 200));
            assertThat(await(log.find(T1, trace(0)))).isEmpty();
            assertThat(log.dropped()).isZero();
        }
    }

    @Test
    void forgetsWhatIsTooOld() throws Exception {
        try (DecisionLog log = open()) {
            log.append(record(T1, 0, "chat", "ok"));
        }
        Files.setLastModifiedTime(segments().get(0), FileTime.from(Instant.now().minus(Duration.ofDays(31))));
        try (DecisionLog log = open()) {
            log.append(record(T1, 1, "chat", "ok"));

            assertThat(traces(log, T1, 10)).containsExactly(trace(1));
            assertThat(segments()).hasSize(1);
        }
    }

    @Test
    void countsEveryRecordThatItCouldNotTake() throws Exception {
        DecisionLog log = new DecisionLog(new DecisionLogSettings(directory, 1 << 20, 1 << 30, 30, 10));
        try (log) {
            for (int i = 0; i < 50_000; i++) {
                log.append(record(T1, 1, "chat", "ok"));
            }
            long kept = traces(log, T1, 1_000).size();

            assertThat(log.dropped()).isPositive();
            assertThat(kept + log.dropped()).isEqualTo(50_000);
        }
    }

    @Test
    void aRecordHandedOverAfterTheEndIsCounted() throws Exception {
        DecisionLog log = open();
        log.close();

        log.append(record(T1, 1, "chat", "ok"));

        assertThat(log.dropped()).isEqualTo(1);
    }

    @Test
    void goesOnAfterTheDiskWasAway() throws Exception {
        try (DecisionLog log = open(1, 1L << 30)) {
            log.append(record(T1, 0, "chat", "ok"));
            await(log.find(T1, trace(0)));
            Files.delete(segments().get(0));
            Files.delete(directory);
            log.append(record(T1, 1, "chat", "ok"));
            assertThat(await(log.find(T1, trace(1)))).isEmpty();
            assertThat(log.dropped()).isEqualTo(1);

            Files.createDirectories(directory);
            log.append(record(T1, 2, "chat", "ok"));
            log.append(record(T1, 3, "chat", "ok"));

            assertThat(traces(log, T1, 10)).containsExactly(trace(3), trace(2));
            assertThat(log.dropped()).isEqualTo(1);
        }
    }

    @Test
    void ignoresOtherFilesInItsDirectory() throws Exception {
        Files.writeString(directory.resolve("decisions-1.jsonl"), "x", StandardCharsets.UTF_8);
        Files.writeString(directory.resolve("README"), "x", StandardCharsets.UTF_8);
        try (DecisionLog log = open()) {
            assertThat(traces(log, T1, 10)).isEmpty();
        }
    }

    /** Show 10. */
    @Test
    void tenThousandRecordsReplayToTheSameDecisions() throws Exception {
        int differences = 0;
        int replayed = 0;
        try (DecisionLog log = open()) {
            Random random = new Random(42);
            for (int i = 0; i < 10_000; i++) {
                log.append(SampleRecords.make(T1, trace(i), "chat", "ok", Instant.ofEpochMilli(i), random));
                if (i % 500 == 0) {
                    await(log.find(T1, trace(i)));
                }
            }
        }
        try (DecisionLog log = open()) {
            String after = null;
            do {
                DecisionPage page = await(log.find(query(T1, null, null, after, 500)));
                for (DecisionRecord record : page.records()) {
                    differences += DecisionReplay.differences(record).size();
                    replayed++;
                }
                after = page.next();
            } while (after != null);
        }
        assertThat(replayed).isEqualTo(10_000);
        assertThat(differences).isZero();
    }
}
