package io.sluice.tenants.routing;

import io.sluice.tenants.json.JsonSubtypes;
import java.util.function.Function;

/** A rung with its pool resolved. */
@JsonSubtypes
public sealed interface CompiledRung {
    String name();

    /**
     * A pool answers.
     *
     * @param timeoutMs longest attempt, 0 where it follows from token counts and the deadline
     * @param minRemainingMs an attempt starts only with this much of the deadline left
     */
    record Pool(String name, CompiledPool pool, long timeoutMs, long minRemainingMs) implements CompiledRung {}

    /** A text answers, always. */
    record Text(String name, String text) implements CompiledRung {}

    /** One answer for each kind of rung. */
    default <T> T fold(Function<Pool, T> pool, Function<Text, T> text) {
        return this instanceof Pool p ? pool.apply(p) : text.apply((Text) this);
    }
}
