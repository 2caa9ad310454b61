package io.sluice.data.request;

import io.sluice.data.upstream.UpstreamExchange;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerResponse;

/**
 * Watches the caller's side of one answer: tells when the caller has left, keeps the upstream at the caller's pace, and gives up
 * on a caller who reads nothing for too long. For one request on one event loop.
 */
final class ClientWatch {
    private final Vertx vertx;
    private final HttpServerResponse response;
    private final long stallMs;
    private Runnable left = () -> {};
    private UpstreamExchange paused;
    private long stallTimer = -1;
    private boolean over;

    /** @param stallMs a caller who takes nothing for this long is cut off (bad-input row 63) */
    ClientWatch(Vertx vertx, HttpServerResponse response, long stallMs) {
        this.vertx = vertx;
        this.response = response;
        this.stallMs = stallMs;
    }

    /** Calls {@code action} once if the caller leaves before {@link #stop}; at once where it has left already. */
    void onLeft(Runnable action) {
        left = action;
        if (response.closed()) {
            gone();
            return;
        }
        response.exceptionHandler(broken -> gone());
        response.closeHandler(closed -> gone());
    }

    private void gone() {
        if (!over) {
            stop();
            left.run();
            resume(); // an answer that is wanted all the same waits for nobody; one that was cut does not hear it
        }
    }

    /** The answer is over. */
    void stop() {
        over = true;
        cancelStall();
    }

    /** Pauses the upstream while the caller's buffer is full. */
    void keepPace(UpstreamExchange exchange) {
        if (over || paused != null || !response.writeQueueFull()) {
            return;
        }
        paused = exchange;
        exchange.pause();
        stallTimer = vertx.setTimer(stallMs, stalled -> cutOff());
        response.drainHandler(drained -> resume());
    }

    private void resume() {
        if (paused != null) {
            UpstreamExchange waiting = paused;
            paused = null;
            cancelStall();
            waiting.resume();
        }
    }

    private void cancelStall() {
        if (stallTimer >= 0) { // hardly any request has one, and looking for it costs as much as setting it
            vertx.cancelTimer(stallTimer);
            stallTimer = -1;
        }
    }

    private void cutOff() {
        gone();
        response.reset();
    }
}
