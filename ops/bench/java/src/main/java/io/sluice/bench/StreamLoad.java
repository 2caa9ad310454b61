package io.sluice.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Keeps a number of streams open against one port and measures what comes out: chunks, the one-way time of every chunk, the time to
 * the first chunk, and the CPU time that the measured processes took in exactly that window. One thread; it lives for the whole
 * benchmark, so that it is compiled by the time it measures.
 *
 * <p>Commands on standard input, one a line: {@code PORT STREAMS SECONDS REQUEST_FILE PID[,PID…] CHUNKS}, the last being how
 * many chunks a whole stream has. One JSON object a line comes back.
 * The streams start spread over the ramp, so that their chunks do not come in step; after the window no stream is started and the
 * running ones are read to their end, so no gateway is measured on aborts.
 */
public final class StreamLoad {
    private static final long RAMP_NANOS = 1_000_000_000L;
    /** A stream that has not ended this long after the window counts as broken. */
    private static final long DRAIN_NANOS = 30_000_000_000L;

    private final Selector selector;
    private final InetSocketAddress address;
    private final byte[] request;
    private final int chunksPerStream;
    private final List<StreamReader> readers = new ArrayList<>();
    private final Tally tally = new Tally();

    private StreamLoad(int port, byte[] request, int chunksPerStream) throws IOException {
        this.selector = Selector.open();
        this.address = new InetSocketAddress("127.0.0.1", port);
        this.request = request;
        this.chunksPerStream = chunksPerStream;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            String[] word = line.trim().split(" ");
            StreamLoad load = new StreamLoad(
                    Integer.parseInt(word[0]), Files.readAllBytes(Path.of(word[3])), Integer.parseInt(word[5]));
            System.out.println(load.run(
                    Integer.parseInt(word[1]), (long) (Double.parseDouble(word[2]) * 1e9), word[4].split(",")));
        }
    }

    private String run(int streams, long windowNanos, String[] pids) throws IOException {
        long start = System.nanoTime();
        while (readers.size() < streams) {
            long elapsed = System.nanoTime() - start;
            while (readers.size() < streams && readers.size() * RAMP_NANOS / streams <= elapsed) {
                connect();
            }
            poll(1);
        }
        pollUntil(System.nanoTime() + 200_000_000L);

        tally.open();
        long cpuBefore = CpuClock.ticks(pids);
        long from = System.nanoTime();
        pollUntil(from + windowNanos);
        long windowNanosTaken = System.nanoTime() - from;
        long cpuTicks = CpuClock.ticks(pids) - cpuBefore;
        tally.close();

        drain();
        selector.close();
        return tally.json(cpuTicks, windowNanosTaken);
    }

    private void connect() throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.connect(address);
        channel.configureBlocking(false);
        StreamReader reader = new StreamReader(channel, tally, chunksPerStream);
        channel.register(selector, SelectionKey.OP_READ, reader);
        readers.add(reader);
        ask(reader);
    }

    private void ask(StreamReader reader) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(request);
        reader.asked(System.nanoTime());
        while (bytes.hasRemaining()) {
            reader.channel().write(bytes);
        }
    }

    private void pollUntil(long deadlineNanos) throws IOException {
        for (long left = deadlineNanos - System.nanoTime(); left > 0; left = deadlineNanos - System.nanoTime()) {
            poll(Math.max(1, left / 1_000_000));
        }
    }

    private void poll(long waitMillis) throws IOException {
        selector.select(waitMillis);
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
            SelectionKey key = keys.next();
            keys.remove();
            StreamReader reader = (StreamReader) key.attachment();
            try {
                if (reader.read() && !tally.closed()) {
                    ask(reader);
                }
            } catch (IOException broken) {
                tally.broken(broken.getMessage());
                reader.abandon();
                key.cancel();
                key.channel().close();
            }
        }
    }

    private void drain() throws IOException {
        long deadline = System.nanoTime() + DRAIN_NANOS;
        while (readers.stream().anyMatch(StreamReader::running) && System.nanoTime() < deadline) {
            poll(20);
        }
        for (StreamReader reader : readers) {
            if (reader.running()) {
                tally.broken("no end within 30 s after the window");
            }
            reader.channel().close();
        }
    }
}
