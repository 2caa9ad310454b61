package io.sluice.tenants.routing;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.config.Tier;
import io.sluice.tenants.json.RecordWriter;
import java.util.List;

/**
 * One rung at the moment of a decision.
 *
 * @param step the rung's name
 * @param pool key of the pool; null for a static rung, which may have no answer to a question unless it is a text
 * @param tier of the pool; null for a static rung
 * @param targets empty for a static rung
 * @param givesUp words for all that an answer of this rung may lack
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RungFacts(
        String step,
        String pool,
        Tier tier,
        long timeoutMs,
        long minRemainingMs,
        List<TargetFacts> targets,
        List<String> givesUp)
        implements RecordWriter.Written {
    public RungFacts {
        targets = List.copyOf(targets);
        givesUp = givesUp == null ? List.of() : List.copyOf(givesUp);
    }

    /** A pool that is asked as the caller asked. */
    public RungFacts(String step, String pool, long timeoutMs, long minRemainingMs, List<TargetFacts> targets) {
        this(step, pool, null, timeoutMs, minRemainingMs, targets, List.of());
    }

    /** A pool of which no tier is known. */
    public RungFacts(
            String step,
            String pool,
            long timeoutMs,
            long minRemainingMs,
            List<TargetFacts> targets,
            List<String> givesUp) {
        this(step, pool, null, timeoutMs, minRemainingMs, targets, givesUp);
    }

    /** A rung that answers without a model, if it does. */
    public static RungFacts ofStatic(String step) {
        return ofStatic(step, RungEdit.STATIC_ANSWER);
    }

    /** A rung that answers without a model, if it does, and gives up {@code word} then. */
    public static RungFacts ofStatic(String step, String word) {
        return new RungFacts(step, null, 0, 0, List.of(), List.of(word));
    }

    /** Whether it has only ready texts to answer with, unlike a model, or an old answer to an equal request. */
    boolean onlyTexts() {
        return pool == null && !givesUp.contains(RungEdit.STALE_ANSWER);
    }

    @Override
    public void members(RecordWriter out) {
        out.text("step", step);
        out.text("pool", pool);
        out.word("tier", tier);
        out.whole("timeoutMs", timeoutMs);
        out.whole("minRemainingMs", minRemainingMs);
        out.each("targets", targets);
        out.any("givesUp", givesUp.isEmpty() ? null : givesUp);
    }
}
