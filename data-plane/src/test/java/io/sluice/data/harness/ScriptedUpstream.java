package io.sluice.data.harness;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An upstream, on loopback where nothing else is said, that plays a script byte by byte and remembers every request and when its client left. One daemon
 * thread per connection.
 */
public final class ScriptedUpstream implements AutoCloseable {
    private final ServerSocket server;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile Script script;

    /** What the upstream does with one request. */
    @FunctionalInterface
    public interface Script {
        void play(Request request, Wire wire) throws IOException, InterruptedException;
    }

    /** One request as it came. */
    public static final class Request {
        private final String line;
        private final Map<String, String> headers;
        private final byte[] body;
        private final CountDownLatch left = new CountDownLatch(1);
        private volatile long leftNs;

        Request(String line, Map<String, String> headers, byte[] body) {
            this.line = line;
            this.headers = headers;
            this.body = body;
        }

        /** Such as {@code POST /v1/chat/completions HTTP/1.1}. */
        public String line() {
            return line;
        }

        /** By lower-case name. */
        public Map<String, String> headers() {
            return headers;
        }

        public String body() {
            return new String(body, StandardCharsets.UTF_8);
        }

        /** Everything that came, as text. */
        public String whole() {
            return line + "\n" + headers + "\n" + body();
        }

        /** Waits until the gateway has cut the connection; false where it has not in time. */
        public boolean clientLeftWithin(long millis) throws InterruptedException {
            return left.await(millis, TimeUnit.MILLISECONDS);
        }

        void markLeft() {
            leftNs = System.nanoTime();
            left.countDown();
        }

        /** {@link System#nanoTime} of the cut; 0 while there was none. */
        public long leftNs() {
            return leftNs;
        }
    }

    /** The upstream's side of one connection. */
    public static final class Wire {
        private final Socket socket;
        private final OutputStream out;
        private final Request request;

        Wire(Socket socket, Request request) throws IOException {
            this.socket = socket;
            this.request = request;
            out = socket.getOutputStream();
        }

        /** Raw bytes, flushed. */
        public Wire raw(String text) throws IOException {
            return raw(text.getBytes(StandardCharsets.UTF_8));
        }

        /** Raw bytes, flushed. */
        public Wire raw(byte[] bytes) throws IOException {
            try {
                out.write(bytes);
                out.flush();
            } catch (IOException broken) {
                request.markLeft();
                throw broken;
            }
            return this;
        }

        /** Status line and headers of a chunked answer. */
        public Wire head(int status, String contentType) throws IOException {
            return raw("HTTP/1.1 " + status + " X\r\nContent-Type: " + contentType
                    + "\r\nTransfer-Encoding: chunked\r\n\r\n");
        }

        /** Head of a streamed answer. */
        public Wire stream() throws IOException {
            return head(200, "text/event-stream");
        }

        /** One HTTP chunk. */
        public Wire chunk(String text) throws IOException {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            ByteArrayOutputStream framed = new ByteArrayOutputStream(bytes.length + 16);
            framed.writeBytes((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            framed.writeBytes(bytes);
            framed.writeBytes(new byte[] {'\r', '\n'});
            return raw(framed.toByteArray());
        }

        /** Regular end of a chunked answer. */
        public Wire end() throws IOException {
            return raw("0\r\n\r\n");
        }

        /** A whole answer with its length. */
        public Wire whole(int status, String contentType, String body, String... headers) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " X\r\nContent-Type: " + contentType
                    + "\r\nContent-Length: " + bytes.length + "\r\n");
            for (String header : headers) {
                head.append(header).append("\r\n");
            }
            raw(head + "\r\n");
            return raw(bytes);
        }

        /** A whole JSON answer. */
        public Wire json(int status, String body, String... headers) throws IOException {
            return whole(status, "application/json", body, headers);
        }

        /** TCP reset. */
        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        /** Regular TCP close. */
        public void close() throws IOException {
            socket.close();
        }

        /** Says nothing until the gateway leaves, at most this long. */
        public void hang(long millis) throws IOException {
            socket.setSoTimeout((int) millis);
            try {
                if (socket.getInputStream().read() < 0) {
                    request.markLeft();
                }
            } catch (SocketTimeoutException stillThere) {
                socket.setSoTimeout(0);
            } catch (IOException reset) {
                request.markLeft();
                throw reset;
            }
        }
    }

    private ScriptedUpstream(String host, Script script) throws IOException {
        this.script = script;
        server = new ServerSocket(0, 512, InetAddress.getByName(host));
        Thread acceptor = new Thread(this::accept, "scripted-upstream");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /** An upstream that plays {@code script} for every request. */
    public static ScriptedUpstream playing(Script script) {
        return playing("127.0.0.1", script);
    }

    /** Likewise at an address of this machine, given in digits. */
    public static ScriptedUpstream playing(String host, Script script) {
        try {
            return new ScriptedUpstream(host, script);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** An upstream that streams these SSE bytes, one HTTP chunk each. */
    public static ScriptedUpstream streaming(String... chunks) {
        return playing((request, wire) -> {
            wire.stream();
            for (String chunk : chunks) {
                wire.chunk(chunk);
            }
            wire.end();
        });
    }

    /** An upstream that answers this JSON. */
    public static ScriptedUpstream answering(int status, String json, String... headers) {
        return playing((request, wire) -> wire.json(status, json, headers));
    }

    /** Plays something else from the next request on. */
    public void play(Script next) {
        script = next;
    }

    public List<Request> requests() {
        return requests;
    }

    /** Connections accepted so far. */
    public int connections() {
        return connections.get();
    }

    /** Connections that are open now. */
    public long openConnections() {
        return open.stream().filter(socket -> !socket.isClosed()).count();
    }

    public int port() {
        return server.getLocalPort();
    }

    /** The base URL to configure. */
    public String baseUrl() {
        return "http://" + server.getInetAddress().getHostAddress() + ":" + port() + "/v1";
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                connections.incrementAndGet();
                open.add(socket);
                Thread thread = new Thread(() -> serve(socket), "scripted-upstream-connection");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        Request request = null;
        try (socket) {
            InputStream in = socket.getInputStream();
            while (!socket.isClosed()) {
                request = read(in);
                if (request == null) {
                    return;
                }
                requests.add(request);
                script.play(request, new Wire(socket, request));
            }
        } catch (IOException | InterruptedException left) {
            if (request != null) {
                request.markLeft();
            }
        } finally {
            open.remove(socket);
        }
    }

    private static Request read(InputStream in) throws IOException {
        String line = readLine(in);
        if (line == null) {
            return null;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        for (String header = readLine(in); header != null && !header.isEmpty(); header = readLine(in)) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Request(line, headers, in.readNBytes(length));
    }

    private static String readLine(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                return line.toString(StandardCharsets.UTF_8).stripTrailing();
            }
            line.write(b);
        }
        return null;
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException alreadyClosed) {
            throw new UncheckedIOException(alreadyClosed);
        }
    }
}
