package io.sluice.data.request;

import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.tenants.money.TokenUsage;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A streamed answer as server-sent events: one JSON per event, ended by {@code [DONE]} only when complete. All events of one
 * network read leave in one write. Usage is sent once, in a last chunk without choices, and only to a caller who asked.
 */
final class StreamDelivery implements Delivery {
    private static final byte[] DATA = {'d', 'a', 't', 'a', ':', ' '};

    private static final byte[] END = {'\n', '\n'};

    private static final Buffer DONE = Buffer.buffer("data: [DONE]\n\n");

    private static final Buffer COMMENT = Buffer.buffer(": keep-alive\n\n");

    private final Arrival arrival;
    private final Outlet outlet;
    private final boolean usageWanted;
    private final List<AnswerFrame> held = new ArrayList<>(2);
    private AnswerText text;
    private Buffer pending;
    private boolean committed;

    StreamDelivery(Arrival arrival, Outlet outlet, boolean usageWanted) {
        this.arrival = arrival;
        this.usageWanted = usageWanted;
        this.outlet = outlet;
        text = newText();
    }

    private AnswerText newText() {
        return new AnswerText(
                "chatcmpl-" + arrival.traceId(), "sluice", arrival.at().getEpochSecond());
    }

    @Override
    public boolean committed() {
        return committed;
    }

    @Override
    public void frame(AnswerFrame frame, Supplier<AnswerHead> head) {
        if (!committed && !frame.bearsContent()) {
            held.add(frame);
            return;
        }
        commit(head);
        append(frame);
    }

    private void commit(Supplier<AnswerHead> head) {
        if (committed) {
            return;
        }
        committed = true;
        AnswerHead ready = head.get();
        outlet.head(ready, AnswerForm.STREAM);
        held.forEach(this::append);
        held.clear();
        if (ready.notice() != null) {
            ready.notice().deltas().forEach(delta -> event(text.chunk(delta)));
        }
    }

    private void append(AnswerFrame frame) {
        if (frame.wire() != null) {
            note(frame);
            event(frame.wire());
            return;
        }
        for (AnswerEvent event : frame.events()) {
            if (event instanceof AnswerEvent.Started) {
                text.add(event);
            }
            Buffer chunk = text.chunk(event);
            if (chunk != null) {
                event(chunk);
            }
        }
    }

    /** Of a relayed chunk only id and model are needed later, for the usage chunk. */
    private void note(AnswerFrame frame) {
        if (!frame.events().isEmpty() && frame.events().get(0) instanceof AnswerEvent.Started started) {
            text.add(started);
        }
    }

    private void event(Buffer json) {
        if (pending == null) {
            pending = Buffer.buffer(json.length() + 16);
        }
        pending.appendBytes(DATA).appendBuffer(json).appendBytes(END);
    }

    @Override
    public void flush() {
        if (pending != null) {
            Buffer out = pending;
            pending = null;
            outlet.write(out);
        }
    }

    @Override
    public void complete(Supplier<AnswerHead> head, TokenUsage usage) {
        commit(head);
        if (usageWanted) {
            event(text.usageChunk(usage));
        }
        Buffer last = pending == null ? DONE : pending.appendBuffer(DONE);
        pending = null;
        outlet.end(last);
    }

    @Override
    public void forget() {
        held.clear();
        text = newText();
    }

    @Override
    public Future<Void> breakOff(Stop why) {
        event(Reply.error(why));
        Buffer last = pending;
        pending = null;
        return outlet.end(last);
    }

    @Override
    public void keepAlive() {
        if (committed) {
            flush();
            outlet.keepAlive(COMMENT);
        }
    }
}
