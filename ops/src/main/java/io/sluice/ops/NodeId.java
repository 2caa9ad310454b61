package io.sluice.ops;

import io.sluice.ops.settings.ClusterSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What this process is called in reports and records. The journal of money and the slices that the authority granted go by it, so
 * it is kept beside them and goes where they go.
 */
final class NodeId {
    /** There is only one. */
    static final String ALONE = "node-0";

    private NodeId() {}

    /**
     * The settings' id, else that of the starts before, else one of this machine's name.
     *
     * @throws StartFailedException where it can not be read or kept
     */
    static String of(Optional<ClusterSettings> cluster, Path dataDir) throws StartFailedException {
        if (cluster.isEmpty()) {
            return ALONE;
        }
        if (cluster.get().node().isPresent()) {
            return cluster.get().node().get();
        }
        Path file = dataDir.resolve("node");
        try {
            if (Files.exists(file)) {
                return Files.readString(file, StandardCharsets.UTF_8).strip();
            }
            String made = hostName() + "-" + cluster.get().port();
            Files.writeString(file, made + "\n", StandardCharsets.UTF_8);
            return made;
        } catch (IOException denied) {
            throw new StartFailedException(
                    "can't keep this node's id in " + file + " (" + denied
                            + "); make it readable and writable, or set cluster.node or SLUICE_NODE",
                    denied);
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9._-]", "-");
        } catch (UnknownHostException nameless) {
            return "node";
        }
    }
}
