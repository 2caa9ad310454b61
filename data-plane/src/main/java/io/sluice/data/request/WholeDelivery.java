package io.sluice.data.request;

import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.tenants.money.TokenUsage;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A whole answer: nothing is sent before all of it is there, so nothing ever has to be taken back. */
final class WholeDelivery implements Delivery {
    private final Arrival arrival;
    private final Outlet outlet;
    private final List<AnswerFrame> frames = new ArrayList<>(2);

    WholeDelivery(Arrival arrival, Outlet outlet) {
        this.arrival = arrival;
        this.outlet = outlet;
    }

    @Override
    public boolean committed() {
        return false;
    }

    @Override
    public void frame(AnswerFrame frame, Supplier<AnswerHead> head) {
        frames.add(frame);
    }

    @Override
    public void flush() {
        // nothing leaves before the end
    }

    @Override
    public void complete(Supplier<AnswerHead> head, TokenUsage usage) {
        AnswerHead ready = head.get();
        outlet.head(ready, AnswerForm.WHOLE);
        outlet.end(body(ready, usage));
    }

    private Buffer body(AnswerHead head, TokenUsage usage) {
        if (frames.size() == 1 && frames.get(0).wire() != null) {
            boolean counted = frames.get(0).events().stream().anyMatch(AnswerEvent.UsageReported.class::isInstance);
            Buffer own = frames.get(0).wire();
            Buffer wire = counted && !usage.estimated() ? own : AnswerText.withUsage(own, usage);
            return head.notice() == null ? wire : head.notice().before(wire);
        }
        AnswerText text = new AnswerText(
                "chatcmpl-" + arrival.traceId(),
                head.model() == null ? "sluice" : head.model(),
                arrival.at().getEpochSecond());
        if (head.notice() != null) {
            head.notice().deltas().forEach(text::add);
        }
        frames.forEach(frame -> frame.events().forEach(text::add));
        return text.whole(usage);
    }

    @Override
    public void forget() {
        frames.clear();
    }

    @Override
    public Future<Void> breakOff(Stop why) {
        throw new IllegalStateException("a whole answer can not break off");
    }

    @Override
    public void keepAlive() {
        // a whole answer has no room for comments
    }
}
