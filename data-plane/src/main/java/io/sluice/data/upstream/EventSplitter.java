package io.sluice.data.upstream;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts an event stream into its events, each with the blank line that ends it, whatever the line ends and however the network
 * cut it. Pure.
 */
final class EventSplitter {
    private Buffer held = Buffer.buffer();
    private boolean lineEmpty = true;
    private boolean hasText;
    private boolean afterReturn;

    /** The events that {@code piece} completes. */
    List<Buffer> feed(Buffer piece) {
        List<Buffer> events = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < piece.length(); i++) {
            byte b = piece.getByte(i);
            boolean secondHalf = b == '\n' && afterReturn;
            afterReturn = b == '\r';
            if (b != '\n' && b != '\r') {
                lineEmpty = false;
                hasText = true;
            } else if (!secondHalf && lineEmpty && hasText) {
                events.add(held.appendBuffer(piece, from, i + 1 - from));
                held = Buffer.buffer();
                from = i + 1;
                hasText = false;
            } else {
                lineEmpty = true;
            }
        }
        held.appendBuffer(piece, from, piece.length() - from);
        return events;
    }

    /** Bytes that no event has yet. */
    int heldBytes() {
        return held.length();
    }

    /** What came after the last whole event; the splitter is empty afterwards. */
    Buffer rest() {
        Buffer rest = held;
        held = Buffer.buffer();
        return rest;
    }
}
