package io.sluice.ops.settings;

import io.sluice.plugins.api.Secret;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the sections {@code cluster} and {@code redis}. */
final class ClusterReader {
    private static final String ENABLED = "enabled";
    private static final String MEMBERS = "members";
    private static final String MAJORITY = "majority";
    private static final String URLS = "urls";

    /** Where nothing is said of others, two nodes are the fewest that can outvote one. */
    private static final int MAJORITY_USUAL = 2;

    private static final int NODES_MAX = 1_000;

    /** Redis itself has no limit; so many replicas nobody waits for. */
    private static final int REPLICAS_MAX = 10;

    private static final String HOST_PORT = "[A-Za-z0-9._-]{1,253}:[0-9]{1,5}|\\[[0-9A-Fa-f:.]{2,45}\\]:[0-9]{1,5}";

    private final Map<String, String> environment;

    ClusterReader(Map<String, String> environment) {
        this.environment = environment;
    }

    /** Empty where this process is by itself. */
    Optional<ClusterSettings> cluster(Section section) {
        boolean enabled = section.truth(ENABLED, "SLUICE_CLUSTER", false);
        List<String> members =
                section.texts(MEMBERS, "SLUICE_CLUSTER_MEMBERS", List.of(), ClusterReader::memberMistake);
        int usual = members.isEmpty() ? MAJORITY_USUAL : members.size() / 2 + 1;
        ClusterSettings settings = new ClusterSettings(
                word(section, "node", "SLUICE_NODE", null),
                word(section, "name", "SLUICE_CLUSTER_NAME", "sluice").orElse("sluice"),
                host(section),
                (int) section.integer("port", "SLUICE_CLUSTER_PORT", 5701, 1, 65_535),
                (int) section.integer("busPort", "SLUICE_CLUSTER_BUS_PORT", 0, 0, 65_535),
                members,
                dnsName(section),
                section.truth("multicast", null, false),
                (int) section.integer(MAJORITY, "SLUICE_CLUSTER_MAJORITY", usual, 1, NODES_MAX));
        if (enabled) {
            checkTogether(section, settings);
        }
        return enabled ? Optional.of(settings) : Optional.empty();
    }

    private static void checkTogether(Section section, ClusterSettings settings) {
        List<String> ways = new ArrayList<>();
        if (!settings.members().isEmpty()) {
            ways.add("cluster.members");
        }
        settings.kubernetesService().ifPresent(service -> ways.add("cluster.kubernetesService"));
        if (settings.multicast()) {
            ways.add("cluster.multicast");
        }
        if (ways.isEmpty()) {
            section.wrong(
                    MEMBERS,
                    "must say where other nodes are, such as [10.0.0.1:5701, 10.0.0.2:5701, 10.0.0.3:5701]; or give"
                            + " cluster.kubernetesService or cluster.multicast: true");
        }
        if (ways.size() > 1) {
            section.wrong(
                    MEMBERS,
                    "must be the only way to find other nodes, but there is also "
                            + String.join(
                                    " and ",
                                    ways.stream()
                                            .filter(way -> !way.endsWith(MEMBERS))
                                            .toList())
                            + "; leave all but one out");
        }
        int half = settings.members().size() / 2;
        if (settings.majority() <= half) {
            section.wrong(
                    MAJORITY,
                    "must be more than half of the " + settings.members().size() + " members, so at least " + (half + 1)
                            + "; else two parts that don't see each other would both decide");
        }
    }

    private static String host(Section section) {
        String host = section.text("host", "SLUICE_CLUSTER_HOST", "127.0.0.1");
        boolean wildcard = List.of("0.0.0.0", "::", "[::]", "*").contains(host);
        if (wildcard || !host.matches("[A-Za-z0-9._:-]{1,253}")) {
            section.wrong(
                    "host",
                    "must be the address at which other nodes reach this one, such as 10.0.0.1; not a wildcard and"
                            + " without port");
        }
        return host;
    }

    private static Optional<String> dnsName(Section section) {
        String name = section.text("kubernetesService", "SLUICE_CLUSTER_KUBERNETES_SERVICE", null);
        if (name != null && !name.matches("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")) {
            section.wrong(
                    "kubernetesService",
                    "must be the DNS name of a headless service, such as sluice-nodes.default.svc.cluster.local");
            return Optional.empty();
        }
        return Optional.ofNullable(name);
    }

    private static Optional<String> word(Section section, String key, String variable, String fallback) {
        String word = section.text(key, variable, fallback);
        if (word != null && !word.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,62}")) {
            section.wrong(
                    key,
                    "must be 1 to 63 letters, digits, dots, hyphens and underscores, and begin with none of those three");
            return Optional.empty();
        }
        return Optional.ofNullable(word);
    }

    private static String memberMistake(String member) {
        return member.matches(HOST_PORT) && port(member) <= 65_535 && port(member) > 0
                ? null
                : "must be host:port of a node's cluster.port, such as 10.0.0.2:5701";
    }

    private static int port(String member) {
        return Integer.parseInt(member.substring(member.lastIndexOf(':') + 1));
    }

    /** Empty where no Redis is named; a cluster needs one. */
    Optional<RedisAccess.Purposes> redis(Section section, boolean clustered) {
        RedisAccess usual = access(section, "SLUICE_REDIS_", null);
        RedisAccess ledger = access(section.section("ledger"), "SLUICE_REDIS_LEDGER_", usual);
        RedisAccess cache = access(section.section("cache"), "SLUICE_REDIS_CACHE_", usual);
        if (clustered && usual.urls().isEmpty()) {
            section.wrong(
                    URLS,
                    "must name the Redis that all nodes share, such as [redis://10.0.0.9:6379]: a cluster (cluster.enabled)"
                            + " keeps configuration and the right to spend there; or set SLUICE_REDIS_URLS");
        }
        return usual.urls().isEmpty() ? Optional.empty() : Optional.of(new RedisAccess.Purposes(usual, ledger, cache));
    }

    /** Who names another Redis says all of it: neither the password nor the replicas of one are those of another. */
    private RedisAccess access(Section section, String variables, RedisAccess usual) {
        List<String> urls = section.texts(URLS, variables + "URLS", List.of(), ClusterReader::urlMistake);
        String user = section.text("user", variables + "USER", null);
        String file = section.text("passwordFile", variables + "PASSWORD_FILE", null);
        int replicasMin = (int) section.integer("replicasMin", variables + "REPLICAS_MIN", 0, 0, REPLICAS_MAX);
        Optional<Secret> password = password(section, variables + "PASSWORD");
        RedisAccess own = new RedisAccess(urls, Optional.ofNullable(user), password, path(section, file), replicasMin);
        boolean said = user != null || file != null || password.isPresent() || replicasMin != 0;
        if (urls.isEmpty() && said) {
            section.wrong(URLS, "must name the Redis that the other keys of this section are about");
        }
        return urls.isEmpty() && usual != null ? usual : own;
    }

    private Optional<Secret> password(Section section, String variable) {
        String value = environment.get(variable);
        if (value != null && value.isBlank()) {
            section.wrongVariable(variable, "is set but blank; unset it or give it the password of Redis");
            return Optional.empty();
        }
        return Optional.ofNullable(value).map(Secret::new);
    }

    private static Optional<Path> path(Section section, String file) {
        try {
            return Optional.ofNullable(file).map(Path::of).map(Path::toAbsolutePath);
        } catch (InvalidPathException noPath) {
            section.wrong("passwordFile", "is not a path of this system");
            return Optional.empty();
        }
    }

    private static String urlMistake(String url) {
        String wish =
                "must be redis://host:port, or rediss://host:port with TLS; user and password have keys of their own";
        try {
            URI uri = URI.create(url);
            boolean plain = List.of("redis", "rediss").contains(String.valueOf(uri.getScheme()))
                    && uri.getHost() != null
                    && uri.getPort() > 0
                    && uri.getPort() <= 65_535
                    && uri.getRawUserInfo() == null
                    && uri.getRawPath().isEmpty()
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null;
            return plain ? null : wish;
        } catch (IllegalArgumentException noUri) {
            return wish;
        }
    }
}
