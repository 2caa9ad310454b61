package io.sluice.data.recall;

import io.sluice.plugins.api.AnswerFrame;
import io.sluice.tenants.money.TokenUsage;
import java.util.List;

/**
 * A complete answer in the canonical form, so that it can be given whole and streamed.
 *
 * @param frames as they came from the provider
 * @param streamed whether the frames are the events of a stream
 * @param usage as the provider reported it
 * @param model {@code provider/model}
 * @param step name of the rung
 * @param traceId of the request that it was made for
 * @param atMs since 1970, when it was complete
 * @param bytes about what it takes to keep it
 */
public record CachedAnswer(
        List<AnswerFrame> frames,
        boolean streamed,
        TokenUsage usage,
        String model,
        String step,
        String traceId,
        long atMs,
        int bytes) {
    public CachedAnswer {
        frames = List.copyOf(frames);
    }

    /** The frames for a caller who wants a stream, or not; the provider's own text only where it has that form. */
    public List<AnswerFrame> framesFor(boolean wantsStream) {
        return wantsStream == streamed
                ? frames
                : frames.stream()
                        .map(frame -> new AnswerFrame(frame.events(), null))
                        .toList();
    }
}
