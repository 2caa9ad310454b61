package io.sluice.data.upstream;

import io.sluice.plugins.api.UpstreamCall;
import io.sluice.plugins.api.fault.FaultAnswers;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultKind;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;

/**
 * Stands in for an upstream that fails before the first event of its answer (requirement H6): nothing leaves the process. The
 * answers are in the OpenAI dialect; a codec of another dialect reads their status.
 */
final class StandInWire implements Wire {
    private static final long MS_PER_S = 1_000;

    private final Vertx vertx;
    private final Fault fault;
    private final boolean streamed;
    private final Ear ear;
    private boolean released;

    /** @param fault one that {@linkplain Fault#standsIn stands in} */
    StandInWire(Vertx vertx, Fault fault, boolean streamed, Ear ear) {
        this.vertx = vertx;
        this.fault = fault;
        this.streamed = streamed;
        this.ear = ear;
    }

    @Override
    public void open(Origin origin, UpstreamCall call, long nowNs) {
        vertx.runOnContext(later -> {
            if (!released) {
                play();
            }
        });
    }

    private void play() {
        if (fault.kind() == FaultKind.REFUSED) {
            ear.onBroken(FailureClass.NETWORK, "connect: refused on purpose");
            return;
        }
        ear.onSent(); // a real provider that fails like this may have begun to work
        if (fault.kind() == FaultKind.RESET) {
            ear.onBroken(FailureClass.NETWORK, "no answer: reset on purpose");
        } else if (fault.kind() == FaultKind.EMPTY) {
            empty();
        } else {
            FaultAnswers.instead(fault.kind())
                    .ifPresent(answer -> answer(answer.status(), answer.contentType(), answer.body()));
        }
    }

    private void empty() {
        if (streamed) {
            answer(200, "text/event-stream", "data: " + FaultAnswers.empty(true) + "\n\ndata: [DONE]\n\n");
        } else {
            answer(200, "application/json", FaultAnswers.empty(false));
        }
    }

    private void answer(int status, String contentType, String body) {
        ear.onHead(status, name -> header(name, contentType));
        ear.onData(Buffer.buffer(body));
        if (!released) {
            ear.onEnded();
        }
    }

    private String header(String name, String contentType) {
        if (name.equalsIgnoreCase("content-type")) {
            return contentType;
        }
        boolean retryAfter = name.equalsIgnoreCase("retry-after") && fault.retryAfterMs() > 0;
        return retryAfter ? Long.toString((fault.retryAfterMs() + MS_PER_S - 1) / MS_PER_S) : null;
    }

    @Override
    public void pause() {
        // all of it is there at once
    }

    @Override
    public void resume() {
        // likewise
    }

    @Override
    public void release(boolean complete) {
        released = true;
    }
}
