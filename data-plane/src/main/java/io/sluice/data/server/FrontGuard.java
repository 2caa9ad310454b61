package io.sluice.data.server;

import io.sluice.data.request.Stop;
import io.sluice.tenants.failure.Refusal;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Refuses what HTTP lets through but no honest client sends: framing that two servers could read differently, odd targets, odd
 * hosts. Looks at the head only, before anything else does (bad-input catalogue §5.1). Stateless.
 */
final class FrontGuard {
    private static final Set<HttpMethod> METHODS =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST, HttpMethod.OPTIONS);

    /** What a caller of any other method may use instead. */
    static final String ALLOWED = "GET, HEAD, POST, OPTIONS";

    /** A bracketed IPv6 address with an optional port. */
    private static final Pattern IPV6_HOST = Pattern.compile("\\[[0-9A-Fa-f:.]{2,45}\\](:[0-9]{1,5})?");

    private static final int NAME_CHARS_MAX = 253;

    private static final int PORT_DIGITS_MAX = 5;

    /** {@link Long#MAX_VALUE} has as many. */
    private static final int LENGTH_DIGITS_MAX = 19;

    private FrontGuard() {}

    /** Why the request is refused, after which its connection is closed; null where it may pass. */
    static Stop check(HttpServerRequest http) {
        Stop stop = framing(http);
        stop = stop != null ? stop : method(http);
        stop = stop != null ? stop : host(http);
        stop = stop != null ? stop : target(http.uri());
        return stop != null ? stop : expectation(http);
    }

    private static Stop framing(HttpServerRequest http) {
        MultiMap headers = http.headers();
        if (headers.contains(HttpHeaders.TRANSFER_ENCODING)) {
            List<String> encodings = headers.getAll(HttpHeaders.TRANSFER_ENCODING);
            boolean alone = encodings.size() == 1 && !headers.contains(HttpHeaders.CONTENT_LENGTH);
            if (!alone || http.version() != HttpVersion.HTTP_1_1) {
                return malformed("Transfer-Encoding must stand alone, once, on HTTP/1.1");
            }
            return encodings.get(0).equalsIgnoreCase("chunked")
                    ? null
                    : Stop.of(
                            Refusal.BAD_TRANSFER_ENCODING, "Transfer-Encoding must be chunked and nothing else", null);
        }
        List<String> lengths = headers.getAll(HttpHeaders.CONTENT_LENGTH);
        return lengths.isEmpty() || (lengths.size() == 1 && digits(lengths.get(0)))
                ? null
                : malformed("Content-Length must be one plain number");
    }

    private static boolean digits(String length) {
        for (int i = 0; i < length.length(); i++) {
            if (length.charAt(i) < '0' || length.charAt(i) > '9') {
                return false;
            }
        }
        return !length.isEmpty() && length.length() <= LENGTH_DIGITS_MAX;
    }

    private static Stop malformed(String message) {
        return Stop.of(Refusal.MALFORMED_HTTP, message, null);
    }

    private static Stop method(HttpServerRequest http) {
        return METHODS.contains(http.method())
                ? null
                : Stop.of(Refusal.METHOD_NOT_ALLOWED, "only " + ALLOWED + " are understood", null);
    }

    private static Stop host(HttpServerRequest http) {
        List<String> hosts = http.headers().getAll(HttpHeaders.HOST);
        boolean right = hosts.size() == 1
                && (named(hosts.get(0)) || IPV6_HOST.matcher(hosts.get(0)).matches());
        return right ? null : Stop.of(Refusal.BAD_HOST, "send exactly one valid Host header", "host");
    }

    /** A name or IPv4 address with an optional port: what nearly every request has, looked at without a pattern. */
    private static boolean named(String host) {
        int end = 0;
        while (end < host.length() && nameChar(host.charAt(end))) {
            end++;
        }
        if (end == 0 || end > NAME_CHARS_MAX || end == host.length()) {
            return end > 0 && end <= NAME_CHARS_MAX;
        }
        int digits = host.length() - end - 1;
        boolean port = host.charAt(end) == ':' && digits >= 1 && digits <= PORT_DIGITS_MAX;
        for (int i = end + 1; port && i < host.length(); i++) {
            port = host.charAt(i) >= '0' && host.charAt(i) <= '9';
        }
        return port;
    }

    private static boolean nameChar(char c) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return letter || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    }

    /** Routes are exact raw paths; a path that could be read in two ways is refused instead of normalised. */
    private static Stop target(String uri) {
        if (!uri.startsWith("/")) {
            return malformed("the request target must begin with /");
        }
        int query = uri.indexOf('?');
        int pathEnd = query < 0 ? uri.length() : query;
        for (int i = 0; i < uri.length(); i++) {
            char c = uri.charAt(i);
            if (c <= ' ' || c >= 127 || c == '\\' || c == '#') {
                return malformed("the request target has a character that must be percent-encoded");
            }
            if (c == '%' && (i + 2 >= uri.length() || !hex(uri.charAt(i + 1)) || !hex(uri.charAt(i + 2)))) {
                return malformed("the request target has a bad percent escape");
            }
            if (i < pathEnd && ambiguous(uri, i)) {
                return malformed("the path must not have \"..\", \"//\" or an encoded dot or slash");
            }
        }
        return null;
    }

    /** Whether another server could read the path at {@code i} as another path. A model's name may hold an encoded slash. */
    private static boolean ambiguous(String uri, int i) {
        char c = uri.charAt(i);
        if (c == '%') {
            boolean dot = uri.charAt(i + 1) == '2' && (uri.charAt(i + 2) | 0x20) == 'e';
            boolean slash = uri.charAt(i + 1) == '2' && (uri.charAt(i + 2) | 0x20) == 'f';
            return dot || (slash && !uri.startsWith(GatewayServer.MODEL));
        }
        return (c == '.' || c == '/') && i + 1 < uri.length() && uri.charAt(i + 1) == c;
    }

    private static boolean hex(char c) {
        return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
    }

    private static Stop expectation(HttpServerRequest http) {
        if (!http.headers().contains(HttpHeaders.EXPECT)) {
            return null;
        }
        List<String> expected = http.headers().getAll(HttpHeaders.EXPECT);
        return expected.size() == 1 && expected.get(0).equalsIgnoreCase("100-continue")
                ? null
                : Stop.of(Refusal.EXPECTATION_FAILED, "only Expect: 100-continue is understood", "expect");
    }
}
