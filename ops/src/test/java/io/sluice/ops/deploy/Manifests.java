package io.sluice.ops.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What is in ops/deploy, as trees. */
final class Manifests {
    static final Path DEPLOY = Path.of("deploy");
    static final Path KUBERNETES = DEPLOY.resolve("kubernetes");
    static final Path REDIS = KUBERNETES.resolve("redis-example");
    static final Path SETTINGS = KUBERNETES.resolve("sluice.yaml");

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private Manifests() {}

    /** Every document of a file. */
    static List<JsonNode> documents(Path file) {
        try (Stream<JsonNode> found = stream(YAML.readerFor(JsonNode.class)
                .<JsonNode>readValues(file.toFile())
                .readAll())) {
            return found.toList();
        } catch (JsonProcessingException wrong) {
            throw new AssertionError(file + " is no YAML", wrong);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static JsonNode settings() {
        return documents(SETTINGS).get(0);
    }

    /** Files of {@code directory} that kustomize is to read, without its own. */
    static List<Path> files(Path directory) {
        try (Stream<Path> found = Files.list(directory)) {
            return found.filter(file -> file.toString().endsWith(".yaml")
                            && !file.endsWith("kustomization.yaml")
                            && !file.equals(SETTINGS))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Every object of both directories. */
    static List<JsonNode> all() {
        return Stream.of(KUBERNETES, REDIS)
                .flatMap(directory -> files(directory).stream())
                .flatMap(file -> documents(file).stream())
                .toList();
    }

    static List<JsonNode> all(String kind) {
        return all().stream()
                .filter(object -> kind.equals(text(object, "kind")))
                .toList();
    }

    static Optional<JsonNode> find(String kind, String name) {
        return all(kind).stream()
                .filter(object -> name.equals(object.at("/metadata/name").asText()))
                .findFirst();
    }

    static JsonNode one(String kind, String name) {
        return find(kind, name).orElseThrow(() -> new AssertionError("there is no " + kind + " " + name));
    }

    /** The only container of a stateful set. */
    static JsonNode container(JsonNode set) {
        return set.at("/spec/template/spec/containers/0");
    }

    static String text(JsonNode node, String field) {
        return node.path(field).asText();
    }

    static Stream<JsonNode> stream(Iterable<JsonNode> nodes) {
        return StreamSupport.stream(nodes.spliterator(), false);
    }

    /** The number of a container's port by its name, and a number by itself. */
    static int number(JsonNode container, JsonNode port) {
        return port.isInt()
                ? port.asInt()
                : stream(container.path("ports"))
                        .filter(each -> port.asText().equals(text(each, "name")))
                        .findFirst()
                        .map(each -> each.path("containerPort").asInt())
                        .orElseThrow(() -> new AssertionError("no port of the container is called " + port));
    }

    /** Every mapping under {@code key}, however deep. */
    static List<JsonNode> everywhere(JsonNode node, String key) {
        List<JsonNode> found = new ArrayList<>();
        walk(node, each -> {
            JsonNode under = each.isObject() ? each.path(key) : MissingNode.getInstance();
            if (!under.isMissingNode()) {
                found.add(under);
            }
        });
        return found;
    }

    private static void walk(JsonNode node, Consumer<JsonNode> visitor) {
        visitor.accept(node);
        node.forEach(child -> walk(child, visitor));
    }
}
