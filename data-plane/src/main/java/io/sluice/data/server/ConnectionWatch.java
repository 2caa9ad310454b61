package io.sluice.data.server;

import io.sluice.data.net.TurnFlush;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Closes connections that hold a place without using it: those whose first head takes too long, those idle between requests,
 * and those beyond what one address may hold. For one event loop; a sweep a second, no timer per connection.
 */
final class ConnectionWatch {
    private static final long SWEEP_MS = 1_000;

    private static final long NS_PER_MS = 1_000_000;

    private final long headMs;
    private final long idleMs;
    private final int perAddressMax;
    private final Map<HttpConnection, Seen> connections = new LinkedHashMap<>();
    private final Map<String, Integer> byAddress = new HashMap<>();

    private static final class Seen {
        private final String address;
        private long sinceNs = System.nanoTime();
        private int running;
        private boolean used;
        private boolean closing;

        Seen(String address) {
            this.address = address;
        }
    }

    /**
     * @param headMs from connecting to the end of the first head (bad-input row 24)
     * @param idleMs from the end of a request to the end of the next head
     */
    ConnectionWatch(Vertx vertx, long headMs, long idleMs, int perAddressMax) {
        this.headMs = headMs;
        this.idleMs = idleMs;
        this.perAddressMax = perAddressMax;
        vertx.setPeriodic(SWEEP_MS, timer -> sweep());
    }

    void opened(HttpConnection connection) {
        String address = connection.remoteAddress().hostAddress();
        connections.put(connection, new Seen(address));
        TurnFlush.on(connection);
        connection.closeHandler(closed -> closed(connection));
        connection.exceptionHandler(reset -> {}); // its requests hear of it; every caller's reset is no line in our log
        if (byAddress.merge(address, 1, Integer::sum) > perAddressMax) {
            connection.close();
        }
    }

    private void closed(HttpConnection connection) {
        Seen seen = connections.remove(connection);
        if (seen != null) {
            byAddress.computeIfPresent(seen.address, (address, count) -> count == 1 ? null : count - 1);
        }
    }

    /** A request came; false where the connection is being closed and the request must not be looked at. */
    boolean began(HttpConnection connection) {
        Seen seen = connections.get(connection);
        if (seen != null) {
            seen.running++;
            seen.used = true;
        }
        return seen == null || !seen.closing;
    }

    /** Whatever else comes on this connection is ignored. */
    void closing(HttpConnection connection) {
        Seen seen = connections.get(connection);
        if (seen != null) {
            seen.closing = true;
        }
    }

    void ended(HttpConnection connection) {
        Seen seen = connections.get(connection);
        if (seen != null) {
            seen.running--;
            seen.sinceNs = System.nanoTime();
        }
    }

    private void sweep() {
        long now = System.nanoTime();
        for (Map.Entry<HttpConnection, Seen> entry : List.copyOf(connections.entrySet())) {
            Seen seen = entry.getValue();
            long allowedMs = seen.used ? idleMs : headMs;
            if (seen.running == 0 && now - seen.sinceNs > allowedMs * NS_PER_MS) {
                entry.getKey().close();
            }
        }
    }
}
