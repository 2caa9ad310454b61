package io.sluice.ops.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A real Redis on loopback with its files in a directory of the test; stopped by whoever started it. Not thread-safe. */
public final class RedisServer implements AutoCloseable {
    private static final int START_MS_MAX = 20_000;

    private final Path directory;
    private final int port;
    private final List<String> options;

    /** Null where it begins as a primary. */
    private RedisServer primary;

    private Process process;

    private RedisServer(Path directory, int port, List<String> options) {
        this.directory = directory;
        this.port = port;
        this.options = options;
    }

    /** One that keeps every write on disk, as the ledger wants it. */
    public static RedisServer start(Path directory, String... options) throws IOException {
        RedisServer server = new RedisServer(directory, freePort(), List.of(options));
        server.start();
        return server;
    }

    /** A replica of {@code primary}; returns when it is in step. */
    public static RedisServer replicaOf(RedisServer primary, Path directory) throws IOException {
        RedisServer replica = new RedisServer(directory, freePort(), List.of());
        replica.startAsReplicaOf(primary);
        return replica;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Starts it as a replica of {@code other}, whatever it was before; returns when it is in step. */
    public void startAsReplicaOf(RedisServer other) throws IOException {
        primary = other;
        start();
        await("INFO", "master_link_status:up");
        other.await("INFO", "state=online"); // before that it asks it for no confirmation
    }

    /** Starts it, again with the same port and files where it ran before. */
    public void start() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "redis-server",
                "--bind",
                "127.0.0.1",
                "--port",
                String.valueOf(port),
                "--dir",
                directory.toString(),
                "--save",
                "",
                "--appendonly",
                "yes",
                "--appendfsync",
                "always",
                "--maxmemory-policy",
                "noeviction",
                "--repl-diskless-sync-delay",
                "0"));
        if (primary != null) {
            command.addAll(List.of("--replicaof", "127.0.0.1", String.valueOf(primary.port)));
        }
        command.addAll(options);
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("redis.log").toFile())
                .start();
        await("PING", "PONG");
    }

    public int port() {
        return port;
    }

    public String endpoint() {
        return "redis://127.0.0.1:" + port;
    }

    /** kill -9. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(10, TimeUnit.SECONDS);
    }

    /** A replica becomes the primary. */
    public void promote() throws IOException {
        ask("REPLICAOF", "NO", "ONE");
        primary = null;
    }

    /** Stops answering, as in a long pause of its machine. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Goes on after {@link #pause}. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** What it answers to one command, as it comes over the wire. */
    public String ask(String... command) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream()
                    .write((String.join(" ", command) + "\r\nQUIT\r\n").getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns when the answer to {@code command} has {@code wanted}. */
    public void await(String command, String wanted) throws IOException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MS_MAX);
        IOException last = null;
        while (System.nanoTime() < end) {
            try {
                if (ask(command).contains(wanted)) {
                    return;
                }
            } catch (IOException notYet) {
                last = notYet;
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        throw new IOException("Redis did not say " + wanted + " to " + command, last);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
