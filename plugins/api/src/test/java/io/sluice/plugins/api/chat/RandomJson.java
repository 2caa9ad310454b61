package io.sluice.plugins.api.chat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Makes JSON text in all the ways it can be written: white space everywhere, escapes, numbers of any form. */
final class RandomJson {
    private static final String[] TEXTS = {
        "",
        "plain",
        "ünï 👩‍🔬",
        "\\\"q\\\" \\\\ \\/ \\b\\f\\n\\r\\t",
        "\\u0000",
        "\\ud83d\\ude00",
        "\\u00E9",
        "{[,:]}",
        "//",
        "\u202e",
        " "
    };

    private static final String[] NUMBERS = {
        "0",
        "-0",
        "7",
        "-12",
        "1.50",
        "-0.0",
        "1e5",
        "1E+2",
        "2.5e-3",
        "123456789012345678901234567890",
        "9007199254740993"
    };

    private final SplittableRandom random;

    RandomJson(SplittableRandom random) {
        this.random = random;
    }

    String value(int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> "null";
            case 1 -> random.nextBoolean() ? "true" : "false";
            case 2 -> oneOf(NUMBERS);
            case 3, 4 -> string();
            case 5 -> array(depth);
            default -> object(depth);
        };
    }

    String string() {
        return '"' + oneOf(TEXTS) + '"';
    }

    private String array(int depth) {
        StringBuilder text = new StringBuilder("[").append(space());
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(value(depth - 1))
                    .append(space())
                    .append(i > 1 ? "," : "")
                    .append(space());
        }
        return text.append(']').toString();
    }

    private String object(int depth) {
        Map<String, String> members = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            members.put("\"k" + i + oneOf(TEXTS) + '"', value(depth - 1));
        }
        return object(members);
    }

    /** An object of these members; names are JSON text with their quotes. */
    String object(Map<String, String> members) {
        StringBuilder text = new StringBuilder("{").append(space());
        String comma = "";
        for (Map.Entry<String, String> member : members.entrySet()) {
            text.append(comma).append(space()).append(member.getKey()).append(space());
            text.append(':').append(space()).append(member.getValue()).append(space());
            comma = ",";
        }
        return text.append('}').toString();
    }

    /** The members of a right request among unknown ones, in any order, names now and then escaped. */
    Map<String, String> request() {
        Map<String, String> members = new LinkedHashMap<>();
        int before = random.nextInt(4);
        for (int i = 0; i < before; i++) {
            members.put(unknownName(i), value(3));
        }
        members.put(oneOf("\"model\"", "\"mod\\u0065l\"", "\"\\u006dodel\""), string());
        for (int i = before; i < before + random.nextInt(3); i++) {
            members.put(unknownName(i), value(3));
        }
        members.put(
                oneOf("\"messages\"", "\"mess\\u0061ges\""),
                "[" + space() + "{\"role\":\"user\"," + space() + "\"content\":" + string() + "}" + space() + "]");
        for (int i = before + 3; i < before + 3 + random.nextInt(4); i++) {
            members.put(unknownName(i), value(3));
        }
        return members;
    }

    private String unknownName(int i) {
        return "\"x" + i + oneOf(TEXTS) + '"';
    }

    String space() {
        return random.nextInt(3) == 0 ? oneOf(" ", "\n", "\t", "\r\n", "   ") : "";
    }

    String oneOf(String... values) {
        return values[random.nextInt(values.length)];
    }
}
