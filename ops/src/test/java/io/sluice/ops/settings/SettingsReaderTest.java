package io.sluice.ops.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.data.pool.PoolSettings;
import io.sluice.ops.settings.Settings.AttemptLog;
import io.sluice.ops.settings.Settings.LogTarget;
import io.sluice.tenants.NodeRole;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {
    private static final Path DOCS = Path.of("docs");
    private static final String CLUSTER = """
            cluster: {enabled: true, members: ['10.0.0.1:5701', '10.0.0.2:5701']}
            redis: {urls: ['redis://10.0.0.9:6379']}
            """;

    @TempDir
    Path directory;

    @Test
    void hasTheContractsDefaultsWithoutFileAndEnvironment() throws Exception {
        Settings settings = read(null, Map.of());

        assertThat(settings.listeners()).isEqualTo(new Settings.Listeners("127.0.0.1", 8080, 8081));
        assertThat(settings.dataDir()).isEqualTo(directory.resolve(".sluice").toAbsolutePath());
        assertThat(settings.adminToken()).isEmpty();
        assertThat(settings.upstreams()).isEqualTo(new Settings.Upstreams(List.of(), true));
        assertThat(settings.pools()).isEqualTo(PoolSettings.DEFAULT);
    }

    @Test
    void allowsNoPrivateUpstreamWithAFileThatListsNone() throws Exception {
        assertThat(read("{}", Map.of()).upstreams()).isEqualTo(new Settings.Upstreams(List.of(), false));
    }

    @Test
    void letsFaultsHappenWithoutAFileButNotWithOneThatDoesNotSaySo() throws Exception {
        assertThat(read(null, Map.of()).faults().enabled()).isTrue();
        assertThat(read("{}", Map.of()).faults().enabled()).isFalse();
        assertThat(read("faults: {enabled: true}", Map.of()).faults().enabled()).isTrue();
    }

    @Test
    void takesOnlyTrueAndFalseForASwitch() {
        assertThat(problems("faults: {enabled: 1}", Map.of()))
                .singleElement()
                .extracting(SettingsProblem::message)
                .isEqualTo("must be true or false");
    }

    @Test
    void takesAnEmptyFileAsAllDefaults() throws Exception {
        assertThat(read("# nothing yet\n", Map.of()).listeners().port()).isEqualTo(8080);
    }

    @Test
    void readsTheFile() throws Exception {
        Settings settings = read("""
                dataDir: /srv/sluice
                adminToken: a-token
                listeners: {host: 0.0.0.0, port: 9000, adminPort: 9001}
                upstreams: {allowPrivate: [gpu1.internal, 10.0.0.7]}
                limits: {bodyBytesMax: 64KiB}
                decisions: {retentionBytes: 1GiB, retentionDays: 7}
                logging: {attempts: off, to: stderr}
                """, Map.of());

        assertThat(settings.dataDir()).isEqualTo(Path.of("/srv/sluice"));
        assertThat(settings.adminToken().orElseThrow().reveal()).isEqualTo("a-token");
        assertThat(settings.listeners()).isEqualTo(new Settings.Listeners("0.0.0.0", 9000, 9001));
        assertThat(settings.upstreams().allowPrivate()).containsExactly("gpu1.internal", "10.0.0.7");
        assertThat(settings.limits().bodyBytesMax()).isEqualTo(65_536);
        assertThat(settings.decisions()).isEqualTo(new Settings.Decisions(1L << 30, 7));
        assertThat(settings.logging()).isEqualTo(new Settings.Logging(AttemptLog.OFF, LogTarget.STDERR));
    }

    @Test
    void letsTheEnvironmentWinOverTheFile() throws Exception {
        Settings settings = read(
                "dataDir: /srv/file\nlisteners: {host: localhost, port: 1, adminPort: 2}\nadminToken: file",
                Map.of(
                        "SLUICE_DATA_DIR", "/srv/environment",
                        "SLUICE_HOST", "::1",
                        "SLUICE_PORT", "3",
                        "SLUICE_ADMIN_PORT", "4",
                        "SLUICE_ADMIN_TOKEN", "environment"));

        assertThat(settings.dataDir()).isEqualTo(Path.of("/srv/environment"));
        assertThat(settings.listeners()).isEqualTo(new Settings.Listeners("::1", 3, 4));
        assertThat(settings.adminToken().orElseThrow().reveal()).isEqualTo("environment");
    }

    @Test
    void letsTheCommandLineWinOverTheEnvironment() throws Exception {
        Settings settings = SettingsReader.read(
                new SettingsReader.CommandLine(null, Path.of("/srv/option")),
                Map.of("SLUICE_DATA_DIR", "/srv/environment"),
                directory);

        assertThat(settings.dataDir()).isEqualTo(Path.of("/srv/option"));
    }

    @Test
    void neverPrintsASecret() throws Exception {
        Settings settings = read("adminToken: very-secret", Map.of("SLUICE_SECRET_KEY", "k".repeat(32)));

        assertThat(settings.toString()).doesNotContain("very-secret").doesNotContain("kkkk");
    }

    @Test
    void reportsAllMistakesAtOnceWithTheirLines() {
        List<SettingsProblem> problems = problems("""
                listeners:
                  prot: 8080
                  adminPort: 70000
                limits:
                  bodyBytesMax: huge
                colour: red
                """, Map.of("SLUICE_ADMIN_TOKEN", ""));

        assertThat(problems)
                .extracting(SettingsProblem::path)
                .containsExactlyInAnyOrder(
                        "", "listeners.adminPort", "limits.bodyBytesMax", "listeners.prot", "colour");
        assertThat(problems).extracting(SettingsProblem::line).containsExactlyInAnyOrder(0, 3, 5, 2, 6);
    }

    @Test
    void namesFileLinePathAndNearestKeyOfAnUnknownOne() {
        assertThat(problems("\nlisteners:\n  prot: 1\n", Map.of()))
                .singleElement()
                .hasToString(file() + ":3: listeners.prot: unknown key; the nearest known one is listeners.port");
    }

    @Test
    void findsTheNearestKeyInAnotherSection() {
        assertThat(problems("bodyBytesMax: 1MiB", Map.of()))
                .singleElement()
                .extracting(SettingsProblem::message)
                .asString()
                .endsWith("limits.bodyBytesMax");
    }

    @ParameterizedTest(name = "CF04 and AT04: \"{0}\" is refused as the administrator''s token")
    @ValueSource(strings = {"", " ", "   \t", "two words", "tok\u00e9n", "line\nbreak", " padded"})
    void refusesATokenThatProtectsNothingOrCannotBeSent(String token) {
        assertThat(problems(null, Map.of("SLUICE_ADMIN_TOKEN", token)))
                .singleElement()
                .extracting(SettingsProblem::source)
                .isEqualTo("SLUICE_ADMIN_TOKEN");
    }

    @ParameterizedTest(name = "adminToken: {0}")
    @ValueSource(strings = {"''", "'   '", "~", "", "[]", "12345"})
    void refusesABlankTokenInTheFile(String yaml) {
        assertThat(problems("adminToken: " + yaml, Map.of()))
                .singleElement()
                .extracting(SettingsProblem::path)
                .isEqualTo("adminToken");
    }

    @Test
    void refusesASecretKeyThatCouldBeGuessed() {
        assertThat(problems(null, Map.of("SLUICE_SECRET_KEY", "short")))
                .singleElement()
                .extracting(SettingsProblem::message)
                .asString()
                .contains("16");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536", "http", "8080.5", "", "99999999999999999999"})
    void refusesWhatIsNoPort(String port) {
        assertThat(problems(null, Map.of("SLUICE_PORT", port)))
                .singleElement()
                .extracting(SettingsProblem::source)
                .isEqualTo("SLUICE_PORT");
    }

    @Test
    void refusesTwoListenersOnOnePort() {
        assertThat(problems("listeners: {port: 9000, adminPort: 9000}", Map.of()))
                .hasSize(1);
    }

    @Test
    void letsTheSystemChooseBothPorts() throws Exception {
        assertThat(read("listeners: {port: 0, adminPort: 0}", Map.of())
                        .listeners()
                        .port())
                .isZero();
    }

    @ParameterizedTest(name = "{0} is wrong")
    @ValueSource(
            strings = {
                "listeners: 8080",
                "listeners: [8080]",
                "listeners: {host: 'http://x/'}",
                "listeners: {host: ''}",
                "roles: [data]",
                "roles: [control]",
                "roles: []",
                "roles: [cook]",
                "cluster: {enabled: false}\nroles: [data]",
                "roles: [data, control, cook]",
                "roles: data",
                "eventLoops: -1",
                "eventLoops: 1.5",
                "eventLoops: true",
                "drainMax: 30",
                "drainMax: 30s",
                "drainMax: PT1H",
                "drainMax: daily",
                "drainGrace: 5",
                "drainGrace: PT2M",
                "dataDir: ''",
                "dataDir: 7",
                "upstreams: {allowPrivate: gpu1}",
                "upstreams: {allowPrivate: ['http://gpu1']}",
                "upstreams: {allowPrivate: [7]}",
                "upstreams: {allowPrivate: [169.254.169.254]}",
                "upstreams: {allowPrivate: ['fd00:ec2::254']}",
                "upstreams: {allowPrivate: [224.0.0.1]}",
                "limits: {bodyBytesMax: 0}",
                "limits: {bodyBytesMax: 1TiB}",
                "limits: {bodyBytesMax: 32 MB}",
                "limits: {bodyBytesMax: 999999999999999TiB}",
                "breaker: {timeRate: 0}",
                "breaker: {timeRate: 1.1}",
                "breaker: {timeRate: .nan}",
                "breaker: {countWindow: 65}",
                "queue: {lengthMax: -1}",
                "queue: {realtimeWaitMax: PT11S}",
                "queue: {batchShare: 0}",
                "retries: {share: 0}",
                "retries: {floor: -1}",
                "retries: {window: PT2M}",
                "cors: {origins: ['*']}",
                "cors: {origins: ['https://a.example/path']}",
                "decisions: {retentionDays: 0}",
                "cluster: {enabled: 1}",
                "cluster: {node: 'a b'}",
                "cluster: {node: -x}",
                "cluster: {name: ''}",
                "cluster: {host: 0.0.0.0}",
                "cluster: {host: '::'}",
                "cluster: {host: 'http://x'}",
                "cluster: {port: 0}",
                "cluster: {busPort: 65536}",
                "cluster: {members: 10.0.0.1}",
                "cluster: {members: [10.0.0.1]}",
                "cluster: {members: ['10.0.0.1:0']}",
                "cluster: {members: ['10.0.0.1:65536']}",
                "cluster: {kubernetesService: 'http://x'}",
                "cluster: {majority: 0}",
                "redis: {urls: ['http://x:1']}",
                "redis: {urls: ['redis://x']}",
                "redis: {urls: ['redis://user:secret@x:6379']}",
                "redis: {urls: ['redis://x:6379/1']}",
                "redis: {urls: ['redis://x:6379'], replicasMin: 11}",
                "redis: {user: me}",
                "redis: {ledger: {replicasMin: 1}}",
                "logging: {attempts: some}",
                "logging: {attempts: false}"
            })
    void refusesAWrongValueAndSaysWhatToWrite(String yaml) {
        assertThat(problems(yaml, Map.of())).singleElement().satisfies(problem -> {
            assertThat(problem.path()).isNotEmpty();
            assertThat(problem.message()).containsAnyOf("must", "leave it out");
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            [data]          | DATA
            [control]       | CONTROL
            [control, data] | DATA,CONTROL
            [data, data]    | DATA
            """)
    void letsANodeOfAClusterHaveOneRole(String yaml, String roles) throws Exception {
        Settings settings = read(CLUSTER + "roles: " + yaml, Map.of());

        assertThat(settings.roles())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(roles.split(",")).map(NodeRole::valueOf).toList());
    }

    @Test
    void hasBothRolesWhereNoneIsNamed() throws Exception {
        assertThat(read(null, Map.of()).roles()).containsExactlyInAnyOrder(NodeRole.values());
        assertThat(read(CLUSTER, Map.of()).roles()).containsExactlyInAnyOrder(NodeRole.values());
    }

    @Test
    void letsTheEnvironmentSayTheRolesOfANode() throws Exception {
        assertThat(read(CLUSTER + "roles: [data]", Map.of("SLUICE_ROLES", "control"))
                        .roles())
                .containsExactly(NodeRole.CONTROL);
        assertThat(problems(CLUSTER, Map.of("SLUICE_ROLES", "")))
                .singleElement()
                .extracting(SettingsProblem::source)
                .isEqualTo("SLUICE_ROLES");
    }

    @Test
    void refusesAClusterNodeWithoutAnyRole() {
        assertThat(problems(CLUSTER + "roles: []", Map.of())).singleElement().satisfies(problem -> {
            assertThat(problem.path()).isEqualTo("roles");
            assertThat(problem.message()).isEqualTo("must have at least one of data, control");
        });
    }

    @Test
    void saysWhyAProcessByItselfCanNotHaveOneRole() {
        assertThat(problems("roles: [control]", Map.of()))
                .singleElement()
                .hasToString(file()
                        + ":1: roles: must be [data, control] unless cluster.enabled is true: one process does both");
    }

    @Test
    void isByItselfUnlessItIsToldOtherwise() throws Exception {
        assertThat(read(null, Map.of()).cluster()).isEmpty();
        assertThat(read("cluster: {enabled: false, members: ['10.0.0.1:5701']}", Map.of())
                        .cluster())
                .isEmpty();
    }

    @Test
    void readsAClusterAndItsRedis() throws Exception {
        Settings settings = read("""
                cluster: {enabled: true, node: a, host: 10.0.0.1, members: ['10.0.0.1:5701', '10.0.0.2:5701', '10.0.0.3:5701']}
                redis:
                  urls: ['redis://10.0.0.9:6379']
                  user: sluice
                  passwordFile: /etc/password
                  replicasMin: 1
                  cache: {urls: ['rediss://10.0.0.8:6379']}
                """, Map.of("SLUICE_REDIS_PASSWORD", "very-secret"));

        ClusterSettings cluster = settings.cluster().orElseThrow();
        assertThat(cluster.node()).contains("a");
        assertThat(cluster.port()).isEqualTo(5701);
        assertThat(cluster.majority()).isEqualTo(2);
        RedisAccess.Purposes redis = settings.redis().orElseThrow();
        assertThat(redis.ledger()).isEqualTo(redis.configuration());
        assertThat(redis.ledger().password().orElseThrow().reveal()).isEqualTo("very-secret");
        assertThat(redis.ledger().passwordFile()).contains(Path.of("/etc/password"));
        assertThat(redis.ledger().replicasMin()).isEqualTo(1);
        assertThat(redis.cache())
                .isEqualTo(new RedisAccess(
                        List.of("rediss://10.0.0.8:6379"), Optional.empty(), Optional.empty(), Optional.empty(), 0));
        assertThat(settings.toString()).doesNotContain("very-secret");
    }

    @Test
    void makesANodeByTheEnvironmentAlone() throws Exception {
        Settings settings = read(
                null,
                Map.of(
                        "SLUICE_CLUSTER", "true",
                        "SLUICE_NODE", "node-1",
                        "SLUICE_CLUSTER_NAME", "mine",
                        "SLUICE_CLUSTER_PORT", "6001",
                        "SLUICE_CLUSTER_MEMBERS", "127.0.0.1:6000, 127.0.0.1:6001",
                        "SLUICE_REDIS_URLS", "redis://127.0.0.1:6379"));

        assertThat(settings.cluster())
                .contains(new ClusterSettings(
                        Optional.of("node-1"),
                        "mine",
                        "127.0.0.1",
                        6001,
                        0,
                        List.of("127.0.0.1:6000", "127.0.0.1:6001"),
                        Optional.empty(),
                        false,
                        2));
        assertThat(settings.redis().orElseThrow().cache().urls()).containsExactly("redis://127.0.0.1:6379");
    }

    @Test
    void refusesAClusterWithoutRedisAndNamesTheRemedy() {
        assertThat(problems("cluster: {enabled: true, members: ['10.0.0.1:5701']}", Map.of()))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.path()).isEqualTo("redis.urls");
                    assertThat(problem.message()).contains("redis://", "SLUICE_REDIS_URLS");
                });
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    {enabled: true} | cluster.members | must say where other nodes are
                    {enabled: true, multicast: true, members: ['a:1']} | cluster.members | cluster.multicast
                    {enabled: true, multicast: true, kubernetesService: a} | cluster.members | cluster.kubernetesService
                    {enabled: true, members: ['a:1', 'b:1', 'c:1', 'd:1'], majority: 2} | cluster.majority | at least 3
                    """)
    void refusesAClusterThatCouldNotMeetOrDecide(String cluster, String path, String words) {
        assertThat(problems("cluster: " + cluster + "\nredis: {urls: ['redis://x:1']}", Map.of()))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.path()).isEqualTo(path);
                    assertThat(problem.message()).contains(words);
                });
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "SLUICE_CLUSTER,yes",
        "SLUICE_CLUSTER_MEMBERS,10.0.0.1",
        "SLUICE_CLUSTER_MEMBERS,''",
        "SLUICE_REDIS_URLS,6379",
        "SLUICE_REDIS_PASSWORD,' '"
    })
    void namesTheVariableThatIsWrong(String variable, String value) {
        assertThat(problems(null, Map.of(variable, value)))
                .singleElement()
                .extracting(SettingsProblem::source)
                .isEqualTo(variable);
    }

    @Test
    void numbersTheWrongElementsOfAListAsTheyStandInIt() {
        assertThat(problems("upstreams: {allowPrivate: ['http://x', ok.internal, 10.0.0.0/8]}", Map.of()))
                .extracting(problem -> problem.message().substring(0, 3))
                .containsExactly("[0]", "[2]");
    }

    @Test
    void saysThatNoListReachesAMetadataService() {
        assertThat(problems("upstreams: {allowPrivate: [10.0.0.7, 169.254.169.254]}", Map.of()))
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.message()).startsWith("[1] ").contains("metadata service", "leave it out"));
    }

    @ParameterizedTest(name = "105: {1}")
    @CsvSource(delimiter = '|', textBlock = """
                    a: &a [x, x]\\nb: [*a, *a]\\nc: *a   | anchor
                    dataDir: &d /x\\nplugins: {directory: *d}   | anchor
                    dataDir: !!javax.script.ScriptEngineManager [x] | tag
                    dataDir: !local x | tag
                    dataDir: /a\\ndataDir: /b | uplicate
                    listeners: {port: 1, port: 2} | uplicate
                    [1, 2] | mapping
                    hello | mapping
                    a: {b: {c: {d: {e: {f: {g: {h: {i: {j: {k: {l: {m: {n: {o: {p: {q: {r: 1}}}}}}}}}}}}}}}}} | nests
                    dataDir: /a\\n---\\ndataDir: /b | second document
                    dataDir: [ | YAML
                    \\tdataDir: /a | YAML
                    """)
    void refusesWhatIsNotPlainYaml(String yaml, String mistake) {
        assertThat(problems(yaml.replace("\\n", "\n").replace("\\t", "\t"), Map.of()))
                .extracting(SettingsProblem::message)
                .anyMatch(message -> message.contains(mistake));
    }

    @Test
    void refusesAHugeFileWithoutReadingIt() throws IOException {
        try (RandomAccessFile huge = new RandomAccessFile(file().toFile(), "rw")) {
            huge.setLength(50L << 20);
        }

        assertThat(problemsOf(file(), Map.of()))
                .singleElement()
                .hasToString(file() + ": is larger than 1 MiB, the most a settings file may have");
    }

    @Test
    void refusesAFileThatIsNotUtf8() throws IOException {
        Files.write(file(), "dataDir: /caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(problemsOf(file(), Map.of())).singleElement().hasToString(file() + ": is not UTF-8 text");
    }

    @Test
    void namesAFileThatIsMissing() {
        assertThat(problemsOf(file(), Map.of())).singleElement().hasToString(file() + ": there is no such file");
    }

    @Test
    void namesADirectoryGivenAsFile() {
        assertThat(problemsOf(directory, Map.of())).singleElement().asString().contains("can't be read");
    }

    @Test
    void findsTheExampleRight() throws Exception {
        Settings settings = SettingsReader.read(
                new SettingsReader.CommandLine(DOCS.resolve("sluice.example.yaml"), null), Map.of(), directory);

        assertThat(settings.pools()).isEqualTo(PoolSettings.DEFAULT);
    }

    @Test
    void describesExactlyTheKeysThereAre() throws IOException {
        List<String> described = Pattern.compile("^\\| `([A-Za-z.]+)` \\|", Pattern.MULTILINE)
                .matcher(Files.readString(DOCS.resolve("settings.md")))
                .results()
                .map((MatchResult row) -> row.group(1))
                .toList();

        assertThat(new TreeSet<>(described)).isEqualTo(leaves());
    }

    /** Known paths that are not a section of others. */
    private static Set<String> leaves() {
        TreeSet<String> leaves = new TreeSet<>(SettingsReader.knownPaths());
        leaves.removeIf(path -> SettingsReader.knownPaths().stream().anyMatch(other -> other.startsWith(path + ".")));
        return leaves;
    }

    private Path file() {
        return directory.resolve("settings.yaml");
    }

    private Settings read(String yaml, Map<String, String> environment) throws IOException, WrongSettingsException {
        if (yaml != null) {
            Files.writeString(file(), yaml);
        }
        return SettingsReader.read(
                new SettingsReader.CommandLine(yaml == null ? null : file(), null), environment, directory);
    }

    private List<SettingsProblem> problems(String yaml, Map<String, String> environment) {
        return catchThrowableOfType(WrongSettingsException.class, () -> read(yaml, environment))
                .problems();
    }

    private List<SettingsProblem> problemsOf(Path file, Map<String, String> environment) {
        return catchThrowableOfType(
                        WrongSettingsException.class,
                        () -> SettingsReader.read(new SettingsReader.CommandLine(file, null), environment, directory))
                .problems();
    }
}
