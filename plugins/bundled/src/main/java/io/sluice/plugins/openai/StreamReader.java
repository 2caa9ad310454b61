package io.sluice.plugins.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.tenants.failure.FailureClass;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads an answer that comes as an event stream. {@code [DONE]} ends it at once; the end of the body ends it too, and then
 * the finish_reason decides whether it was complete. Data that is no JSON object is a keep-alive and skipped; an object cut
 * short or broken is a failure, because text may be lost in it. Bytes that are not UTF-8 become U+FFFD. For one stream on one
 * thread.
 */
final class StreamReader implements SseParser.Listener {
    /** A bare error object outside the framing may span lines. */
    private static final int BARE_BYTES_MAX = 64 << 10;

    private final AnswerState state;
    private final boolean relayed;
    private final Function<ErrorBody, AnswerEvent.Failed> onError;
    private final SseParser parser = new SseParser(this);
    private final PlainChunk plain = new PlainChunk();
    private final AnswerReader reader;
    private Consumer<AnswerFrame> sink = frame -> {};
    private boolean ended;
    private boolean done;

    /**
     * @param relayed whether chunks may be relayed to the caller, who wants a stream
     * @param onError what an error object means
     */
    StreamReader(AnswerState state, boolean relayed, Function<ErrorBody, AnswerEvent.Failed> onError) {
        this.state = state;
        this.relayed = relayed;
        this.onError = onError;
        this.reader = new AnswerReader(state);
    }

    /** Whether a terminal event was emitted. */
    boolean done() {
        return done;
    }

    void feed(Buffer piece, Consumer<AnswerFrame> sink) {
        this.sink = sink;
        parser.feed(piece);
    }

    void end(Consumer<AnswerFrame> sink) {
        this.sink = sink;
        ended = true;
        parser.end();
        if (!done) {
            finish(new AnswerFrame(Ending.of(state, false), null));
        }
    }

    private void finish(AnswerFrame last) {
        done = true;
        parser.stop();
        sink.accept(last);
    }

    @Override
    public boolean onData(byte[] bytes, int from, int to, boolean ascii, Buffer piece) {
        int start = from;
        while (start < to && bytes[start] <= ' ' && bytes[start] >= 0) {
            start++;
        }
        if (start == to) {
            return true;
        }
        if (bytes[start] == '{') {
            onObject(bytes, start, to, ascii, piece);
        } else if (bytes[start] == '[') {
            onBracket(bytes, start, to);
        }
        return !done;
    }

    private void onBracket(byte[] bytes, int from, int to) {
        if (new String(bytes, from, to - from, StandardCharsets.UTF_8).strip().equals("[DONE]")) {
            finish(new AnswerFrame(Ending.of(state, true), null));
            return;
        }
        JsonNode array = ProviderJson.read(bytes, from, to);
        ErrorBody error = array == null ? null : ErrorBody.within(array);
        if (error != null) {
            finish(AnswerFrame.of(onError.apply(error)));
        }
    }

    private void onObject(byte[] bytes, int from, int to, boolean ascii, Buffer piece) {
        if (!ascii) {
            String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
            if (text.indexOf('\uFFFD') >= 0) {
                byte[] repaired = text.getBytes(StandardCharsets.UTF_8);
                onObject(repaired, 0, repaired.length, true, null);
                return;
            }
        }
        if (state.started() && plain.scan(bytes, from, to, state.id()) && state.running(plain.choice())) {
            onPlain(bytes, from, to, piece);
        } else {
            onOther(bytes, from, to, piece);
        }
    }

    private void onPlain(byte[] bytes, int from, int to, Buffer piece) {
        int choice = plain.choice();
        state.choice(choice);
        Buffer wire = wire(bytes, from, to, piece);
        boolean content = plain.content() != null && !plain.content().isEmpty();
        boolean reasoning = plain.reasoning() != null && !plain.reasoning().isEmpty();
        if ((content && !plain.content().isBlank())
                || (reasoning && !plain.reasoning().isBlank())) {
            state.speak();
        }
        if (content && reasoning) {
            sink.accept(new AnswerFrame(
                    List.of(
                            new AnswerEvent.ReasoningDelta(choice, plain.reasoning()),
                            new AnswerEvent.ContentDelta(choice, plain.content())),
                    wire));
        } else if (content) {
            sink.accept(new AnswerFrame(List.of(new AnswerEvent.ContentDelta(choice, plain.content())), wire));
        } else if (reasoning) {
            sink.accept(new AnswerFrame(List.of(new AnswerEvent.ReasoningDelta(choice, plain.reasoning())), wire));
        } else if (wire != null) {
            sink.accept(new AnswerFrame(List.of(), wire));
        }
    }

    private Buffer wire(byte[] bytes, int from, int to, Buffer piece) {
        if (!relayed) {
            return null;
        }
        return piece == null ? oneLine(bytes, from, to) : piece.slice(from, to);
    }

    /** Data fields of one event were joined by line feeds; within JSON those are blanks, and a relayed event has one line. */
    private static Buffer oneLine(byte[] bytes, int from, int to) {
        byte[] line = Arrays.copyOfRange(bytes, from, to);
        for (int i = 0; i < line.length; i++) {
            if (line[i] == '\n') {
                line[i] = ' ';
            }
        }
        return Buffer.buffer(line);
    }

    private void onOther(byte[] bytes, int from, int to, Buffer piece) {
        JsonNode document = ProviderJson.read(bytes, from, to);
        if (!(document instanceof ObjectNode chunk)) {
            if (!ended) {
                finish(AnswerFrame.of(
                        Ending.failed(FailureClass.UPSTREAM_INTERNAL, "an event of the stream is not valid JSON")));
            }
            return;
        }
        ErrorBody error = ErrorBody.within(chunk);
        if (error != null) {
            finish(AnswerFrame.of(onError.apply(error)));
            return;
        }
        try {
            reader.readChunk(chunk);
        } catch (AnswerReader.Unusable unusable) {
            finish(AnswerFrame.of(Ending.failed(unusable.failure(), unusable.getMessage())));
            return;
        }
        boolean nothing = chunk.path("choices").isEmpty();
        Buffer wire = nothing || !relayed
                ? null
                : reader.mended() ? Buffer.buffer(ProviderJson.write(chunk)) : wire(bytes, from, to, piece);
        if (wire != null || !reader.events().isEmpty()) {
            sink.accept(new AnswerFrame(reader.events(), wire));
        }
    }

    @Override
    public boolean onBareObject(byte[] bytes, int from, int to) {
        JsonNode document = ProviderJson.read(bytes, from, Math.min(to, from + BARE_BYTES_MAX));
        ErrorBody error = document == null ? null : ErrorBody.within(document);
        if (error != null) {
            finish(AnswerFrame.of(onError.apply(error)));
        }
        return !done;
    }

    @Override
    public void onTooLong() {
        finish(AnswerFrame.of(Ending.failed(
                FailureClass.UPSTREAM_INTERNAL,
                "an event of the stream exceeds " + SseParser.EVENT_BYTES_MAX + " bytes")));
    }
}
