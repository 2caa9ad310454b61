package io.sluice.ops.settings;

import io.sluice.control.ControlPlaneSettings;
import io.sluice.control.shift.ShiftSettings;
import io.sluice.control.shift.TroubleLimits;
import io.sluice.data.decision.DecisionLogSettings;
import io.sluice.data.limit.LimitSettings;
import io.sluice.data.money.journal.JournalSettings;
import io.sluice.data.pool.BreakerSettings;
import io.sluice.data.pool.PoolSettings;
import io.sluice.data.pool.QueueSettings;
import io.sluice.data.pool.RetrySettings;
import io.sluice.data.recall.CacheSettings;
import io.sluice.data.recall.RecallSettings;
import io.sluice.ops.settings.Settings.AttemptLog;
import io.sluice.ops.settings.Settings.Cors;
import io.sluice.ops.settings.Settings.Decisions;
import io.sluice.ops.settings.Settings.Drills;
import io.sluice.ops.settings.Settings.Faults;
import io.sluice.ops.settings.Settings.Idempotency;
import io.sluice.ops.settings.Settings.Limits;
import io.sluice.ops.settings.Settings.Listeners;
import io.sluice.ops.settings.Settings.LogTarget;
import io.sluice.ops.settings.Settings.Logging;
import io.sluice.ops.settings.Settings.Plugins;
import io.sluice.ops.settings.Settings.Upstreams;
import io.sluice.plugins.api.Secret;
import io.sluice.tenants.NodeRole;
import io.sluice.tenants.net.AddressRule;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Makes {@link Settings} of a file, the environment and the command line; the command line wins over the environment, which
 * wins over the file. All mistakes are found in one reading. Touches nothing but the file.
 */
public final class SettingsReader {
    /** Of the first platform administrator. */
    public static final String ADMIN_TOKEN = "SLUICE_ADMIN_TOKEN";

    private static final String SECRET_KEY = "SLUICE_SECRET_KEY";
    private static final String DATA_DIR = "SLUICE_DATA_DIR";
    private static final String ROLES = "SLUICE_ROLES";

    /** The key of the file that holds the administrator's token. */
    private static final String ADMIN_TOKEN_KEY = "adminToken";

    private static final String SECRET_KEY_KEY = "secretKey";

    /** What the control plane asks for: 16 characters chosen at random have about 95 bits. */
    private static final int SECRET_KEY_CHARS_MIN = 16;

    /** Balancers look every second or two and believe the second look; where there is one node, no balancer waits for it to go. */
    private static final Duration DRAIN_GRACE = Duration.ofSeconds(5);

    /** More is not a key but a mistake. */
    private static final int SECRET_CHARS_MAX = 4_096;

    private static final String NEVER_ALLOWED =
            "must be the address of a model server; no request is ever sent to a cloud's metadata service and to addresses"
                    + " that no single host has, so leave it out";

    private final Map<String, String> environment;
    private final Path home;
    private final List<SettingsProblem> problems = new ArrayList<>();

    private SettingsReader(Map<String, String> environment, Path home) {
        this.environment = environment;
        this.home = home;
    }

    /**
     * What the command line says; null means nothing was said.
     *
     * @param config the settings file
     * @param dataDir wins over everything else
     */
    public record CommandLine(Path config, Path dataDir) {}

    /**
     * The settings for a start.
     *
     * @param home the directory that {@code .sluice} is in where no data directory is named
     * @throws WrongSettingsException with every mistake
     */
    public static Settings read(CommandLine commandLine, Map<String, String> environment, Path home)
            throws WrongSettingsException {
        YamlFile file = commandLine.config() == null ? YamlFile.NONE : YamlFile.read(commandLine.config());
        return new SettingsReader(environment, home).read(file, commandLine);
    }

    /** Every key there is, by path. */
    static Set<String> knownPaths() {
        Section root = Section.root(YamlFile.NONE, Map.of(), new ArrayList<>());
        new SettingsReader(Map.of(), Path.of("")).settings(root, new CommandLine(null, null));
        return root.knownPaths();
    }

    private Settings read(YamlFile file, CommandLine commandLine) throws WrongSettingsException {
        Section root = Section.root(file, environment, problems);
        Settings settings = settings(root, commandLine);
        root.finish();
        if (!problems.isEmpty()) {
            throw new WrongSettingsException(problems);
        }
        return settings;
    }

    private Settings settings(Section root, CommandLine commandLine) {
        Path dataDir = dataDir(root, commandLine);
        ClusterReader shared = new ClusterReader(environment);
        Optional<ClusterSettings> cluster = shared.cluster(root.section("cluster"));
        return new Settings(
                dataDir,
                secret(root, ADMIN_TOKEN_KEY, ADMIN_TOKEN, 1),
                secret(root, SECRET_KEY_KEY, SECRET_KEY, SECRET_KEY_CHARS_MIN),
                roles(root, cluster.isPresent()),
                (int) root.integer("eventLoops", "SLUICE_EVENT_LOOPS", 0, 0, 256),
                listeners(root.section("listeners")),
                plugins(root.section("plugins"), dataDir),
                upstreams(root.section("upstreams"), commandLine.config() == null),
                limits(root.section("limits")),
                pools(root),
                new Faults(root.section("faults").truth("enabled", commandLine.config() == null)),
                new Cors(root.section("cors").texts("origins", List.of(), SettingsReader::originMistake)),
                decisions(root.section("decisions"), dataDir),
                journal(root.section("journal")),
                idempotency(root.section("idempotency")),
                cache(root.section("cache")),
                rateLimits(root.section("rateLimits")),
                drills(root.section("drills")),
                shifts(root.section("shifts")),
                logging(root.section("logging")),
                cluster,
                shared.redis(root.section("redis"), cluster.isPresent()),
                root.duration(
                        "drainGrace",
                        cluster.isPresent() ? DRAIN_GRACE : Duration.ZERO,
                        Duration.ZERO,
                        Duration.ofMinutes(1)),
                root.duration("drainMax", Duration.ofSeconds(30), Duration.ZERO, Duration.ofMinutes(10)));
    }

    private Path dataDir(Section root, CommandLine commandLine) {
        String written = root.text("dataDir", DATA_DIR, null);
        if (commandLine.dataDir() != null) {
            return commandLine.dataDir().toAbsolutePath().normalize();
        }
        return path(root, "dataDir", written, home.resolve(".sluice"));
    }

    private static Path path(Section section, String key, String written, Path fallback) {
        try {
            return (written == null ? fallback : Path.of(written))
                    .toAbsolutePath()
                    .normalize();
        } catch (InvalidPathException noPath) {
            section.wrong(key, "is not a path of this system");
            return fallback;
        }
    }

    /** Blank is refused, never "no protection" (cases CF04 and AT04); so is what can't travel in a header unchanged. */
    private Optional<Secret> secret(Section root, String key, String variable, int charsMin) {
        String value = root.text(key, variable, null);
        if (value == null) {
            return Optional.empty();
        }
        boolean visible = value.chars().allMatch(c -> c > ' ' && c < 0x7f);
        if (!visible || value.length() < charsMin || value.length() > SECRET_CHARS_MAX) {
            String mistake = "must have " + charsMin + " to " + SECRET_CHARS_MAX
                    + " visible ASCII characters and no blanks; `openssl rand -hex 32` makes a good one";
            if (environment.containsKey(variable)) {
                problems.add(new SettingsProblem(variable, 0, "", mistake));
            } else {
                root.wrong(key, mistake);
            }
            return Optional.empty();
        }
        return Optional.of(new Secret(value));
    }

    private Set<NodeRole> roles(Section root, boolean clustered) {
        Set<NodeRole> all = Set.of(NodeRole.values());
        List<String> words = all.stream().sorted().map(NodeRole::word).toList();
        int mistakes = problems.size();
        List<String> written = root.texts(
                "roles",
                ROLES,
                words,
                word -> NodeRole.of(word).isPresent() ? null : "must be one of " + String.join(", ", words));
        if (problems.size() > mistakes) {
            return all;
        }
        Set<NodeRole> roles =
                written.stream().map(NodeRole::of).flatMap(Optional::stream).collect(Collectors.toUnmodifiableSet());
        if (roles.isEmpty()) {
            root.wrong("roles", "must have at least one of " + String.join(", ", words));
        } else if (!clustered && !roles.equals(all)) {
            root.wrong("roles", "must be [data, control] unless cluster.enabled is true: one process does both");
        }
        return roles;
    }

    private Listeners listeners(Section section) {
        Listeners listeners = new Listeners(
                section.text("host", "SLUICE_HOST", "127.0.0.1"),
                (int) section.integer("port", "SLUICE_PORT", 8080, 0, 65_535),
                (int) section.integer("adminPort", "SLUICE_ADMIN_PORT", 8081, 0, 65_535));
        if (listeners.port() == listeners.adminPort() && listeners.port() != 0) {
            section.wrong("adminPort", "must differ from listeners.port, which is " + listeners.port() + " too");
        }
        if (!listeners.host().matches("[A-Za-z0-9._:%-]{1,253}")) {
            section.wrong("host", "must be a host name or an address without port, such as 127.0.0.1 or ::");
        }
        return listeners;
    }

    private static Plugins plugins(Section section, Path dataDir) {
        return new Plugins(
                path(section, "directory", section.text("directory", null, null), dataDir.resolve("plugins")));
    }

    private static Upstreams upstreams(Section section, boolean loopback) {
        return new Upstreams(section.texts("allowPrivate", List.of(), SettingsReader::hostMistake), loopback);
    }

    private static String hostMistake(String host) {
        if (!host.matches("[A-Za-z0-9._:-]{1,253}")) {
            return "must be a host name or an address, without scheme, port and path, such as gpu1.internal or 10.0.0.7";
        }
        return AddressRule.neverAllowed(host) ? NEVER_ALLOWED : null;
    }

    private static Limits limits(Section section) {
        return new Limits((int) section.bytes("bodyBytesMax", 32 << 20, 1 << 10, 256 << 20), (int)
                section.bytes("answerBytesMax", 32 << 20, 1 << 10, 256 << 20));
    }

    private static PoolSettings pools(Section root) {
        PoolSettings usual = PoolSettings.DEFAULT;
        Section section = root.section("pools");
        return new PoolSettings(
                breaker(root.section("breaker")),
                retries(root.section("retries")),
                queue(root.section("queue")),
                section.duration(
                                "earlyEvery",
                                Duration.ofMillis(usual.earlyEveryMs()),
                                Duration.ofMillis(10),
                                Duration.ofMinutes(10))
                        .toMillis(),
                section.duration(
                                "slowStart",
                                Duration.ofMillis(usual.slowStartMs()),
                                Duration.ZERO,
                                Duration.ofMinutes(10))
                        .toMillis(),
                section.duration(
                                "warmPing",
                                Duration.ofMillis(usual.warmPingMs()),
                                Duration.ZERO,
                                Duration.ofMinutes(10))
                        .toMillis());
    }

    private static BreakerSettings breaker(Section section) {
        BreakerSettings usual = BreakerSettings.DEFAULT;
        Duration second = Duration.ofSeconds(1);
        return new BreakerSettings(
                section.duration("timeWindow", Duration.ofMillis(usual.timeWindowMs()), second, Duration.ofHours(1))
                        .toMillis(),
                section.share("timeRate", usual.timeRate()),
                (int) section.integer("timeCallsMin", null, usual.timeCallsMin(), 1, 100_000),
                (int) section.integer("countWindow", null, usual.countWindow(), 2, 64),
                section.share("countRate", usual.countRate()),
                (int) section.integer("consecutiveMax", null, usual.consecutiveMax(), 1, 100_000),
                section.duration("open", Duration.ofMillis(usual.openMs()), Duration.ofMillis(1), Duration.ofHours(1))
                        .toMillis(),
                (int) section.integer("probesMax", null, usual.probesMax(), 1, 1_000));
    }

    private static RetrySettings retries(Section section) {
        RetrySettings usual = RetrySettings.DEFAULT;
        return new RetrySettings(
                section.share("share", usual.share()),
                (int) section.integer("floor", null, usual.floor(), 0, 100_000),
                section.duration(
                                "window",
                                Duration.ofMillis(usual.windowMs()),
                                Duration.ofSeconds(1),
                                Duration.ofMinutes(1))
                        .toMillis());
    }

    private static QueueSettings queue(Section section) {
        QueueSettings usual = QueueSettings.DEFAULT;
        Duration wait = Duration.ofMillis(usual.realtimeWaitMaxMs());
        double share = section.share("batchShare", usual.batchShare());
        return new QueueSettings(
                (int) section.integer("lengthMax", null, usual.lengthMax(), 0, 100_000),
                section.duration("realtimeWaitMax", wait, Duration.ZERO, Duration.ofSeconds(10))
                        .toMillis(),
                share,
                Math.min(share, usual.batchShareMin()));
    }

    private static String originMistake(String origin) {
        try {
            URI uri = URI.create(origin);
            boolean bare = uri.getHost() != null
                    && Arrays.asList("http", "https").contains(uri.getScheme())
                    && uri.getRawPath().isEmpty()
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && uri.getRawUserInfo() == null;
            return bare ? null : "must be scheme, host and port only, such as https://app.example.com";
        } catch (IllegalArgumentException noUri) {
            return "must be an origin such as https://app.example.com";
        }
    }

    private static Decisions decisions(Section section, Path dataDir) {
        DecisionLogSettings usual = DecisionLogSettings.in(dataDir);
        return new Decisions(section.bytes("retentionBytes", usual.totalBytesMax(), 32 << 20, 1L << 40), (int)
                section.integer("retentionDays", null, usual.retainedDaysMax(), 1, 3_650));
    }

    private static JournalSettings journal(Section section) {
        JournalSettings usual = JournalSettings.DEFAULT;
        return new JournalSettings(
                (int) section.bytes("segmentBytes", usual.segmentBytes(), 1 << 20, 1 << 30), usual.waitingMax());
    }

    private static Idempotency idempotency(Section section) {
        RecallSettings usual = RecallSettings.DEFAULT;
        return new Idempotency(
                section.duration("ttl", Duration.ofMillis(usual.ttlMs()), Duration.ofHours(2), Duration.ofDays(30)),
                section.bytes("bytesMax", usual.bytesMax(), 16 << 20, 1L << 40),
                (int) section.bytes("answerBytesMax", usual.answerBytesMax(), 1 << 10, 64 << 20),
                section.duration(
                        "waitMax", Duration.ofMillis(usual.waitMsMax()), Duration.ZERO, Duration.ofMinutes(10)));
    }

    private static CacheSettings cache(Section section) {
        CacheSettings usual = CacheSettings.DEFAULT;
        return new CacheSettings(
                section.bytes("bytesMax", usual.bytesMax(), 1 << 20, 1L << 36),
                section.share("tenantShare", usual.tenantShare()),
                (int) section.bytes("answerBytesMax", usual.answerBytesMax(), 1 << 10, 32 << 20));
    }

    private static LimitSettings rateLimits(Section section) {
        LimitSettings usual = LimitSettings.DEFAULT;
        return new LimitSettings(
                (int) section.integer("endUsersMax", null, usual.endUsersMax(), 1, 1_000_000),
                section.share("upstreamShare", usual.upstreamShare()));
    }

    private static Drills drills(Section section) {
        Duration usual = ControlPlaneSettings.UNPROVEN_AFTER;
        return new Drills(section.duration("unprovenAfter", usual, Duration.ofHours(1), Duration.ofDays(365)));
    }

    private static ShiftSettings shifts(Section section) {
        ShiftSettings usual = ShiftSettings.DEFAULT;
        TroubleLimits limits = usual.limits();
        Duration second = Duration.ofSeconds(1);
        Duration hour = Duration.ofHours(1);
        return new ShiftSettings(
                section.duration("sample", usual.sample(), second, hour),
                (int) section.integer("samples", null, usual.samples(), 2, 100),
                section.duration("baselineStep", usual.baselineStep(), second, hour),
                section.duration("slowed", usual.slowed(), second, hour),
                section.duration("hold", usual.hold(), second, hour),
                section.duration("rest", usual.rest(), second, Duration.ofDays(1)),
                new TroubleLimits(
                        section.number("latencyFactor", limits.latencyFactor(), 1, 100),
                        section.share("errorRate", limits.errorRate()),
                        (int) section.integer("errorsMin", null, limits.errorsMin(), 1, 100_000),
                        section.share("uselessRate", limits.uselessRate()),
                        limits.resourcesMax(),
                        limits.memoryMax()));
    }

    private static Logging logging(Section section) {
        return new Logging(
                section.choice("attempts", AttemptLog.class, AttemptLog.FAILURES),
                section.choice("to", LogTarget.class, LogTarget.FILE));
    }
}
