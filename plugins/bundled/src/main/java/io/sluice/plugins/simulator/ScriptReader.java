package io.sluice.plugins.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.plugins.api.SettingProblem;
import io.sluice.plugins.simulator.SimulatorScript.ToolUse;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.json.JsonMistake;
import io.sluice.tenants.json.StrictJson;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reads a script from JSON and finds every mistake in it at once: unknown members, wrong types, numbers out of range. For one
 * reading.
 */
public final class ScriptReader {
    private static final Set<String> SCRIPT_MEMBERS =
            Set.of("latencyMs", "firstTokenMs", "tokensPerSecond", "tokens", "toolCall", "seed", "faults");

    private static final Set<String> FAULT_MEMBERS = Set.of(
            "kind",
            "model",
            "probability",
            "every",
            "first",
            "fromMs",
            "toMs",
            "retryAfterS",
            "afterEvents",
            "delayMs");

    /** One day: longer waits are mistakes. */
    private static final long MS_MAX = 86_400_000;

    private static final long TOKENS_MAX = 1_000_000;

    private final List<SettingProblem> problems = new ArrayList<>();
    private final SimulatorScript script;

    private ScriptReader(List<String> at, Map<String, JsonNode> members) {
        unknown(at, members.keySet(), SCRIPT_MEMBERS);
        Map<String, String> toolUses =
                Arrays.stream(ToolUse.values()).collect(Collectors.toMap(ToolUse::word, ToolUse::name));
        String toolUse = word(at, members, "toolCall", toolUses, ToolUse.WHEN_ASKED.name());
        script = new SimulatorScript(
                number(at, members, "latencyMs", 0, MS_MAX, 0),
                number(at, members, "firstTokenMs", 0, MS_MAX, 0),
                (int) number(at, members, "tokensPerSecond", 0, TOKENS_MAX, 0),
                (int) number(at, members, "tokens", 0, TOKENS_MAX, 0),
                ToolUse.valueOf(toolUse),
                number(at, members, "seed", Long.MIN_VALUE, Long.MAX_VALUE, 1),
                faults(at, members.get("faults")));
    }

    /** Reads the members of a script; {@code at} is where it stands in what the operator wrote. */
    public static ScriptReader of(List<String> at, Map<String, JsonNode> members) {
        return new ScriptReader(at, members);
    }

    /** Reads a script from its JSON text. */
    public static ScriptReader of(String json) {
        ScriptReader failed = new ScriptReader(List.of(), Map.of());
        try {
            JsonNode tree = StrictJson.MAPPER.readTree(json);
            if (tree != null && tree.isObject()) {
                return new ScriptReader(List.of(), members(tree));
            }
            failed.problem(List.of(), "a script is one JSON object");
        } catch (JsonProcessingException malformed) {
            failed.problem(List.of(), JsonMistake.words(malformed));
        }
        return failed;
    }

    /** Empty where the script is right. */
    public List<SettingProblem> problems() {
        return List.copyOf(problems);
    }

    /**
     * The script.
     *
     * @throws IllegalArgumentException where there are {@link #problems}
     */
    public SimulatorScript script() {
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("wrong script: " + problems);
        }
        return script;
    }

    private static Map<String, JsonNode> members(JsonNode object) {
        Map<String, JsonNode> members = new HashMap<>();
        object.fields().forEachRemaining(each -> members.put(each.getKey(), each.getValue()));
        return members;
    }

    private List<Fault> faults(List<String> at, JsonNode written) {
        List<Fault> faults = new ArrayList<>();
        if (written == null || written.isNull()) {
            return faults;
        }
        List<String> here = below(at, "faults");
        if (!written.isArray()) {
            problem(here, "must be a list of faults");
            return faults;
        }
        for (int i = 0; i < written.size(); i++) {
            List<String> each = below(here, Integer.toString(i));
            if (written.get(i).isObject()) {
                faults.add(fault(each, members(written.get(i))));
            } else {
                problem(each, "must be an object with a kind");
            }
        }
        return faults;
    }

    private Fault fault(List<String> at, Map<String, JsonNode> members) {
        unknown(at, members.keySet(), FAULT_MEMBERS);
        Map<String, String> kinds =
                Arrays.stream(FaultKind.values()).collect(Collectors.toMap(FaultKind::word, FaultKind::name));
        if (!members.containsKey("kind")) {
            problem(below(at, "kind"), "is missing; one of " + String.join(", ", new TreeSet<>(kinds.keySet())));
        }
        JsonNode model = members.get("model");
        if (model != null && !model.isTextual() && !model.isNull()) {
            problem(below(at, "model"), "must be a string");
        }
        return new Fault(
                FaultKind.valueOf(word(at, members, "kind", kinds, FaultKind.INTERNAL_ERROR.name())),
                model == null ? null : model.textValue(),
                probability(at, members.get("probability")),
                number(at, members, "every", 1, Integer.MAX_VALUE, 0),
                number(at, members, "first", 1, Integer.MAX_VALUE, 0),
                number(at, members, "fromMs", 0, MS_MAX, 0),
                number(at, members, "toMs", 1, MS_MAX, 0),
                (int) number(at, members, "retryAfterS", 0, MS_MAX / 1_000, -1),
                (int) number(at, members, "afterEvents", 0, TOKENS_MAX, -1),
                number(at, members, "delayMs", 0, MS_MAX, 5_000));
    }

    private double probability(List<String> at, JsonNode written) {
        if (written == null || written.isNull()) {
            return 1;
        }
        double probability = written.isNumber() ? written.doubleValue() : -1;
        if (!(probability >= 0 && probability <= 1)) {
            problem(below(at, "probability"), "must be a number from 0 to 1");
        }
        return probability;
    }

    private long number(List<String> at, Map<String, JsonNode> members, String name, long min, long max, long absent) {
        JsonNode written = members.get(name);
        if (written == null || written.isNull()) {
            return absent;
        }
        boolean whole = written.isIntegralNumber() && written.canConvertToLong();
        if (!whole || written.longValue() < min || written.longValue() > max) {
            problem(below(at, name), "must be a whole number from " + min + " to " + max);
            return absent;
        }
        return written.longValue();
    }

    private String word(
            List<String> at, Map<String, JsonNode> members, String name, Map<String, String> words, String absent) {
        JsonNode written = members.get(name);
        if (written == null || written.isNull()) {
            return absent;
        }
        String found = written.isTextual() ? words.get(written.textValue()) : null;
        if (found == null) {
            problem(below(at, name), "must be one of " + String.join(", ", new TreeSet<>(words.keySet())));
            return absent;
        }
        return found;
    }

    private void unknown(List<String> at, Set<String> written, Set<String> known) {
        for (String name : new TreeSet<>(written)) {
            if (!known.contains(name)) {
                problem(below(at, name), "is unknown; known are " + String.join(", ", new TreeSet<>(known)));
            }
        }
    }

    private void problem(List<String> at, String message) {
        problems.add(new SettingProblem(at, message));
    }

    private static List<String> below(List<String> at, String name) {
        List<String> path = new ArrayList<>(at);
        path.add(name);
        return path;
    }
}
