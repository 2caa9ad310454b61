package io.sluice.data.money.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.data.money.journal.Texts.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is really full where this process may mount one, else one in memory. */
class JournalDiskFullIT {
    @TempDir
    Path directory;

    @Test
    void closesWithAClearErrorAndLosesNothingThatItAcknowledged() throws Exception {
        Path small = Files.createDirectory(directory.resolve("small"));
        boolean mounted = ran("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", small.toString());
        try {
            fill(mounted ? new DirectoryFiles(small) : inMemory());
        } finally {
            if (mounted) {
                assertThat(ran("umount", small.toString())).isTrue();
            }
        }
    }

    private static MemoryFiles inMemory() {
        MemoryFiles files = new MemoryFiles();
        files.segmentsMax = 6;
        return files;
    }

    private static void fill(SegmentFiles files) throws Exception {
        List<JournalClosedException> heard = new CopyOnWriteArrayList<>();
        long acknowledged = 0;
        Throwable refusal = null;
        try (Journal journal = Journal.open(files, Texts.SMALL, entry -> {}, Summary.NONE, heard::add)) {
            for (int i = 1; refusal == null && i < 100_000; i++) {
                CompletionStage<Long> done = journal.append(new Text(JournalChild.textOf(i)));
                if (i % 100 == 0) {
                    try {
                        acknowledged = Texts.now(done);
                    } catch (ExecutionException full) {
                        refusal = full.getCause();
                    }
                }
            }
        }
        assertThat(refusal).isInstanceOf(JournalClosedException.class).hasMessageContaining("No space left on device");
        assertThat(heard).hasSize(1);
        assertThat(acknowledged).isPositive();
        assertThat(Texts.found(files)).hasSizeGreaterThanOrEqualTo((int) acknowledged);
    }

    private static boolean ran(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
