package io.sluice.data.upstream;

import io.sluice.data.upstream.FaultedBody.Step;
import io.sluice.plugins.api.UpstreamCall;
import io.sluice.plugins.api.UpstreamHeaders;
import io.sluice.tenants.failure.FailureClass;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * A real call whose answer goes wrong on its way back (requirement H6): delayed, cut or changed as a {@link FaultedBody} says.
 * While something waits here, the real wire is not read.
 */
final class FaultyWire implements Wire, Wire.Ear {
    private static final long NEVER = -1;

    private final Vertx vertx;
    private final FaultedBody body;
    private final Ear ear;
    private final Wire real;
    private final Deque<Step> due = new ArrayDeque<>();
    private long timer = NEVER;
    private boolean delayPaid;
    private boolean heldByCaller;
    private boolean realPaused;
    private boolean released;

    /** @param real makes the wire that is heard here */
    FaultyWire(Vertx vertx, FaultedBody body, Ear ear, Function<Ear, Wire> real) {
        this.vertx = vertx;
        this.body = body;
        this.ear = ear;
        this.real = real.apply(this);
    }

    @Override
    public void open(Origin origin, UpstreamCall call, long nowNs) {
        real.open(origin, call, nowNs);
    }

    @Override
    public void onSent() {
        ear.onSent();
    }

    @Override
    public void onHead(int status, UpstreamHeaders headers) {
        ear.onHead(status, headers);
    }

    @Override
    public void onData(Buffer piece) {
        later(body.piece(piece));
    }

    @Override
    public void onEnded() {
        later(body.end());
    }

    @Override
    public void onBroken(FailureClass failure, String message) {
        later(List.of(new Step.Broken(failure, message)));
    }

    private void later(List<Step> steps) {
        due.addAll(steps);
        play();
        if (!due.isEmpty() && !released && !realPaused) {
            realPaused = true;
            real.pause();
        }
    }

    private void play() {
        while (!released && !heldByCaller && timer == NEVER && !due.isEmpty()) {
            Step step = due.peek();
            if (step.delayMs() > 0 && !delayPaid) {
                timer = vertx.setTimer(step.delayMs(), paid -> {
                    timer = NEVER;
                    delayPaid = true;
                    play();
                });
            } else {
                delayPaid = false;
                tell(due.remove());
            }
        }
        if (realPaused && due.isEmpty() && !heldByCaller && !released) {
            realPaused = false;
            real.resume();
        }
    }

    private void tell(Step step) {
        if (step instanceof Step.Bytes bytes) {
            ear.onData(bytes.bytes());
        } else if (step instanceof Step.Broken broken) {
            ear.onBroken(broken.failure(), broken.message());
        } else {
            ear.onEnded();
        }
    }

    @Override
    public void pause() {
        heldByCaller = true;
        realPaused = true;
        real.pause();
    }

    @Override
    public void resume() {
        heldByCaller = false;
        play();
    }

    @Override
    public void release(boolean complete) {
        released = true;
        vertx.cancelTimer(timer);
        real.release(complete);
    }
}
