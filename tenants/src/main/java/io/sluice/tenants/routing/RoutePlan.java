package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.failure.Refusal;
import io.sluice.tenants.json.RecordWriter;
import java.util.List;

/**
 * The ordered candidates of a request and why each target is, or is not, among them.
 *
 * @param candidates in the order in which they are tried
 * @param excluded targets that this request can not use, with the reason
 * @param refused why there is no candidate at all; null where there is one
 * @param start why it starts below the first rung; null where it does not
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RoutePlan(List<Candidate> candidates, List<Excluded> excluded, Refusal refused, Start start)
        implements RecordWriter.Written {
    public RoutePlan {
        candidates = List.copyOf(candidates);
        excluded = List.copyOf(excluded);
    }

    /** A plan of a request that starts at the first rung. */
    public RoutePlan(List<Candidate> candidates, List<Excluded> excluded, Refusal refused) {
        this(candidates, excluded, refused, null);
    }

    /**
     * One possible attempt.
     *
     * @param rung index in the ladder
     * @param target index in the rung's targets; -1 for a static rung, which may turn out to have no answer
     * @param weight effective weight it was drawn with
     */
    public record Candidate(int rung, int target, double weight) implements RecordWriter.Written {

        @Override
        public void members(RecordWriter out) {
            out.whole("rung", rung);
            out.whole("target", target);
            out.decimal("weight", weight);
        }
    }

    /** One target that is out, and why; target -1 means the whole rung. */
    public record Excluded(int rung, int target, Reason reason) {}

    /** Why a target is out for a request. */
    public enum Reason {
        DRAINED("its weight is 0"),
        UNHEALTHY("it is taken out until it is healthy again"),
        BREAKER_OPEN("its circuit breaker is open"),
        NO_QUOTA("its provider has no quota left"),
        SATURATED("all its permits are taken"),
        WINDOW_TOO_SMALL("the prompt does not fit its context window"),
        NO_TOOLS("the model has no tools"),
        NO_VISION("the model reads no images"),
        NO_JSON_SCHEMA("the model has no JSON schema mode"),
        SWITCHED_OFF("it is switched off"),
        DRILLED("a drill starts at a rung below"),
        SHIFTED("it is in trouble, and traffic is shifted to a rung below"),
        KIND_FORBIDS_DESCENT("a request of this kind may not descend"),
        NEEDS_STRUCTURE("a text can not have the form that the request asks for"),
        REQUEST_AT_FAULT("a text would hide that the request has to change"),
        UNPRICED("it has no price, so no spend cap could hold it"),
        BUDGET_CONSERVES("money runs short, and the request is left to lighter models"),
        BELOW_FLOOR("it is below the scenario's floor, to which shortage of money may not lead"),
        BUDGET_RESTRICTS("money runs very short, and the request is not core"),
        BUDGET_EXHAUSTED("a spend cap is used up");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** The reason in words, for people. */
        public String text() {
            return text;
        }
    }

    @Override
    public void members(RecordWriter out) {
        out.each("candidates", candidates);
        out.any("excluded", excluded);
        out.any("refused", refused);
        out.any("start", start);
    }
}
