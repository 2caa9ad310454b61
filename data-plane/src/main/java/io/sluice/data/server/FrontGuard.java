package io.sluice.data.server;

import io.sluice.data.request.Stop;
import io.sluice.tenants.failure.Refusal;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Refuses what HTTP lets through but no honest client sends: framing that two servers could read differently, odd targets, odd
 * hosts. Looks at the head only, before anything else does (bad-input catalogue §5.1). Stateless.
 */
final class FrontGuard {
    static final Set<HttpMethod> METHODS = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST, HttpMethod.OPTIONS);

    /** A host name, an IPv4 address or a bracketed IPv6 address, with an optional port. */
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(:[0-9]{1,5})?");

    private FrontGuard() {}

    /** Why the request is refused, after which its connection is closed; null where it may pass. */
    static Stop check(HttpServerRequest http) {
        Stop stop = framing(http);
        stop = stop != null ? stop : host(http);
        stop = stop != null ? stop : target(http.uri());
        return stop != null ? stop : expectation(http);
    }

    private static Stop framing(HttpServerRequest http) {
        List<String> encodings = http.headers().getAll(HttpHeaders.TRANSFER_ENCODING);
        List<String> lengths = http.headers().getAll(HttpHeaders.CONTENT_LENGTH);
        if (!encodings.isEmpty()) {
            boolean chunked = encodings.size() == 1 && encodings.get(0).equalsIgnoreCase("chunked");
            if (!lengths.isEmpty() || encodings.size() > 1 || http.version() != HttpVersion.HTTP_1_1) {
                return malformed("Transfer-Encoding must stand alone, once, on HTTP/1.1");
            }
            if (!chunked) {
                return Stop.of(
                        Refusal.BAD_TRANSFER_ENCODING, "Transfer-Encoding must be chunked and nothing else", null);
            }
        }
        if (lengths.size() > 1 || (lengths.size() == 1 && !lengths.get(0).matches("[0-9]{1,19}"))) {
            return malformed("Content-Length must be one plain number");
        }
        return null;
    }

    private static Stop malformed(String message) {
        return Stop.of(Refusal.MALFORMED_HTTP, message, null);
    }

    private static Stop host(HttpServerRequest http) {
        List<String> hosts = http.headers().getAll(HttpHeaders.HOST);
        boolean right = hosts.size() == 1 && HOST.matcher(hosts.get(0)).matches();
        return right ? null : Stop.of(Refusal.BAD_HOST, "send exactly one valid Host header", "host");
    }

    /** Routes are exact raw paths; a path that could be read in two ways is refused instead of normalised. */
    private static Stop target(String uri) {
        int query = uri.indexOf('?');
        String path = query < 0 ? uri : uri.substring(0, query);
        if (!uri.startsWith("/") || uri.indexOf('#') >= 0) {
            return malformed("the request target must begin with / and have no fragment");
        }
        if (path.contains("..") || path.contains("//")) {
            return malformed("the path must not have \"..\" or \"//\"");
        }
        for (int i = 0; i < uri.length(); i++) {
            char c = uri.charAt(i);
            if (c <= ' ' || c >= 127 || c == '\\') {
                return malformed("the request target has a character that must be percent-encoded");
            }
            if (c == '%' && (i + 2 >= uri.length() || !hex(uri.charAt(i + 1)) || !hex(uri.charAt(i + 2)))) {
                return malformed("the request target has a bad percent escape");
            }
        }
        return path.toLowerCase(Locale.ROOT).contains("%2e")
                ? malformed("the path must not have an encoded dot")
                : null;
    }

    private static boolean hex(char c) {
        return Character.digit(c, 16) >= 0;
    }

    private static Stop expectation(HttpServerRequest http) {
        List<String> expected = http.headers().getAll(HttpHeaders.EXPECT);
        boolean right =
                expected.isEmpty() || (expected.size() == 1 && expected.get(0).equalsIgnoreCase("100-continue"));
        return right ? null : Stop.of(Refusal.EXPECTATION_FAILED, "only Expect: 100-continue is understood", "expect");
    }
}
