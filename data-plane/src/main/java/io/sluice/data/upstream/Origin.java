package io.sluice.data.upstream;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.concurrent.Callable;

/**
 * Where a provider listens, with its address resolved and checked by ourselves: connections go to the very address that was
 * checked, so a name that changes its mind between check and use gains nothing. Thread-safe.
 */
final class Origin {
    /** A changed DNS entry is followed within this time. */
    private static final long FRESH_NS = 30_000_000_000L;

    /** Looks a name up; blocking. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    /** One of the addresses of the name is not allowed. */
    static final class NotAllowedException extends UnknownHostException {
        private static final long serialVersionUID = 1;

        NotAllowedException() {
            super("the address is not allowed: it is private and not in upstreams.allowPrivate");
        }
    }

    private record Resolved(SocketAddress address, long atNs) {}

    private final Vertx vertx;
    private final AddressPolicy policy;
    private final Resolver resolver;
    private final String host;
    private final int port;
    private final boolean ssl;
    private volatile Resolved resolved;

    Origin(Vertx vertx, AddressPolicy policy, URI uri) {
        this(vertx, policy, uri, InetAddress::getAllByName);
    }

    Origin(Vertx vertx, AddressPolicy policy, URI uri, Resolver resolver) {
        this.resolver = resolver;
        this.vertx = vertx;
        this.policy = policy;
        ssl = "https".equals(uri.getScheme());
        String named = uri.getHost();
        host = named.startsWith("[") ? named.substring(1, named.length() - 1) : named;
        port = uri.getPort() > 0 ? uri.getPort() : ssl ? 443 : 80;
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    boolean ssl() {
        return ssl;
    }

    /** The checked address if it is fresh, else null: then {@link #resolve} has to be asked. */
    SocketAddress fresh(long nowNs) {
        Resolved now = resolved;
        return now != null && nowNs - now.atNs() < FRESH_NS ? now.address() : null;
    }

    /** Resolves and checks anew. Fails where the name is unknown or one of its addresses is not allowed. */
    Future<SocketAddress> resolve(long nowNs) {
        Callable<SocketAddress> blocking = () -> {
            InetAddress[] addresses = resolver.resolve(host);
            for (InetAddress address : addresses) {
                if (!policy.allows(host, address)) {
                    throw new NotAllowedException();
                }
            }
            SocketAddress address = SocketAddress.inetSocketAddress(port, addresses[0].getHostAddress());
            resolved = new Resolved(address, nowNs);
            return address;
        };
        return vertx.executeBlocking(blocking, false);
    }
}
