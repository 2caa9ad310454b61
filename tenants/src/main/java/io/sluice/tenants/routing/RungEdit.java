package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;

/**
 * How a pool rung changes the request before a model sees it: what is given up there (requirement C2).
 *
 * @param maxTokensFactor the answer's greatest length is multiplied by this, above 0 and at most 1
 * @param fewShotMax most pairs of examples that are kept; -1 keeps all
 * @param leadingPairs whether unmarked pairs directly after the system messages are examples too
 * @param variant name of the prompt; null where the caller's stands alone
 * @param system the prompt's text; null likewise
 * @param instead whether it takes the place of the caller's first system message
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RungEdit(
        double maxTokensFactor, int fewShotMax, boolean leadingPairs, String variant, String system, boolean instead) {
    /** Nothing is changed. */
    public static final RungEdit NONE = new RungEdit(1, -1, false, null, null, false);

    /** The word for a lower limit of the answer's length. */
    public static final String SHORTER_ANSWER = "shorter-answer";

    /** The word for examples that were left out. */
    public static final String FEWER_EXAMPLES = "fewer-examples";

    /** The word for an answer that no model wrote. */
    public static final String STATIC_ANSWER = "static-answer";

    /** The word for an answer from before the time for which equal requests share one. */
    public static final String STALE_ANSWER = "stale-cached-answer";

    /** Whether every request passes unchanged. */
    public boolean none() {
        return maxTokensFactor >= 1 && fewShotMax < 0 && system == null;
    }

    /** Words for all that an answer may lack under this edit. */
    public List<String> givesUp() {
        if (none()) {
            return List.of();
        }
        List<String> words = new ArrayList<>(3);
        if (maxTokensFactor < 1) {
            words.add(SHORTER_ANSWER);
        }
        if (system != null) {
            words.add(promptWord());
        }
        if (fewShotMax >= 0) {
            words.add(FEWER_EXAMPLES);
        }
        return words;
    }

    /** The word for the prompt, such as {@code conservative-prompt}. */
    public String promptWord() {
        return variant + "-prompt";
    }
}
