package io.sluice.ops.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;

/**
 * A YAML file from a stranger as a tree, with the line of each key. It takes plain YAML only: no anchors and aliases (a few
 * lines of them grow to gigabytes), no tags (they name classes to load), no key twice, one document, UTF-8, at most
 * {@link #BYTES_MAX}.
 *
 * @param name as shown in mistakes
 * @param root the mapping; empty for an empty file
 * @param lines line of each key, from 1, by its path
 */
record YamlFile(String name, ObjectNode root, Map<String, Integer> lines) {
    /** A settings file has a few kB; a megabyte is a mistake, and reading it must not cost memory (bad-input row 105). */
    static final int BYTES_MAX = 1 << 20;

    /** The settings nest three deep. */
    private static final int DEPTH_MAX = 16;

    static final YamlFile NONE = new YamlFile("", JsonNodeFactory.instance.objectNode(), Map.of());

    private static final YAMLFactory FACTORY = factory();

    static YamlFile read(Path file) throws WrongSettingsException {
        Reading reading = new Reading(file.toString());
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw reading.stop(0, "is larger than 1 MiB, the most a settings file may have");
            }
            byte[] bytes = Files.readAllBytes(file);
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return reading.parse(text);
        } catch (NoSuchFileException missing) {
            throw reading.stop(0, "there is no such file");
        } catch (CharacterCodingException notUtf8) {
            throw reading.stop(0, "is not UTF-8 text");
        } catch (IOException unreadable) {
            throw reading.stop(0, "can't be read: " + unreadable.getMessage());
        }
    }

    private static YAMLFactory factory() {
        LoaderOptions limits = new LoaderOptions();
        limits.setCodePointLimit(BYTES_MAX);
        limits.setNestingDepthLimit(DEPTH_MAX);
        limits.setMaxAliasesForCollections(0);
        limits.setAllowDuplicateKeys(false);
        YAMLFactory factory = YAMLFactory.builder()
                .loaderOptions(limits)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                // Else `off` would be false.
                .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
                .build();
        factory.setStreamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build());
        return factory;
    }

    /** One pass over the file. */
    private static final class Reading {
        private final String name;
        private final Map<String, Integer> lines = new HashMap<>();
        private final List<SettingsProblem> problems = new ArrayList<>();
        private YAMLParser parser;

        Reading(String name) {
            this.name = name;
        }

        YamlFile parse(String text) throws IOException, WrongSettingsException {
            try (YAMLParser open = FACTORY.createParser(text)) {
                parser = open;
                JsonToken first = open.nextToken();
                if (first == null || first == JsonToken.VALUE_NULL) {
                    return new YamlFile(name, JsonNodeFactory.instance.objectNode(), Map.of());
                }
                JsonNode root = value(first, "");
                if (open.nextToken() != null) {
                    throw stop(line(), "has a second document; one file holds one set of settings");
                }
                if (!(root instanceof ObjectNode mapping)) {
                    throw stop(1, "must be a mapping of keys to values, such as: listeners: {port: 8080}");
                }
                if (!problems.isEmpty()) {
                    throw new WrongSettingsException(problems);
                }
                return new YamlFile(name, mapping, Map.copyOf(lines));
            } catch (StreamConstraintsException tooDeep) {
                throw stop(line(), "nests deeper than " + DEPTH_MAX + " levels");
            } catch (JsonProcessingException wrong) {
                int line = wrong.getLocation() == null ? 0 : wrong.getLocation().getLineNr();
                throw stop(Math.max(line, 0), "is not plain YAML: " + firstLines(wrong.getOriginalMessage()));
            }
        }

        private JsonNode value(JsonToken token, String path) throws IOException {
            refuseWhatIsNotPlain(path);
            JsonNodeFactory nodes = JsonNodeFactory.instance;
            return switch (token) {
                case START_OBJECT -> object(path);
                case START_ARRAY -> array(path);
                case VALUE_NULL -> nodes.nullNode();
                case VALUE_TRUE -> nodes.booleanNode(true);
                case VALUE_FALSE -> nodes.booleanNode(false);
                case VALUE_NUMBER_INT -> nodes.numberNode(parser.getBigIntegerValue());
                case VALUE_NUMBER_FLOAT -> decimal();
                default -> nodes.textNode(parser.getText());
            };
        }

        /** {@code .nan} and {@code .inf} are numbers to YAML and to no setting. */
        private JsonNode decimal() throws IOException {
            try {
                return JsonNodeFactory.instance.numberNode(parser.getDecimalValue());
            } catch (JsonProcessingException | NumberFormatException notFinite) {
                return JsonNodeFactory.instance.textNode(parser.getText());
            }
        }

        private ObjectNode object(String path) throws IOException {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                refuseWhatIsNotPlain(path);
                String key = parser.currentName();
                String keyPath = path.isEmpty() ? key : path + "." + key;
                lines.put(keyPath, line());
                object.set(key, value(parser.nextToken(), keyPath));
            }
            return object;
        }

        private ArrayNode array(String path) throws IOException {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
                array.add(value(token, path + "[" + array.size() + "]"));
            }
            return array;
        }

        private void refuseWhatIsNotPlain(String path) throws IOException {
            if (parser.isCurrentAlias() || parser.getObjectId() != null) {
                problems.add(new SettingsProblem(name, line(), path, "has an anchor or alias; write the value out"));
            }
            if (parser.getTypeId() != null) {
                problems.add(new SettingsProblem(
                        name, line(), path, "has the tag !" + parser.getTypeId() + "; leave tags out"));
            }
        }

        private int line() {
            return parser == null ? 0 : parser.currentTokenLocation().getLineNr();
        }

        WrongSettingsException stop(int line, String message) {
            problems.add(new SettingsProblem(name, line, "", message));
            return new WrongSettingsException(problems);
        }

        /** The parser's own words without the excerpt, which may hold a secret. */
        private static String firstLines(String message) {
            return message.lines()
                    .filter(line -> !line.startsWith(" "))
                    .limit(3)
                    .reduce((a, b) -> a + "; " + b)
                    .orElse("");
        }
    }
}
