package io.sluice.ops.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between a client and a server on loopback. Connections can go silent for ever while their ends still believe in them, as after
 * a network was cut. Two daemon threads per connection.
 */
final class Forwarder implements AutoCloseable {
    private final ServerSocket front;
    private final int behind;
    private final List<Pair> pairs = new CopyOnWriteArrayList<>();

    private static final class Pair {
        private final Socket client;
        private final Socket server;
        private volatile boolean silent;

        Pair(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void pump(Socket from, Socket to) {
            byte[] bytes = new byte[8_192];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                    if (!silent) {
                        out.write(bytes, 0, n);
                    }
                }
            } catch (IOException broken) {
                // the other direction ends by the same
            }
            if (!silent) {
                close();
            }
        }

        void close() {
            try (client;
                    server) {
                silent = true;
            } catch (IOException closed) {
                // as wanted
            }
        }
    }

    private Forwarder(int behind) throws IOException {
        this.behind = behind;
        front = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    }

    static Forwarder to(int port) throws IOException {
        Forwarder forwarder = new Forwarder(port);
        start(forwarder::accept);
        return forwarder;
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "forwarder");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!front.isClosed()) {
            try {
                Socket client = front.accept();
                Pair pair = new Pair(client, new Socket(InetAddress.getLoopbackAddress(), behind));
                pairs.add(pair);
                start(() -> pair.pump(pair.client, pair.server));
                start(() -> pair.pump(pair.server, pair.client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    int port() {
        return front.getLocalPort();
    }

    /** Nothing that is sent over the connections that there are now arrives any more; new ones work. */
    void silence() {
        pairs.forEach(pair -> pair.silent = true);
    }

    @Override
    public void close() throws IOException {
        front.close();
        pairs.forEach(Pair::close);
    }
}
