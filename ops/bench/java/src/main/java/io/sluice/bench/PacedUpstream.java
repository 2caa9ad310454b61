package io.sluice.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;

/**
 * A model server that answers every request with a stream of chunks at a steady pace: the first one at once, then one per interval.
 * Each chunk carries the {@link System#nanoTime()} of its write (the machine's monotonic clock, the same in every process), from which
 * the load client takes the one-way time of the chunk. One thread, no dependencies, so that it costs the load's core little.
 *
 * <p>Arguments: chunks per stream, interval in milliseconds, then the ports to listen on.
 */
public final class PacedUpstream {
    private static final byte[] HEAD = ascii("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
            + "cache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n");
    private static final String BEFORE_STAMP =
            "data: {\"id\":\"chatcmpl-bench\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,"
                    + "\"model\":\"bench-model\",\"system_fingerprint\":\"fp_bench\",\"choices\":[{\"index\":0,"
                    + "\"delta\":{\"content\":\" ";
    private static final String AFTER_STAMP = "\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n";
    private static final int REQUEST_BYTES_MAX = 64 * 1024;

    private final int chunksPerStream;
    private final long intervalNanos;
    private final Selector selector;
    /** All streams have the same interval, so the order of scheduling is the order of due times: a queue does for a heap. */
    private final ArrayDeque<Connection> due = new ArrayDeque<>();

    private final byte[] chunk;
    private final int stampAt;
    private final byte[] tail;

    private PacedUpstream(int chunksPerStream, long intervalNanos) throws IOException {
        this.chunksPerStream = chunksPerStream;
        this.intervalNanos = intervalNanos;
        this.selector = Selector.open();
        String event = BEFORE_STAMP + Stamp.of(0) + AFTER_STAMP;
        String framed = framed(event);
        this.chunk = ascii(framed);
        this.stampAt = framed.indexOf(Stamp.of(0));
        this.tail = ascii(framed(
                        "data: {\"id\":\"chatcmpl-bench\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,"
                                + "\"model\":\"bench-model\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n")
                + framed("data: {\"id\":\"chatcmpl-bench\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,"
                        + "\"model\":\"bench-model\",\"choices\":[],\"usage\":{\"prompt_tokens\":200,\"completion_tokens\":"
                        + chunksPerStream + ",\"total_tokens\":" + (200 + chunksPerStream) + "}}\n\n")
                + framed("data: [DONE]\n\n")
                + "0\r\n\r\n");
    }

    public static void main(String[] args) throws IOException {
        PacedUpstream upstream = new PacedUpstream(Integer.parseInt(args[0]), Long.parseLong(args[1]) * 1_000_000);
        for (String port : Arrays.asList(args).subList(2, args.length)) {
            ServerSocketChannel server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)), 1024);
            server.configureBlocking(false);
            server.register(upstream.selector, SelectionKey.OP_ACCEPT);
        }
        System.out.println("Paced upstream is ready");
        upstream.loop();
    }

    private void loop() throws IOException {
        while (true) {
            long wait = due.isEmpty() ? 1_000 : (due.peek().dueNanos - System.nanoTime()) / 1_000_000 + 1;
            int ready = wait > 0 ? selector.select(wait) : selector.selectNow();
            if (ready > 0) {
                Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
                while (keys.hasNext()) {
                    SelectionKey key = keys.next();
                    keys.remove();
                    serve(key);
                }
            }
            sendWhatIsDue();
        }
    }

    private void serve(SelectionKey key) throws IOException {
        if (key.isValid() && key.isAcceptable()) {
            SocketChannel accepted = ((ServerSocketChannel) key.channel()).accept();
            if (accepted != null) {
                accepted.configureBlocking(false);
                accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SelectionKey own = accepted.register(selector, SelectionKey.OP_READ);
                own.attach(new Connection(own, accepted));
            }
            return;
        }
        Connection connection = (Connection) key.attachment();
        try {
            if (key.isValid() && key.isWritable()) {
                connection.flush();
            }
            if (key.isValid() && key.isReadable() && connection.readRequest()) {
                connection.startStream();
            }
        } catch (IOException gone) {
            connection.close();
        }
    }

    private void sendWhatIsDue() {
        long now = System.nanoTime();
        while (!due.isEmpty() && due.peek().dueNanos - now <= 0) {
            Connection connection = due.poll();
            try {
                connection.sendNext();
            } catch (IOException gone) {
                connection.close();
            }
        }
    }

    private static String framed(String event) {
        return Integer.toHexString(event.length()) + "\r\n" + event + "\r\n";
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** One client's connection; at most one stream runs on it at a time. */
    private final class Connection {
        private final SelectionKey key;
        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocate(REQUEST_BYTES_MAX);
        /** What the socket would not take yet; empty nearly always. */
        private ByteBuffer unsent = ByteBuffer.allocate(0);

        private long dueNanos;
        private int sent;
        private boolean open = true;

        Connection(SelectionKey key, SocketChannel channel) {
            this.key = key;
            this.channel = channel;
        }

        /** @return true when a whole request has been read and taken out of the buffer */
        boolean readRequest() throws IOException {
            int count = channel.read(in);
            if (count < 0 || !in.hasRemaining()) {
                close();
                return false;
            }
            int length = RequestEnd.of(in.array(), in.position());
            if (length < 0) {
                return false;
            }
            in.flip();
            in.position(length);
            in.compact();
            return true;
        }

        void startStream() throws IOException {
            sent = 0;
            ByteBuffer first = ByteBuffer.allocate(HEAD.length + chunk.length);
            first.put(HEAD);
            putChunk(first);
            send(first.flip());
            schedule(System.nanoTime());
        }

        void sendNext() throws IOException {
            if (!open) {
                return;
            }
            if (sent == chunksPerStream) {
                send(ByteBuffer.wrap(tail));
                return;
            }
            ByteBuffer next = ByteBuffer.allocate(chunk.length);
            putChunk(next);
            send(next.flip());
            schedule(dueNanos);
        }

        private void putChunk(ByteBuffer into) {
            int at = into.position() + stampAt;
            into.put(chunk);
            Stamp.write(System.nanoTime(), into.array(), at);
            sent++;
        }

        private void schedule(long fromNanos) {
            dueNanos = fromNanos + intervalNanos;
            due.add(this);
        }

        private void send(ByteBuffer bytes) throws IOException {
            if (unsent.hasRemaining()) {
                unsent = ByteBuffer.allocate(unsent.remaining() + bytes.remaining())
                        .put(unsent)
                        .put(bytes)
                        .flip();
                return;
            }
            channel.write(bytes);
            if (bytes.hasRemaining()) {
                unsent = bytes;
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            }
        }

        void flush() throws IOException {
            channel.write(unsent);
            if (!unsent.hasRemaining()) {
                key.interestOps(SelectionKey.OP_READ);
            }
        }

        void close() {
            open = false;
            key.cancel();
            try {
                channel.close();
            } catch (IOException alreadyGone) {
                // Nothing is left to do for a socket that cannot even be closed.
            }
        }
    }
}
