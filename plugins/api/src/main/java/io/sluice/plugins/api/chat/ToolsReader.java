package io.sluice.plugins.api.chat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks {@code tools} and {@code tool_choice}. Schemas are never evaluated here, only passed on. For one parse. */
final class ToolsReader {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.:$-]{1,128}");

    private final JsonParser parser;
    private final TokenWalk walk;
    private final ChatLimits limits;
    private final Set<String> names = new HashSet<>();
    private String chosen;
    private boolean required;

    ToolsReader(JsonParser parser, TokenWalk walk, ChatLimits limits) {
        this.parser = parser;
        this.walk = walk;
        this.limits = limits;
    }

    boolean offered() {
        return !names.isEmpty();
    }

    /** Whether one must be called. */
    boolean demanded() {
        return required || chosen != null;
    }

    /** Reads the array at the current token. */
    void readTools() throws IOException, ParseStop {
        if (parser.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (parser.currentToken() != JsonToken.START_ARRAY) {
            throw ParseStop.invalid("tools", "must be an array");
        }
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
            if (i == limits.toolsMax()) {
                throw ParseStop.invalid("tools", "has more than " + limits.toolsMax() + " items");
            }
            readTool("tools[" + i + "]");
        }
    }

    private void readTool(String at) throws IOException, ParseStop {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw ParseStop.invalid(at, "must be an object");
        }
        String name = null;
        for (int keys = 1; parser.nextToken() != JsonToken.END_OBJECT; keys++) {
            walk.countKey(at, keys);
            String member = parser.currentName();
            JsonToken value = parser.nextToken();
            if ((member.equals("function") || member.equals("custom")) && value == JsonToken.START_OBJECT) {
                name = readName(at + "." + member);
            } else {
                walk.skipValue(at, member, true);
            }
        }
        if (name == null) {
            throw ParseStop.invalid(at, "must have a function with a name");
        }
        if (!NAME.matcher(name).matches()) {
            throw ParseStop.invalid(at + ".function.name", "must be 1 to 128 letters, digits or _ . : $ -");
        }
        if (!names.add(name)) {
            throw ParseStop.invalid(at + ".function.name", "stands twice among the tools");
        }
    }

    /** The member {@code name} of the object at the current token; null where it has none. */
    private String readName(String at) throws IOException, ParseStop {
        String name = null;
        for (int keys = 1; parser.nextToken() != JsonToken.END_OBJECT; keys++) {
            walk.countKey(at, keys);
            String member = parser.currentName();
            JsonToken value = parser.nextToken();
            if (member.equals("name") && value == JsonToken.VALUE_STRING) {
                name = parser.getText();
            } else {
                walk.skipValue(at, member, true);
            }
        }
        return name;
    }

    /** Reads {@code tool_choice} at the current token. */
    void readChoice() throws IOException, ParseStop {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            required = parser.currentToken() == JsonToken.VALUE_STRING
                    && parser.getText().equals("required");
            walk.skipValue("tool_choice", true);
            return;
        }
        for (int keys = 1; parser.nextToken() != JsonToken.END_OBJECT; keys++) {
            walk.countKey("tool_choice", keys);
            String member = parser.currentName();
            JsonToken value = parser.nextToken();
            if ((member.equals("function") || member.equals("custom")) && value == JsonToken.START_OBJECT) {
                chosen = readName("tool_choice." + member);
            } else {
                walk.skipValue("tool_choice", member, true);
            }
        }
    }

    /** Called when both members were read, in whatever order they came. */
    void checkChoice() throws ParseStop {
        if (chosen != null && !names.contains(chosen)) {
            throw ParseStop.invalid("tool_choice", "names a tool that is not among the tools");
        }
    }
}
