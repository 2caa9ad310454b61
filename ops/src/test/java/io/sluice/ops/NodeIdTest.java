package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ops.settings.ClusterSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeIdTest {
    @TempDir
    Path dataDir;

    @Test
    void isAlwaysTheSameForAProcessByItself() throws Exception {
        assertThat(NodeId.of(Optional.empty(), dataDir)).isEqualTo("node-0");
        assertThat(dataDir).isEmptyDirectory();
    }

    @Test
    void isWhatTheSettingsSay() throws Exception {
        assertThat(NodeId.of(settings("mine", 5701), dataDir)).isEqualTo("mine");
    }

    @Test
    void staysWithTheDataDirectoryOnceItWasMade() throws Exception {
        String made = NodeId.of(settings(null, 5701), dataDir);

        assertThat(made).endsWith("-5701").matches("[A-Za-z0-9._-]+");
        assertThat(NodeId.of(settings(null, 5801), dataDir)).isEqualTo(made);
    }

    private static Optional<ClusterSettings> settings(String node, int port) {
        return Optional.of(new ClusterSettings(
                Optional.ofNullable(node),
                "test",
                "127.0.0.1",
                port,
                0,
                List.of("127.0.0.1:5701"),
                Optional.empty(),
                false,
                1));
    }
}
