package io.sluice.ops;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a start has begun and a stop has to end, last begun first. One thread at a time. */
final class Closings {
    /** What is closed may take this long each; it is mostly a flush to disk. */
    static final int CLOSE_S_MAX = 5;

    private static final Logger LOG = LoggerFactory.getLogger(Closings.class);

    private final Deque<Closing> begun = new ArrayDeque<>();

    /** Undoes one step of the start. */
    interface Closing {
        void close() throws Exception;
    }

    void add(Closing closing) {
        begun.push(closing);
    }

    /** Ends all of it, whatever fails; a second call has nothing left to end. */
    void closeAll() {
        while (!begun.isEmpty()) {
            try {
                begun.pop().close();
            } catch (Exception notClosed) {
                LOG.error("a part did not close", notClosed);
            }
        }
    }
}
