package io.sluice.ops.deploy;

import static io.sluice.ops.deploy.Manifests.DEPLOY;
import static io.sluice.ops.deploy.Manifests.KUBERNETES;
import static io.sluice.ops.deploy.Manifests.REDIS;
import static io.sluice.ops.deploy.Manifests.SETTINGS;
import static io.sluice.ops.deploy.Manifests.all;
import static io.sluice.ops.deploy.Manifests.container;
import static io.sluice.ops.deploy.Manifests.documents;
import static io.sluice.ops.deploy.Manifests.everywhere;
import static io.sluice.ops.deploy.Manifests.files;
import static io.sluice.ops.deploy.Manifests.number;
import static io.sluice.ops.deploy.Manifests.one;
import static io.sluice.ops.deploy.Manifests.settings;
import static io.sluice.ops.deploy.Manifests.stream;
import static io.sluice.ops.deploy.Manifests.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.ops.settings.Settings;
import io.sluice.ops.settings.SettingsReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is in ops/deploy fits together, and fits what the product takes. */
class DeployFilesTest {
    private static final String NAME = "app.kubernetes.io/name";

    /** What a node needs besides {@code drainMax}: each part of it closes within five seconds, and leaving the cluster takes at most 25. */
    private static final int LEAVE_S_MAX = 60;

    /** Made by no file here: the README says how. */
    private static final String SECRET = "sluice";

    private static final JsonNode NODES = one("StatefulSet", "sluice");

    private static Stream<JsonNode> sets() {
        return all("StatefulSet").stream();
    }

    static Stream<Named<JsonNode>> setsByName() {
        return sets().map(set -> Named.of(set.at("/metadata/name").asText(), set));
    }

    static Stream<Path> directories() {
        return Stream.of(KUBERNETES, REDIS);
    }

    @Test
    void everyObjectSaysWhatItIsAndLeavesItsNamespaceToWhoAppliesIt() {
        assertThat(all()).hasSizeGreaterThan(10).allSatisfy(object -> {
            assertThat(text(object, "apiVersion")).isNotEmpty();
            assertThat(text(object, "kind")).isNotEmpty();
            assertThat(object.at("/metadata/name").asText()).isNotEmpty();
            assertThat(object.at("/metadata/namespace").isMissingNode()).isTrue();
            assertThat(object.at("/metadata/labels").path(NAME).asText()).isNotEmpty();
        });
    }

    @ParameterizedTest
    @MethodSource("directories")
    void aKustomizationHasEveryFileBesideItAndATagForEveryImage(Path directory) {
        JsonNode kustomization =
                documents(directory.resolve("kustomization.yaml")).get(0);
        Set<String> beside = files(directory).stream()
                .map(file -> file.getFileName().toString())
                .collect(Collectors.toSet());

        assertThat(stream(kustomization.path("resources")).map(JsonNode::asText))
                .containsExactlyInAnyOrderElementsOf(beside);
        stream(kustomization.path("configMapGenerator"))
                .flatMap(each -> stream(each.path("files")))
                .forEach(file -> assertThat(directory.resolve(file.asText())).exists());
        Set<String> images = files(directory).stream()
                .flatMap(file -> documents(file).stream())
                .flatMap(object -> everywhere(object, "image").stream())
                .map(JsonNode::asText)
                .collect(Collectors.toSet());
        assertThat(stream(kustomization.path("images"))
                        .filter(image -> !text(image, "newTag").isEmpty())
                        .map(image -> text(image, "name")))
                .containsExactlyInAnyOrderElementsOf(images);
    }

    @Test
    void everySelectorMeansPodsThatThereAre() {
        Set<JsonNode> pods =
                sets().map(set -> set.at("/spec/template/metadata/labels")).collect(Collectors.toSet());
        Stream<JsonNode> selectors = all().stream()
                .flatMap(object -> Stream.of("podSelector", "labelSelector", "selector")
                        .flatMap(key -> everywhere(object, key).stream()))
                .map(selector -> selector.has("matchLabels") ? selector.path("matchLabels") : selector);

        assertThat(selectors.toList())
                .hasSizeGreaterThan(10)
                .allSatisfy(selector -> assertThat(pods).contains(selector));
        assertThat(sets())
                .allSatisfy(set -> assertThat(set.at("/spec/selector/matchLabels"))
                        .isEqualTo(set.at("/spec/template/metadata/labels")));
    }

    @ParameterizedTest
    @MethodSource("setsByName")
    void aServiceWithoutAnAddressNamesThePodsAlsoBeforeTheyAreReady(JsonNode set) {
        JsonNode service = one("Service", set.at("/spec/serviceName").asText());

        assertThat(service.at("/spec/clusterIP").asText()).isEqualTo("None");
        assertThat(service.at("/spec/publishNotReadyAddresses").asBoolean()).isTrue();
        assertThat(service.at("/spec/selector")).isEqualTo(set.at("/spec/selector/matchLabels"));
    }

    @Test
    void nodesListenWhereTheSettingsSay() {
        Map<String, Integer> expected = Map.of(
                "data", settings().at("/listeners/port").asInt(),
                "admin", settings().at("/listeners/adminPort").asInt(),
                "cluster", settings().at("/cluster/port").asInt(),
                "bus", settings().at("/cluster/busPort").asInt());

        Map<String, Integer> ports = stream(container(NODES).path("ports"))
                .collect(Collectors.toMap(
                        port -> text(port, "name"),
                        port -> port.path("containerPort").asInt()));

        assertThat(ports).isEqualTo(expected).doesNotContainValue(0);
        assertThat(settings().at("/listeners/host").asText()).isEqualTo("0.0.0.0");
    }

    @Test
    void everyServiceLeadsToAPortOfItsPodsByTheSameNumber() {
        assertThat(all("Service")).isNotEmpty().allSatisfy(service -> {
            JsonNode set = setOf(service.at("/spec/selector"));
            assertThat(stream(service.at("/spec/ports")))
                    .allSatisfy(port -> assertThat(port.path("port").asInt())
                            .isEqualTo(number(container(set), port.path("targetPort"))));
        });
    }

    private static JsonNode setOf(JsonNode labels) {
        return sets().filter(set -> set.at("/spec/template/metadata/labels").equals(labels))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("setsByName")
    void aPolicyLetsThroughEveryPortOfThePodsAndNoOther(JsonNode set) {
        JsonNode policy = one("NetworkPolicy", set.at("/metadata/name").asText());
        Set<Integer> open = ports(policy.at("/spec/ingress"));
        Set<Integer> ports = stream(container(set).path("ports"))
                .map(port -> port.path("containerPort").asInt())
                .collect(Collectors.toSet());

        assertThat(open).isEqualTo(ports);
        assertThat(stream(policy.at("/spec/ingress")))
                .allSatisfy(rule -> assertThat(rule.path("from").size()).isPositive());
        assertThat(policy.at("/spec/policyTypes")).extracting(JsonNode::asText).containsExactly("Ingress", "Egress");
    }

    @Test
    void onlyNodesReachThePortsBetweenNodes() {
        Set<Integer> between = Set.of(
                settings().at("/cluster/port").asInt(),
                settings().at("/cluster/busPort").asInt());
        JsonNode nodes = NODES.at("/spec/selector/matchLabels");

        List<JsonNode> rules = stream(one("NetworkPolicy", "sluice").at("/spec/ingress"))
                .filter(rule -> everywhere(rule, "port").stream().anyMatch(port -> between.contains(port.asInt())))
                .toList();

        assertThat(rules).hasSize(1);
        assertThat(stream(rules.get(0).path("from")))
                .singleElement()
                .satisfies(from -> assertThat(from.at("/podSelector/matchLabels"))
                        .isEqualTo(nodes)
                        .isNotEmpty());
    }

    @Test
    void aNodeReachesOtherNodesRedisNamesAndProviders() {
        Set<Integer> between = Set.of(
                settings().at("/cluster/port").asInt(),
                settings().at("/cluster/busPort").asInt());
        List<JsonNode> rules =
                stream(one("NetworkPolicy", "sluice").at("/spec/egress")).toList();

        assertThat(portsTo(rules, NODES.at("/spec/selector/matchLabels"))).isEqualTo(between);
        JsonNode redis = one("StatefulSet", "sluice-redis");
        assertThat(portsTo(rules, redis.at("/spec/selector/matchLabels")))
                .containsExactly(container(redis).at("/ports/0/containerPort").asInt());
        assertThat(rules.stream().filter(rule -> !rule.has("to")))
                .singleElement()
                .satisfies(names -> assertThat(ports(names)).containsExactly(53));
        assertThat(rules.stream().filter(rule -> !everywhere(rule, "ipBlock").isEmpty()))
                .singleElement()
                .satisfies(providers -> {
                    assertThat(ports(providers)).containsExactly(443);
                    assertThat(everywhere(providers, "except"))
                            .allSatisfy(inside -> assertThat(inside).isNotEmpty());
                });
    }

    private static Set<Integer> portsTo(List<JsonNode> rules, JsonNode labels) {
        return rules.stream()
                .filter(rule -> labels.equals(rule.path("to").path(0).at("/podSelector/matchLabels")))
                .flatMap(rule -> ports(rule).stream())
                .collect(Collectors.toSet());
    }

    private static Set<Integer> ports(JsonNode rule) {
        return everywhere(rule, "port").stream().map(JsonNode::asInt).collect(Collectors.toSet());
    }

    @Test
    void kubernetesAsksTheManagementPortWhatItAnswers() {
        JsonNode container = container(NODES);
        Map<String, String> paths = Map.of(
                "startupProbe", "/livez",
                "livenessProbe", "/livez",
                "readinessProbe", "/readyz");

        paths.forEach((probe, path) -> {
            JsonNode get = container.path(probe).path("httpGet");
            assertThat(get.path("path").asText()).isEqualTo(path);
            assertThat(number(container, get.path("port")))
                    .isEqualTo(settings().at("/listeners/adminPort").asInt());
        });
    }

    @Test
    void aNodeHasTheTimeToFinishBeforeItIsKilled() throws Exception {
        JsonNode pod = NODES.at("/spec/template/spec");
        JsonNode sleep = container(NODES).at("/lifecycle/preStop/exec/command");
        assertThat(sleep.path(0).asText()).isEqualTo("sleep");

        Settings settings = read(SETTINGS);
        long needed = sleep.path(1).asLong()
                + settings.drainGrace().plus(settings.drainMax()).toSeconds()
                + LEAVE_S_MAX;

        assertThat(pod.path("terminationGracePeriodSeconds").asLong()).isGreaterThanOrEqualTo(needed);
    }

    @ParameterizedTest
    @MethodSource("setsByName")
    void aPodMayNothingThatItDoesNotNeed(JsonNode set) {
        JsonNode pod = set.at("/spec/template/spec");
        JsonNode rights = container(set).path("securityContext");

        assertThat(pod.path("containers")).hasSize(1);
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.at("/securityContext/runAsUser").asInt()).isPositive();
        assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
        assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
        // The links of a service called sluice would be settings (SLUICE_PORT).
        assertThat(pod.path("enableServiceLinks").asBoolean(true)).isFalse();
        assertThat(rights.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
        assertThat(rights.path("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(rights.at("/capabilities/drop")).extracting(JsonNode::asText).containsExactly("ALL");
        assertThat(container(set).at("/resources/limits/memory").asText()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("setsByName")
    void everyMountIsOfAVolumeThatThereIsAndWhatIsWrittenStays(JsonNode set) {
        Set<String> volumes = Stream.concat(
                        stream(set.at("/spec/template/spec/volumes")).map(volume -> text(volume, "name")),
                        stream(set.at("/spec/volumeClaimTemplates"))
                                .map(claim -> claim.at("/metadata/name").asText()))
                .collect(Collectors.toSet());

        assertThat(stream(container(set).path("volumeMounts")).map(mount -> text(mount, "name")))
                .containsExactlyInAnyOrderElementsOf(volumes);
        assertThat(set.at("/spec/persistentVolumeClaimRetentionPolicy"))
                .extracting(JsonNode::asText)
                .containsExactly("Retain", "Retain");
    }

    @Test
    void theDataDirectoryIsTheVolumeAndTheSettingsFileIsWhereTheImageLooks() throws Exception {
        Map<String, String> mounts = stream(container(NODES).path("volumeMounts"))
                .collect(Collectors.toMap(mount -> text(mount, "name"), mount -> text(mount, "mountPath")));

        assertThat(mounts.get("data")).isEqualTo(read(SETTINGS).dataDir().toString());
        assertThat(Files.readString(DEPLOY.resolve("Containerfile")))
                .contains("\"--config\", \"" + mounts.get("settings") + "/sluice.yaml\"")
                .contains("USER "
                        + NODES.at("/spec/template/spec/securityContext/runAsUser")
                                .asText() + ":");
    }

    @Test
    void theSettingsOfTheNodesAreTaken() throws Exception {
        JsonNode cluster = settings().path("cluster");

        assertThat(read(SETTINGS, environment()).listeners().adminPort()).isEqualTo(8081);
        assertThat(cluster.path("enabled").asBoolean()).isTrue();
        assertThat(cluster.path("kubernetesService")).isEqualTo(NODES.at("/spec/serviceName"));
        assertThat(cluster.path("majority").asInt())
                .isEqualTo(NODES.at("/spec/replicas").asInt() / 2 + 1);
    }

    @Test
    void theExampleOfAClusterIsTaken() throws Exception {
        assertThat(read(DEPLOY.resolve("config/cluster.yaml")).dataDir()).isEqualTo(Path.of("/var/lib/sluice"));
    }

    @Test
    void everyVariableOfTheNodesIsASettingAndEverySecretIsMadeByTheReadme() throws Exception {
        String settings = Files.readString(Path.of("docs/settings.md"));
        String readme = Files.readString(KUBERNETES.resolve("README.md"));

        assertThat(environment().keySet())
                .hasSizeGreaterThan(3)
                .allSatisfy(variable -> assertThat(settings).contains("`" + variable + "`"));
        List<JsonNode> secrets = all().stream()
                .flatMap(object -> everywhere(object, "secretKeyRef").stream())
                .toList();
        assertThat(secrets).hasSizeGreaterThan(3).allSatisfy(secret -> {
            assertThat(text(secret, "name")).isEqualTo(SECRET);
            assertThat(readme).contains("--from-literal=" + text(secret, "key") + "=");
        });
        assertThat(all("Secret")).isEmpty();
    }

    @Test
    void theNodesKnowEveryRedisOfTheExampleAndItKeepsWhatItAcknowledged() {
        JsonNode set = one("StatefulSet", "sluice-redis");
        String service = set.at("/spec/serviceName").asText();
        int replicas = set.at("/spec/replicas").asInt();
        List<String> urls = IntStream.range(0, replicas)
                .mapToObj(no -> "redis://sluice-redis-" + no + "." + service + ":6379")
                .toList();
        JsonNode data = one("ConfigMap", "sluice-redis").path("data");

        assertThat(stream(settings().at("/redis/urls")).map(JsonNode::asText)).containsExactlyElementsOf(urls);
        assertThat(settings().at("/redis/replicasMin").asInt()).isBetween(1, replicas - 2);
        assertThat(data.path("redis.conf").asText().lines())
                .contains("appendonly yes", "appendfsync always", "maxmemory-policy noeviction");
        assertThat(data.path("primary").asText()).isEqualTo("sluice-redis-0");
    }

    @Test
    void theImageIsBuiltOfEveryModule() throws Exception {
        String recipe = Files.readString(DEPLOY.resolve("Containerfile"));
        String taken = Files.readString(DEPLOY.resolve("Containerfile.dockerignore"));
        Set<String> parts = new TreeSet<>(Set.of("pom.xml", ".mvn"));
        matches("<module>([a-z-]+)", Files.readString(Path.of("../pom.xml"))).forEach(parts::add);
        parts.remove("ops");
        parts.addAll(Set.of("ops/pom.xml", "ops/src"));

        assertThat(parts).hasSizeGreaterThan(6).allSatisfy(part -> {
            assertThat(recipe).contains("\nCOPY " + part + " ");
            assertThat(taken).contains("\n!" + part + "\n");
        });
        assertThat(matches("\\nEXPOSE (.*)", recipe).findFirst().orElseThrow().split(" ", -1))
                .containsExactlyInAnyOrder(stream(container(NODES).path("ports"))
                        .map(port -> port.path("containerPort").asText())
                        .toArray(String[]::new));
    }

    private static Stream<String> matches(String pattern, String text) {
        return Pattern.compile(pattern).matcher(text).results().map((MatchResult found) -> found.group(1));
    }

    private static Settings read(Path file) throws Exception {
        return read(file, Map.of());
    }

    private static Settings read(Path file, Map<String, String> environment) throws Exception {
        return SettingsReader.read(new SettingsReader.CommandLine(file, null), environment, Path.of(""));
    }

    /** Of a pod, with something in place of what the cluster would fill in. */
    private static Map<String, String> environment() {
        Map<String, String> variables = new HashMap<>();
        container(NODES).path("env").forEach(variable -> {
            boolean address = "status.podIP"
                    .equals(variable.at("/valueFrom/fieldRef/fieldPath").asText());
            String value =
                    variable.has("value") ? text(variable, "value") : address ? "10.1.2.3" : "sluice-0-long-enough";
            variables.put(text(variable, "name"), value);
        });
        return variables;
    }
}
