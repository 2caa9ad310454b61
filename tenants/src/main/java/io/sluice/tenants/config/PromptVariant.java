package io.sluice.tenants.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * Another system prompt for a rung that needs one: a lighter model follows fewer instructions.
 *
 * @param system its text
 * @param instead whether the text takes the place of the caller's first system message; false puts it before, so that nothing
 *     the caller says is lost
 */
public record PromptVariant(String system, boolean instead) {
    /** A prompt, not a document. */
    public static final int CHARS_MAX = 16_384;

    /** One for each rung of a ladder. */
    public static final int VARIANTS_MAX = 16;

    /** Names of its members. */
    public static final String SYSTEM = "system";

    public static final String PLACE = "place";

    /** What {@link #PLACE} may be; {@link #BEFORE} where it is left out. */
    public static final String BEFORE = "before";

    public static final String INSTEAD = "instead";

    /** The variants of a setting that was found right; empty where {@code value} is null. */
    static Map<String, PromptVariant> parse(JsonNode value) {
        Map<String, PromptVariant> variants = new TreeMap<>();
        if (value != null) {
            value.properties()
                    .forEach(variant -> variants.put(
                            variant.getKey(),
                            new PromptVariant(
                                    variant.getValue().path(SYSTEM).textValue(),
                                    variant.getValue().path(PLACE).asText().equals(INSTEAD))));
        }
        return variants;
    }
}
