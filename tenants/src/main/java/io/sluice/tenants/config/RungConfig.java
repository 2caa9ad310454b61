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
     * @param timeout longest time of one attempt on this rung; null means it follows from token counts and the deadline
     * @param minRemaining an attempt starts only with at least this much of the deadline left; null means the default
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Pool(String name, String pool, Duration timeout, Duration minRemaining) implements RungConfig {
        public Pool {
            Objects.requireNonNull(name);
            Objects.requireNonNull(pool);
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
