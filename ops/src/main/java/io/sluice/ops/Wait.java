package io.sluice.ops;

import io.vertx.core.Future;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Waits for parts of the start and the stop, on the thread that starts or stops the process. */
final class Wait {
    /** A part of the start that takes longer hangs: the slowest, opening the store, takes milliseconds. */
    static final int START_S_MAX = 60;

    private Wait() {}

    /** The result of {@code future}; its failure becomes one line that begins with {@code part}. */
    static <T> T on(String part, Future<T> future, int secondsMax) throws StartFailedException {
        return on(future, secondsMax, cause -> part + ": " + cause.getMessage());
    }

    /** The result of {@code future}; {@code words} make a line for a person of its failure. */
    static <T> T on(Future<T> future, int secondsMax, Function<Throwable, String> words) throws StartFailedException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(secondsMax, TimeUnit.SECONDS);
        } catch (InterruptedException stopAsked) {
            Thread.currentThread().interrupt();
            throw new StartFailedException(words.apply(stopAsked), stopAsked);
        } catch (TimeoutException hangs) {
            throw new StartFailedException(
                    words.apply(new TimeoutException("was not done within " + secondsMax + " s")), hangs);
        } catch (ExecutionException failed) {
            throw new StartFailedException(words.apply(failed.getCause()), failed.getCause());
        }
    }
}
