package io.sluice.ops;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Machines of their own for some nodes, as far as the network goes: a namespace for each, on three switches that can be cut apart. One
 * is for what nodes say to each other, one leads to Redis, and one, which is never cut, to the test with its clients and providers. Where
 * a port is cut, the link stays up and all that is sent is lost in silence, both ways. Needs Linux and root. One thread; closing it removes all.
 */
final class CutNetwork implements AutoCloseable {
    private static final long COMMAND_S_MAX = 30;

    /** The networks; a letter of each is part of the names of its devices, which have at most 15. */
    private enum Switch {
        MEMBERS('m', 201),
        REDIS('r', 202),
        TEST('t', 203);

        private final char letter;
        private final int net;

        Switch(char letter, int net) {
            this.letter = letter;
            this.net = net;
        }
    }

    private final String name =
            "sl" + Integer.toString(ThreadLocalRandom.current().nextInt(36 * 36 * 36, 36 * 36 * 36 * 36), 36);

    /** Private, and unlikely to be in use on the machine of the test. */
    private final int second = ThreadLocalRandom.current().nextInt(200, 250);

    private final List<String[]> undo = new ArrayList<>();

    private CutNetwork() {}

    /** Why there can be no such network on this machine; null where there can. */
    static String obstacle() {
        String probe = "slprobe" + ThreadLocalRandom.current().nextInt(100_000, 1_000_000);
        try {
            run("ip", "netns", "add", probe);
            run("ip", "netns", "del", probe);
            return null;
        } catch (IOException denied) {
            return "network namespaces need Linux, root and the command ip (" + denied.getMessage() + ")";
        }
    }

    /** A network of so many nodes, with nothing cut. */
    static CutNetwork of(int nodes) throws IOException {
        CutNetwork network = new CutNetwork();
        try {
            network.addNamespace(network.hub());
            for (Switch each : Switch.values()) {
                network.plug(each);
            }
            for (int node = 0; node < nodes; node++) {
                network.addMachine(node);
            }
            return network;
        } catch (IOException failed) {
            network.close();
            throw failed;
        }
    }

    /** The switches are in a namespace of their own, where nobody has an address and answers for a port that is unplugged. */
    private void plug(Switch which) throws IOException {
        run("ip", "-n", hub(), "link", "add", bridge(which), "type", "bridge", "stp_state", "0");
        run("ip", "-n", hub(), "link", "set", bridge(which), "up");
        if (which != Switch.MEMBERS) {
            run(
                    "ip",
                    "link",
                    "add",
                    bridge(which),
                    "type",
                    "veth",
                    "peer",
                    "name",
                    "test" + which.letter,
                    "netns",
                    hub());
            undo.add(new String[] {"ip", "link", "del", bridge(which)});
            run("ip", "address", "add", address(which, 254) + "/24", "dev", bridge(which));
            run("ip", "link", "set", bridge(which), "up");
            run("ip", "-n", hub(), "link", "set", "test" + which.letter, "master", bridge(which), "up");
        }
    }

    private void addMachine(int node) throws IOException {
        String machine = machine(node);
        addNamespace(machine);
        run("ip", "-n", machine, "link", "set", "lo", "up");
        for (Switch each : Switch.values()) {
            String inner = "eth" + each.letter;
            run(
                    "ip",
                    "-n",
                    hub(),
                    "link",
                    "add",
                    port(each, node),
                    "type",
                    "veth",
                    "peer",
                    "name",
                    inner,
                    "netns",
                    machine);
            run("ip", "-n", hub(), "link", "set", port(each, node), "master", bridge(each), "up");
            run("ip", "-n", machine, "address", "add", address(each, node + 1) + "/24", "dev", inner);
            run("ip", "-n", machine, "link", "set", inner, "up");
        }
    }

    private void addNamespace(String added) throws IOException {
        run("ip", "netns", "add", added);
        undo.add(new String[] {"ip", "netns", "del", added});
    }

    /** What stands before a command that is to run on a node's machine. */
    List<String> onMachine(int node) {
        return List.of("ip", "netns", "exec", machine(node));
    }

    /** Where other nodes reach node {@code node}. */
    String memberAddress(int node) {
        return address(Switch.MEMBERS, node + 1);
    }

    /** Where the test reaches node {@code node}. */
    String testedAddress(int node) {
        return address(Switch.TEST, node + 1);
    }

    /** Where nodes reach what the test provides, whatever is cut. */
    String testAddress() {
        return address(Switch.TEST, 254);
    }

    /** Where nodes reach Redis, which runs beside the test. */
    String redisAddress() {
        return address(Switch.REDIS, 254);
    }

    /** Node {@code node} reaches neither other nodes nor Redis, until {@link #heal}. */
    void cut(int node) throws IOException {
        cutFromMembers(node);
        unplug(Switch.REDIS, node);
    }

    /** Node {@code node} reaches Redis and no other node, until {@link #heal}. */
    void cutFromMembers(int node) throws IOException {
        unplug(Switch.MEMBERS, node);
    }

    void heal(int node) throws IOException {
        plug(Switch.REDIS, node);
        plug(Switch.MEMBERS, node);
    }

    private void unplug(Switch which, int node) throws IOException {
        run("ip", "-n", hub(), "link", "set", port(which, node), "nomaster");
    }

    private void plug(Switch which, int node) throws IOException {
        run("ip", "-n", hub(), "link", "set", port(which, node), "master", bridge(which));
    }

    private String hub() {
        return name + "-hub";
    }

    private String machine(int node) {
        return name + "-" + node;
    }

    private String bridge(Switch which) {
        return name + which.letter;
    }

    private String port(Switch which, int node) {
        return name + which.letter + node;
    }

    private String address(Switch which, int host) {
        return "10." + second + "." + which.net + "." + host;
    }

    private static void run(String... command) throws IOException {
        Path out = Files.createTempFile("network", ".txt");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            if (!process.waitFor(COMMAND_S_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException(String.join(" ", command) + ": "
                        + Files.readString(out, StandardCharsets.UTF_8).strip());
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IOException(String.join(" ", command) + ": interrupted", stop);
        } finally {
            Files.deleteIfExists(out);
        }
    }

    /** Whoever still runs on a machine keeps its namespace: end the nodes first. */
    @Override
    public void close() {
        for (int i = undo.size() - 1; i >= 0; i--) {
            try {
                run(undo.get(i));
            } catch (IOException gone) {
                // with its other end
            }
        }
        undo.clear();
    }
}
