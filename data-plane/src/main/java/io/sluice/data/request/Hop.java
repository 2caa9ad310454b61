package io.sluice.data.request;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** Brings what completes anywhere to one event loop. */
final class Hop {
    private Hop() {}

    /** What {@code anywhere} comes to, told on the loop of {@code home}, always later. */
    static <T> Future<T> to(Context home, Future<T> anywhere) {
        Promise<T> here = Promise.promise();
        anywhere.onComplete(result -> home.runOnContext(now -> here.handle(result)));
        return here.future();
    }
}
