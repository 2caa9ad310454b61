package io.sluice.data.request;

import io.sluice.data.recall.CacheKey;
import io.sluice.data.recall.CachedAnswer;
import io.sluice.data.recall.ExactCache;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.FinishReason;
import io.sluice.tenants.money.TokenUsage;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Keeps an answer for equal requests while it is delivered. Only a model's complete answer on the first rung is kept, with usage
 * that the provider reported, something in it and no filter at work: nothing that a repeat would do better than.
 */
final class CachingDelivery implements Delivery {
    /** About what a frame and its events take beside their text. */
    private static final int FRAME_BYTES = 256;

    /** Text is kept as JSON and in events, there perhaps with two bytes a character. */
    private static final int COPIES = 3;

    private final Delivery delivery;
    private final ExactCache cache;
    private final CacheKey key;
    private final Identified identified;
    private final List<AnswerFrame> frames = new ArrayList<>();
    private boolean fit = true;
    private boolean said;
    private int bytes;

    CachingDelivery(Delivery delivery, ExactCache cache, CacheKey key, Identified identified) {
        this.delivery = delivery;
        this.cache = cache;
        this.key = key;
        this.identified = identified;
    }

    @Override
    public boolean committed() {
        return delivery.committed();
    }

    @Override
    public void frame(AnswerFrame frame, Supplier<AnswerHead> head) {
        note(frame);
        delivery.frame(frame, head);
    }

    private void note(AnswerFrame frame) {
        said = said || frame.bearsContent();
        bytes += FRAME_BYTES
                + COPIES
                        * (frame.wire() == null
                                ? textLength(frame)
                                : frame.wire().length());
        fit = fit && bytes <= cache.answerBytesMax() && frame.events().stream().noneMatch(CachingDelivery::filtered);
        if (!fit) {
            frames.clear();
            return;
        }
        // A copy: what comes from the network is a slice of a larger buffer.
        Buffer wire = frame.wire() == null ? null : Buffer.buffer(frame.wire().getBytes());
        frames.add(new AnswerFrame(frame.events(), wire));
    }

    private static boolean filtered(AnswerEvent event) {
        return event instanceof AnswerEvent.Finished finished && finished.reason() == FinishReason.CONTENT_FILTER;
    }

    private static int textLength(AnswerFrame frame) {
        int length = 0;
        for (AnswerEvent event : frame.events()) {
            if (event instanceof AnswerEvent.ContentDelta delta) {
                length += delta.text().length();
            } else if (event instanceof AnswerEvent.ReasoningDelta delta) {
                length += delta.text().length();
            } else if (event instanceof AnswerEvent.ToolCallDelta delta) {
                length += delta.arguments().length();
            }
        }
        return length;
    }

    @Override
    public void flush() {
        delivery.flush();
    }

    /** Kept first: who has the end of an answer and asks again is to find it. */
    @Override
    public void complete(Supplier<AnswerHead> head, TokenUsage usage) {
        keep(head.get(), usage);
        delivery.complete(head, usage);
    }

    private void keep(AnswerHead told, TokenUsage usage) {
        if (fit
                && said
                && told.model() != null
                && told.descents() == 0
                && told.degraded() == null
                && told.faults() == null
                && !usage.estimated()) {
            cache.keep(
                    key,
                    new CachedAnswer(
                            frames,
                            identified.chat().streamed(),
                            usage,
                            told.model(),
                            told.step(),
                            identified.arrival().traceId(),
                            System.currentTimeMillis(),
                            bytes));
        }
    }

    @Override
    public void forget() {
        frames.clear();
        fit = true;
        said = false;
        bytes = 0;
        delivery.forget();
    }

    @Override
    public Future<Void> breakOff(Stop why) {
        return delivery.breakOff(why);
    }

    @Override
    public void keepAlive() {
        delivery.keepAlive();
    }
}
