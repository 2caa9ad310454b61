package io.sluice.data.money.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a real process that writes its journal, again and again, and looks for every record that it had acknowledged. */
class JournalKillIT {
    private static final int KILLS = 200;

    /** Each on a directory of its own, so that the start of one overlaps the life of another. */
    private static final int SIDE_BY_SIDE = 4;

    @TempDir
    Path directory;

    @Test
    void everyAcknowledgedRecordIsThereAfterTwoHundredKills() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(SIDE_BY_SIDE);
        List<Future<Long>> all = new ArrayList<>();
        for (int i = 0; i < SIDE_BY_SIDE; i++) {
            Path own = directory.resolve("journal-" + i);
            Random random = new Random(i);
            Callable<Long> lives = () -> lives(own, random);
            all.add(threads.submit(lives));
        }
        for (Future<Long> each : all) {
            assertThat(each.get(5, TimeUnit.MINUTES)).isPositive();
        }
        threads.shutdown();
    }

    /** The number of records after all lives. */
    private static long lives(Path directory, Random random) throws Exception {
        long acknowledged = 0;
        for (int life = 0; life < KILLS / SIDE_BY_SIDE; life++) {
            acknowledged = Math.max(acknowledged, killed(directory, 1 + random.nextInt(60)));
            assertThat(whole(directory)).as("records after life %s", life).isGreaterThanOrEqualTo(acknowledged);
        }
        return acknowledged;
    }

    /** Counts the records, each of which has to be what was written under its number. */
    private static long whole(Path directory) throws IOException {
        AtomicLong count = new AtomicLong();
        Journal.open(
                        new DirectoryFiles(directory),
                        Texts.SMALL,
                        found -> {
                            assertThat(found.seq()).isEqualTo(count.incrementAndGet());
                            assertThat(found.payload())
                                    .isEqualTo(StandardCharsets.UTF_8.encode(JournalChild.textOf(found.seq())));
                        },
                        Summary.NONE,
                        cause -> {})
                .close();
        return count.get();
    }

    /** Kills a process after {@code acks} records; the last seq that it told. */
    private static long killed(Path directory, int acks) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        JournalChild.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long last = 0;
        try (BufferedReader lines = child.inputReader(StandardCharsets.US_ASCII)) {
            for (int i = 0; i < acks; i++) {
                last = Long.parseLong(lines.readLine());
            }
            child.toHandle().destroyForcibly(); // leaves what it told readable
            child.waitFor();
            // Of a line that was cut the number is smaller than the last whole one.
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last = Math.max(last, Long.parseLong(line));
            }
        } finally {
            child.destroyForcibly();
        }
        return last;
    }
}
