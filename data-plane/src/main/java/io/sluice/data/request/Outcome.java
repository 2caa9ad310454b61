package io.sluice.data.request;

import java.util.function.Consumer;
import java.util.function.Function;

/** What a step of the pipeline gives: the record for the next step, or why the request stops here. */
public sealed interface Outcome<T> {
    /** On to the next step. */
    record Go<T>(T value) implements Outcome<T> {}

    /** The request ends here. */
    record Halt<T>(Stop stop) implements Outcome<T> {}

    static <T> Outcome<T> go(T value) {
        return new Go<>(value);
    }

    static <T> Outcome<T> halt(Stop stop) {
        return new Halt<>(stop);
    }

    /** The next step, where there is one to take. */
    default <R> Outcome<R> then(Function<T, Outcome<R>> next) {
        return this instanceof Go<T> go ? next.apply(go.value()) : halt(((Halt<T>) this).stop());
    }

    /** Exactly one of the two. */
    default void fold(Consumer<T> go, Consumer<Stop> halt) {
        if (this instanceof Go<T> each) {
            go.accept(each.value());
        } else {
            halt.accept(((Halt<T>) this).stop());
        }
    }
}
