package io.sluice.data.money.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryFilesTest {
    @TempDir
    Path directory;

    @Test
    void keepsRecordsInFilesOfTheirFullLength() throws Exception {
        Texts.write(new DirectoryFiles(directory.resolve("journal")), "a", "b");
        assertThat(Texts.found(new DirectoryFiles(directory.resolve("journal"))))
                .containsExactly("a", "b");
        assertThat(directory.resolve("journal/journal-000000000001.log")).hasSize(Segment.BYTES_MIN);
    }

    @Test
    void forgetsASegmentWhoseMakingWasCutOff() throws Exception {
        Texts.write(new DirectoryFiles(directory), "a");
        Path unfinished = Files.write(directory.resolve("journal-000000000002.log.new"), new byte[100]);
        assertThat(Texts.found(new DirectoryFiles(directory))).containsExactly("a");
        assertThat(unfinished).doesNotExist();
    }

    @Test
    void leavesOtherFilesAlone() throws Exception {
        Path other = Files.writeString(directory.resolve("README"), "not a segment");
        Texts.write(new DirectoryFiles(directory), "a");
        assertThat(other).hasContent("not a segment");
    }

    @Test
    void deletesASegment() throws Exception {
        DirectoryFiles files = new DirectoryFiles(directory);
        Texts.write(files, "a");
        files.delete(1);
        assertThat(files.list()).isEmpty();
    }
}
