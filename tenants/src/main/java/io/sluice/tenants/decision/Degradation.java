package io.sluice.tenants.decision;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.routing.RoutePlan;
import java.util.List;
import java.util.Locale;

/**
 * Why a lower rung answered and what its answer lost (requirement C3).
 *
 * @param reason the switch that degrades it, the class of the last failed attempt, {@code budget_uncovered}, why the first
 *     target was out, or {@code no_time}; lower case
 * @param givenUp words for what was given up, such as {@code shorter-answer}; empty where the same was asked elsewhere
 * @param silent static rungs above that had no answer to this question
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Degradation(String reason, List<String> givenUp, List<String> silent) {
    private static final String SWITCH = "switch";

    public Degradation {
        givenUp = List.copyOf(givenUp);
        silent = List.copyOf(silent);
    }

    /**
     * Why a lower rung answers, after these attempts and stays in queues.
     *
     * @param uncovered null unless a model was passed over for want of money
     */
    public static String reason(
            RoutePlan plan, List<AttemptRecord> attempts, List<QueueWait> waits, Uncovered uncovered) {
        if (plan.start() != null && plan.start().switchId() != null) {
            return SWITCH + " " + plan.start().switchId();
        }
        for (int i = attempts.size() - 1; i >= 0; i--) {
            if (attempts.get(i).failure() != null) {
                return attempts.get(i).failure().name().toLowerCase(Locale.ROOT);
            }
        }
        if (uncovered != null) {
            return "budget_uncovered";
        }
        if (!waits.isEmpty()) {
            return RoutePlan.Reason.SATURATED.name().toLowerCase(Locale.ROOT);
        }
        return plan.excluded().isEmpty()
                ? "no_time"
                : plan.excluded().get(0).reason().name().toLowerCase(Locale.ROOT);
    }

    /** The reason as one of a few words: all switches are one. */
    public String kind() {
        return reason.startsWith(SWITCH + " ") ? SWITCH : reason;
    }

    /** Both in one line: {@code timeout_total; shorter-answer, fewer-examples}. */
    public String told() {
        return givenUp.isEmpty() ? reason : reason + "; " + String.join(", ", givenUp);
    }
}
