package io.sluice.plugins.api;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * One unit of an answer: a stream event or a whole body.
 *
 * @param events what it says, in order; may be empty where {@code wire} holds something without meaning to Sluice
 * @param wire the unit's JSON in the provider's {@link Provider#dialect}, fit to be relayed as it is; null where the caller's
 *     form has to be rendered from the events. It never contains usage within a stream: the gateway writes that itself.
 *     A whole body's wire is one
 *     JSON object without blanks around it and has a member {@code usage} only where a {@link AnswerEvent.UsageReported} is among
 *     the events
 */
public record AnswerFrame(List<AnswerEvent> events, Buffer wire) {
    public AnswerFrame {
        events = List.copyOf(events);
    }

    /** A frame to be rendered from its events. */
    public static AnswerFrame of(AnswerEvent... events) {
        return new AnswerFrame(List.of(events), null);
    }

    /** Whether any of its events brings the caller something of the answer itself. */
    public boolean bearsContent() {
        for (AnswerEvent event : events) {
            if (event.bearsContent()) {
                return true;
            }
        }
        return false;
    }
}
