package io.sluice.tenants.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.tenants.json.JsonSubtypes;
import java.time.Duration;
import java.util.Objects;

/** One step of a ladder: who answers when the rungs above could not. */
@JsonSubtypes
public sealed interface RungConfig {
    /** The step's name, as told in {@code x-sluice-step}. */
    String name();

    /**
     * A pool of models answers.
     *
     * @param pool id of the tenant's own pool, else the platform's
     * @param maxTokensFactor share of the answer's length that is left, above 0 and at most 1; null leaves it whole
     * @param fewShotMax most pairs of examples that are kept; null keeps all
     * @param promptVariant name of a prompt that the scenario's settings hold; null keeps the caller's alone
     * @param timeout longest time of one attempt on this rung; null means it follows from token counts and the deadline
     * @param minRemaining an attempt starts only with at least this much of the deadline left; null means the default
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Pool(
            String name,
            String pool,
            Double maxTokensFactor,
            Integer fewShotMax,
            String promptVariant,
            Duration timeout,
            Duration minRemaining)
            implements RungConfig {
        public Pool {
            Objects.requireNonNull(name);
            Objects.requireNonNull(pool);
        }

        /** A pool that is asked as the caller asked. */
        public Pool(String name, String pool, Duration timeout, Duration minRemaining) {
            this(name, pool, null, null, null, timeout, minRemaining);
        }
    }

    /** Answers by keyword. It has none for a question without keywords, unless it says what to answer otherwise. */
    record Rules(String name, KeywordAnswers rules) implements RungConfig {
        public Rules {
            Objects.requireNonNull(name);
            Objects.requireNonNull(rules);
        }
    }

    /**
     * The answer to an equal request answers once more, though the scenario would no longer share it.
     *
     * @param maxAge how old it may be
     */
    record Cache(String name, Duration maxAge) implements RungConfig {
        public Cache {
            Objects.requireNonNull(name);
            Objects.requireNonNull(maxAge);
        }
    }

    /** A text written by people, with a next step for the reader. It always answers. */
    record Text(String name, String text) implements RungConfig {
        public Text {
            Objects.requireNonNull(name);
            Objects.requireNonNull(text);
        }
    }
}
