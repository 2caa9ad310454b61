package io.sluice.tenants.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
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
    static final int CHARS_MAX = 16_384;

    /** One for each rung of a ladder. */
    static final int VARIANTS_MAX = 16;

    private static final String BEFORE = "before";

    private static final String INSTEAD = "instead";

    /** What is wrong with the setting {@code promptVariants}; empty where nothing is. */
    static Optional<String> problem(JsonNode value) {
        if (!value.isObject() || value.size() > VARIANTS_MAX) {
            return Optional.of("must be an object of at most " + VARIANTS_MAX
                    + " variants by name, such as {\"conservative\": {\"system\": \"Answer in one sentence.\"}}");
        }
        for (Map.Entry<String, JsonNode> variant : value.properties()) {
            if (!variant.getKey().matches("[a-z0-9][a-z0-9-]{0,30}")) {
                return Optional.of("a variant's name must be 1 to 31 lower-case letters, digits and hyphens");
            }
            JsonNode system = variant.getValue().path("system");
            boolean texts = system.isTextual()
                    && !system.textValue().isBlank()
                    && system.textValue().length() <= CHARS_MAX;
            if (!texts) {
                return Optional.of("\"" + variant.getKey() + "\" must have a member system with 1 to " + CHARS_MAX
                        + " characters");
            }
            JsonNode place = variant.getValue().path("place");
            boolean placed = place.isMissingNode()
                    || place.asText().equals(BEFORE)
                    || place.asText().equals(INSTEAD);
            if (!placed || variant.getValue().size() != (place.isMissingNode() ? 1 : 2)) {
                return Optional.of("\"" + variant.getKey()
                        + "\" may have, beside system, only the member place: \"before\" (the default: before the"
                        + " caller's system message) or \"instead\" (in its place)");
            }
        }
        return Optional.empty();
    }

    /** The variants of a setting that was found right; empty where {@code value} is null. */
    static Map<String, PromptVariant> parse(JsonNode value) {
        Map<String, PromptVariant> variants = new TreeMap<>();
        if (value != null) {
            value.properties()
                    .forEach(variant -> variants.put(
                            variant.getKey(),
                            new PromptVariant(
                                    variant.getValue().path("system").textValue(),
                                    variant.getValue().path("place").asText().equals(INSTEAD))));
        }
        return variants;
    }
}
