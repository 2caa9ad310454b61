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
    void startsNothingOfAClusterWhereItIsByItself() throws Exception {
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

        // Vert.x looks at the class of its cluster manager in any case, and at the handful that this one is made of.
        assertThat(Files.readString(classes).lines())
                .anyMatch(line -> line.contains(" io.sluice.ops.Assembly "))
                .noneMatch(line -> line.contains(" com.hazelcast.instance.")
                        || line.contains(" io.sluice.ops.hazelcast.HazelcastNode ")
                        || line.contains(" io.vertx.redis."));
    }
}
