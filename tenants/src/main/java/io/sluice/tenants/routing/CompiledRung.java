package io.sluice.tenants.routing;

import io.sluice.tenants.json.JsonSubtypes;
import java.util.function.Function;

/** A rung with its pool resolved. All but pools are static: they need no attempt and no time. */
@JsonSubtypes
public sealed interface CompiledRung {
    String name();

    /**
     * A pool answers.
     *
     * @param edit how the request is changed first
     * @param timeoutMs longest attempt, 0 where it follows from token counts and the deadline
     * @param minRemainingMs an attempt starts only with this much of the deadline left
     */
    record Pool(String name, CompiledPool pool, RungEdit edit, long timeoutMs, long minRemainingMs)
            implements CompiledRung {
        /** A pool that is asked as the caller asked. */
        public Pool(String name, CompiledPool pool, long timeoutMs, long minRemainingMs) {
            this(name, pool, RungEdit.NONE, timeoutMs, minRemainingMs);
        }
    }

    /**
     * The answer to an equal request may be there, from before the scenario's time for sharing.
     *
     * @param maxAgeMs how old it may be
     */
    record Cache(String name, long maxAgeMs) implements CompiledRung {}

    /** Keywords of the question may find an answer. */
    record Rules(String name, KeywordRules rules) implements CompiledRung {}

    /** A text answers, always. */
    record Text(String name, String text) implements CompiledRung {}

    /** One answer for each kind of rung. */
    default <T> T fold(
            Function<Pool, T> pool, Function<Cache, T> cache, Function<Rules, T> rules, Function<Text, T> text) {
        if (this instanceof Pool each) {
            return pool.apply(each);
        }
        if (this instanceof Cache each) {
            return cache.apply(each);
        }
        return this instanceof Rules each ? rules.apply(each) : text.apply((Text) this);
    }
}
