package io.sluice.ops.settings;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One mapping of the settings file while it is read. Asking for a key makes it known; {@link #finish} reports every key that
 * nobody asked for. A wrong value is reported and answered with the fallback, so that reading goes on and finds the rest.
 */
final class Section {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15}) ?(B|KiB|MiB|GiB|TiB)");
    private static final Map<String, Long> UNITS =
            Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30, "TiB", 1L << 40);

    private static final Set<String> TRUTHS = Set.of("true", "false");

    private final Reading reading;
    private final String path;
    private final JsonNode node;
    private final Set<String> known = new TreeSet<>();
    private final List<Section> children = new ArrayList<>();

    private Section(Reading reading, String path, JsonNode node) {
        this.reading = reading;
        this.path = path;
        this.node = node;
    }

    /** The file's root. */
    static Section root(YamlFile file, Map<String, String> environment, List<SettingsProblem> problems) {
        return new Section(new Reading(file, environment, problems, new TreeSet<>()), "", file.root());
    }

    /** What all sections of one reading share. */
    private record Reading(
            YamlFile file, Map<String, String> environment, List<SettingsProblem> problems, Set<String> knownPaths) {}

    /** The mapping under {@code key}; an empty one where it was left out. */
    Section section(String key) {
        JsonNode child = take(key);
        if (child != null && !child.isObject() && !child.isNull()) {
            wrong(key, "must be a mapping of keys to values");
        }
        Section section = new Section(reading, at(key), child instanceof ObjectNode object ? object : null);
        children.add(section);
        return section;
    }

    /** A text; null where it was left out everywhere. {@code variable} of the environment wins; null means none. */
    String text(String key, String variable, String fallback) {
        return valueOf(key, variable, fallback, "a text", Section::textOf);
    }

    long integer(String key, String variable, long fallback, long min, long max) {
        String wish = "a whole number from " + min + " to " + max;
        return valueOf(key, variable, fallback, wish, value -> {
            long number = value.isTextual() ? Long.parseLong(value.textValue()) : exact(value);
            return number < min || number > max ? null : number;
        });
    }

    double share(String key, double fallback) {
        return valueOf(key, null, fallback, "a number above 0 and at most 1", value -> {
            double number = value.isNumber() ? value.doubleValue() : Double.NaN;
            return number > 0 && number <= 1 ? number : null;
        });
    }

    double number(String key, double fallback, double min, double max) {
        return valueOf(key, null, fallback, "a number from " + min + " to " + max, value -> {
            double number = value.isNumber() ? value.doubleValue() : Double.NaN;
            return number >= min && number <= max ? number : null;
        });
    }

    boolean truth(String key, boolean fallback) {
        return truth(key, null, fallback);
    }

    boolean truth(String key, String variable, boolean fallback) {
        return valueOf(key, variable, fallback, "true or false", value -> truthOf(value, variable != null));
    }

    /** A number of bytes, also with a unit: {@code 64KiB}. */
    long bytes(String key, long fallback, long min, long max) {
        String wish =
                "a size from " + spelled(min) + " to " + spelled(max) + ", such as 64KiB, 32MiB or a number of bytes";
        return valueOf(key, null, fallback, wish, value -> {
            long number = value.isTextual() ? size(value.textValue()) : exact(value);
            return number < min || number > max ? null : number;
        });
    }

    /** An ISO-8601 duration. One spelling only: two that look alike and differ have cost others money (case CF06). */
    Duration duration(String key, Duration fallback, Duration min, Duration max) {
        String wish = "an ISO-8601 duration from " + min + " to " + max + ", such as PT30S or P7D";
        return valueOf(key, null, fallback, wish, value -> {
            Duration duration = Duration.parse(textOf(value));
            return duration.compareTo(min) < 0 || duration.compareTo(max) > 0 ? null : duration;
        });
    }

    <E extends Enum<E>> E choice(String key, Class<E> type, E fallback) {
        List<String> words = words(type);
        return valueOf(key, null, fallback, "one of " + String.join(", ", words), value -> {
            int index = words.indexOf(textOf(value));
            return index < 0 ? null : type.getEnumConstants()[index];
        });
    }

    /** A list of texts; {@code element} gives what is wrong with one, or null. */
    List<String> texts(String key, List<String> fallback, Function<String, String> element) {
        JsonNode list = take(key);
        if (list == null || list.isNull()) {
            return fallback;
        }
        if (!list.isArray()) {
            wrong(key, "must be a list, such as [a, b]");
            return fallback;
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode each = list.get(i);
            String mistake = each.isTextual() ? element.apply(each.textValue()) : "must be a text";
            if (mistake == null) {
                texts.add(each.textValue());
            } else {
                wrong(key, "[" + i + "] " + mistake);
            }
        }
        return List.copyOf(texts);
    }

    /** The same; {@code variable} of the environment wins, there commas part the elements. */
    List<String> texts(String key, String variable, List<String> fallback, Function<String, String> element) {
        List<String> inFile = texts(key, fallback, element);
        String inEnvironment = reading.environment.get(variable);
        if (inEnvironment == null) {
            return inFile;
        }
        List<String> texts = List.of(inEnvironment.split(",", -1));
        for (String text : texts) {
            String mistake = element.apply(text.strip());
            if (mistake != null) {
                wrongVariable(variable, "'" + text + "' " + mistake);
                return fallback;
            }
        }
        return texts.stream().map(String::strip).toList();
    }

    /** Reports a mistake in a variable of the environment. */
    void wrongVariable(String variable, String message) {
        reading.problems.add(new SettingsProblem(variable, 0, "", message));
    }

    /** Reports a mistake in {@code key}. */
    void wrong(String key, String message) {
        reading.problems.add(new SettingsProblem(
                reading.file.name(), reading.file.lines().getOrDefault(at(key), 0), at(key), message));
    }

    /** Reports the keys of this section and those below it that nobody asked for. */
    void finish() {
        children.forEach(Section::finish);
        if (node == null) {
            return;
        }
        node.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                String nearest = NearestWord.among(reading.knownPaths, at(key));
                wrong(key, "unknown key; the nearest known one is " + nearest);
            }
        });
    }

    /** Paths of all keys that were asked for in the whole file. */
    Set<String> knownPaths() {
        return reading.knownPaths;
    }

    private <V> V valueOf(String key, String variable, V fallback, String wish, Function<JsonNode, V> read) {
        JsonNode inFile = take(key);
        String inEnvironment = variable == null ? null : reading.environment.get(variable);
        if (inEnvironment != null) {
            V value = attempt(reading.file.root().textNode(inEnvironment), read);
            if (value == null) {
                String blank = inEnvironment.isBlank() ? "is set but blank; unset it or give it " : "must be ";
                wrongVariable(variable, blank + wish);
            }
            return value == null ? fallback : value;
        }
        if (inFile == null) {
            return fallback;
        }
        V value = attempt(inFile, read);
        if (value == null) {
            wrong(
                    key,
                    (inFile.isNull() || inFile.asText().isBlank() ? "is blank; leave it out or give it " : "must be ")
                            + wish);
        }
        return value == null ? fallback : value;
    }

    private static <V> V attempt(JsonNode value, Function<JsonNode, V> read) {
        try {
            return read.apply(value);
        } catch (NumberFormatException | ArithmeticException | DateTimeParseException notOfThatForm) {
            return null;
        }
    }

    private JsonNode take(String key) {
        known.add(key);
        reading.knownPaths.add(at(key));
        return node == null ? null : node.get(key);
    }

    private String at(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** In the environment all is text. */
    private static Boolean truthOf(JsonNode value, boolean spelled) {
        if (value.isBoolean()) {
            return value.booleanValue();
        }
        boolean written = spelled && value.isTextual() && TRUTHS.contains(value.textValue());
        return written ? Boolean.valueOf(value.textValue()) : null;
    }

    /** A number where a text is due, such as a host {@code 1}, would lose its spelling: texts only. Blank is no text. */
    private static String textOf(JsonNode value) {
        return value.isTextual() && !value.textValue().isBlank()
                ? value.textValue()
                : value.isTextual() ? null : notText();
    }

    private static String notText() {
        throw new NumberFormatException();
    }

    private static long exact(JsonNode value) {
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new NumberFormatException();
        }
        return value.longValue();
    }

    private static long size(String text) {
        Matcher matcher = SIZE.matcher(text);
        if (!matcher.matches()) {
            throw new NumberFormatException();
        }
        return Math.multiplyExact(Long.parseLong(matcher.group(1)), UNITS.get(matcher.group(2)));
    }

    private static String spelled(long bytes) {
        for (String unit : List.of("TiB", "GiB", "MiB", "KiB")) {
            if (bytes >= UNITS.get(unit) && bytes % UNITS.get(unit) == 0) {
                return bytes / UNITS.get(unit) + unit;
            }
        }
        return bytes + "B";
    }

    private static <E extends Enum<E>> List<String> words(Class<E> type) {
        return java.util.Arrays.stream(type.getEnumConstants())
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .toList();
    }
}
