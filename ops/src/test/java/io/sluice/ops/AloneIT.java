package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AloneIT {
    @TempDir
    Path directory;

    @Test
    void loadsNothingOfAClusterWhereItIsByItself() throws Exception {
        Path classes = directory.resolve("classes.txt");
        try (SluiceProcess up = SluiceProcess.start(
                directory,
                Map.of(
                        "SLUICE_PORT",
                        "0",
                        "SLUICE_ADMIN_PORT",
                        "0",
                        "JAVA_TOOL_OPTIONS",
                        "-Xlog:class+load:file=" + classes),
                "up",
                "--data-dir",
                directory.resolve("data").toString())) {
            up.awaitReady();
        }

        assertThat(Files.readString(classes))
                .contains("io.sluice.ops.Assembly")
                .doesNotContain("com.hazelcast.")
                .doesNotContain("io.vertx.redis.");
    }
}
