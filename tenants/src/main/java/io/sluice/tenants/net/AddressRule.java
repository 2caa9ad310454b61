package io.sluice.tenants.net;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where upstreams may be. The same rule is asked twice: {@link #problem(String)} when a base URL is saved, and
 * {@link #problem(String, InetAddress)} for each address that the name has when a connection is opened, since a name may
 * mean another address by then (bad-input rows 100 and 101). Immutable; never asks a name server.
 *
 * @param loopback whether this machine may be an upstream, also by plain {@code http}
 * @param allowed names and literal addresses that may be private, link-local or loopback, and plain {@code http}; lower case
 */
public record AddressRule(boolean loopback, Set<String> allowed) {
    /** Only public addresses, only https: the rule of a production start that lists nothing. */
    public static final AddressRule PUBLIC_ONLY = new AddressRule(false, Set.of());

    /** This machine as well: the rule of {@code up}. */
    public static final AddressRule WITH_LOOPBACK = new AddressRule(true, Set.of());

    /** Longer URLs are refused by servers that count. */
    public static final int URL_CHARS_MAX = 2_048;

    /**
     * Ports whose servers are known to obey commands found inside an HTTP request, or to hold data that nobody asks for by
     * HTTP: the list of the Fetch standard as far as services still exist, and the databases.
     */
    private static final Set<Integer> PORTS_REFUSED = Set.of(
            0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 79, 110, 111, 113, 119, 123, 135,
            137, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 540, 548, 554, 563, 587, 601, 636, 993,
            995, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 2379, 3306, 3389, 3659, 4045, 5060, 5061, 5432, 5701, 5900,
            6000, 6379, 6380, 6566, 6697, 10080, 11211, 27017);

    private static final Pattern NAME =
            Pattern.compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?" + "(\\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*");

    /**
     * Google and its short forms, Amazon ({@code instance-data.ec2.internal}), Azure ({@code metadata.azure.internal}),
     * Alibaba and Tencent ({@code metadata.tencentyun.com}), as their documentation names them.
     */
    private static final Pattern METADATA_NAME = Pattern.compile("(metadata|instance-data|metadata\\.goog"
            + "|metadata\\.tencentyun\\.com|([a-z0-9_-]+\\.)*(metadata|instance-data)\\.([a-z0-9_-]+\\.)*internal)");

    public AddressRule {
        allowed = allowed.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /** What is wrong with a base URL, in words that say what to write; empty where nothing is. */
    public Optional<String> problem(String baseUrl) {
        if (baseUrl.length() > URL_CHARS_MAX) {
            return Optional.of("must be at most " + URL_CHARS_MAX + " characters");
        }
        URI uri;
        try {
            uri = new URI(baseUrl).parseServerAuthority();
        } catch (URISyntaxException malformed) {
            return Optional.of("is not a URL such as https://api.example.com/v1");
        }
        if (uri.getScheme() == null || uri.getHost() == null) {
            return Optional.of("must be a whole URL such as https://api.example.com/v1");
        }
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("http")) {
            return Optional.of("must begin with https://");
        }
        if (uri.getRawUserInfo() != null) {
            return Optional.of("must not have a user name before the host; use the credential instead");
        }
        if (uri.getRawFragment() != null) {
            return Optional.of("must not have a fragment; leave out what follows #");
        }
        if (uri.getRawQuery() != null && uri.getRawQuery().indexOf('?') >= 0) {
            return Optional.of("must not have a second ?; write it as %3F");
        }
        if (uri.getPort() > 65_535 || PORTS_REFUSED.contains(uri.getPort())) {
            return Optional.of("must not name port " + uri.getPort() + ", which is not a port of web servers");
        }
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        return hostProblem(host, scheme.equals("http"));
    }

    /** Whether a host is an address that no list makes an upstream: a cloud's metadata service, or no single host. */
    public static boolean neverAllowed(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return HostLiteral.looksNumeric(lower)
                && HostLiteral.parse(lower)
                        .map(AddressClass::of)
                        .filter(kind -> switch (kind) {
                            case METADATA, MULTICAST, RESERVED -> true;
                            case PUBLIC, LOOPBACK, PRIVATE, LINK_LOCAL -> false;
                        })
                        .isPresent();
    }

    private Optional<String> hostProblem(String host, boolean plain) {
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        if (HostLiteral.looksNumeric(bare)) {
            Optional<byte[]> address = HostLiteral.parse(bare);
            return address.isEmpty()
                    ? Optional.of("must name its address in canonical form, such as 203.0.113.7 or [2001:db8::7]")
                    : refusal(bare, AddressClass.of(address.get()), plain);
        }
        if (host.length() > 253 || !NAME.matcher(host).matches()) {
            return Optional.of(
                    "must have a host of letters, digits, hyphens and single dots, without a dot at its end");
        }
        boolean here = namesThisMachine(host);
        if (!allowed.contains(host) && (host.startsWith("xn--") || host.contains(".xn--"))) {
            return Optional.of("has an internationalized host, which can look like another one; " + howToAllow(host));
        }
        if (!allowed.contains(host) && namesMetadata(host)) {
            return Optional.of("names a cloud's metadata service; " + howToAllow(host));
        }
        return refusal(host, here ? AddressClass.LOOPBACK : AddressClass.PUBLIC, plain);
    }

    /**
     * Why no connection may be opened to {@code address}; empty where it may.
     *
     * @param host as in the base URL, for the names that are allowed
     */
    public Optional<String> problem(String host, InetAddress address) {
        String lower = host.toLowerCase(Locale.ROOT);
        String bare = lower.startsWith("[") ? lower.substring(1, lower.length() - 1) : lower;
        AddressClass kind = AddressClass.of(address);
        boolean rebound = kind == AddressClass.LOOPBACK && !namesThisMachine(bare) && !allowed.contains(bare);
        return rebound
                ? Optional.of("names a host that " + kind.words() + "; " + howToAllow(bare))
                : refusal(bare, kind, false);
    }

    /** Where this machine may be an upstream, only names that mean it may lead there: others can be made to. */
    private static boolean namesThisMachine(String host) {
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || host.equals("localhost.localdomain")
                || HostLiteral.parse(host)
                        .filter(address -> AddressClass.of(address) == AddressClass.LOOPBACK)
                        .isPresent();
    }

    /** Names that machines in a cloud resolve to its metadata address: {@code metadata.google.internal} and its like. */
    private static boolean namesMetadata(String host) {
        return METADATA_NAME.matcher(host).matches();
    }

    private Optional<String> refusal(String host, AddressClass kind, boolean plain) {
        boolean named = allowed.contains(host);
        boolean permitted = switch (kind) {
            case PUBLIC -> true;
            case LOOPBACK -> loopback || named;
            case PRIVATE, LINK_LOCAL -> named;
            case METADATA, MULTICAST, RESERVED -> false;
        };
        if (!permitted) {
            return Optional.of("names a host that " + kind.words()
                    + (kind == AddressClass.PRIVATE || kind == AddressClass.LINK_LOCAL || kind == AddressClass.LOOPBACK
                            ? "; " + howToAllow(host)
                            : ""));
        }
        boolean here = kind == AddressClass.LOOPBACK && loopback;
        return plain && !here && !named
                ? Optional.of("must begin with https://; plain http is for hosts that the platform allows by name")
                : Optional.empty();
    }

    private static String howToAllow(String host) {
        return "a platform operator can allow it by listing " + host + " in upstreams.allowPrivate";
    }
}
