package io.sluice.plugins.api;

import io.vertx.core.buffer.Buffer;
import java.util.function.Consumer;

/**
 * Turns one HTTP answer into frames. Called in this order: {@link #head} once, {@link #data} for each piece of the body as the
 * network cuts it, {@link #end} once where the body ended regularly. After a terminal event nothing is called any more and the
 * gateway stops reading.
 */
public interface AnswerDecoder {
    /** Status and headers. */
    void head(int status, UpstreamHeaders headers);

    /**
     * A piece of the body; characters, lines and events may be cut anywhere. Frames may share its memory, so it must not be
     * changed or released afterwards.
     */
    void data(Buffer piece, Consumer<AnswerFrame> sink);

    /** The body ended: emits a terminal event unless one was emitted before. */
    void end(Consumer<AnswerFrame> sink);
}
