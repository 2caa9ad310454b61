package io.sluice.plugins.openai;

import io.sluice.plugins.api.AnswerDecoder;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.UpstreamHeaders;
import io.sluice.tenants.failure.FailureClass;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Decodes an answer of the OpenAI dialect: looks at status, headers and the first byte, then reads an event stream, a whole
 * document or an error. What comes is believed more than what was asked for or what the content type says: a document
 * instead of a stream and a stream instead of a document are both decoded, and rendered by the gateway.
 */
final class OpenAiDecoder implements AnswerDecoder {
    /** Enough for every error seen; the rest of a page is not worth reading. */
    private static final int ERROR_BYTES_MAX = 64 << 10;

    /** Largest whole answer (bad-input row 75). */
    private static final int WHOLE_BYTES_MAX = 32 << 20;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private enum Mode {
        SNIFF,
        STREAM,
        WHOLE,
        ERROR,
        REFUSED,
        DONE
    }

    private final boolean streamWanted;
    private final Vendor vendor;
    private final InstantSource clock;
    private final AnswerState state = new AnswerState(CallIds.RANDOM);
    private Mode mode = Mode.SNIFF;
    private int status;
    private UpstreamHeaders headers = name -> null;
    private String refusal = "";
    private boolean eventStream;
    private int markBytes;
    private Buffer body = Buffer.buffer(0);
    private boolean bodyOwned;
    private StreamReader stream;

    OpenAiDecoder(boolean streamWanted, Vendor vendor, InstantSource clock) {
        this.streamWanted = streamWanted;
        this.vendor = vendor;
        this.clock = clock;
    }

    @Override
    public void head(int status, UpstreamHeaders headers) {
        this.status = status;
        this.headers = headers;
        String type = header("content-type");
        eventStream = type.startsWith("text/event-stream");
        if (status < 200 || status > 299) {
            mode = Mode.ERROR;
        } else if (status == 204) {
            refuse("status 204 without an answer");
        } else if (!header("content-encoding").isEmpty()
                && !header("content-encoding").equals("identity")) {
            refuse("content-encoding " + header("content-encoding") + " though identity was asked for");
        } else if (!readable(type)) {
            refuse("content-type " + type);
        }
    }

    private String header(String name) {
        String value = headers.get(name);
        return value == null ? "" : value.strip().toLowerCase(Locale.ROOT);
    }

    /** Types that may hold an answer; servers that forget or mislabel it are common, pages and pictures never are one. */
    private boolean readable(String type) {
        return type.isEmpty()
                || eventStream
                || type.contains("json")
                || type.startsWith("text/plain")
                || type.startsWith("application/octet-stream");
    }

    private void refuse(String reason) {
        mode = Mode.REFUSED;
        refusal = reason;
    }

    @Override
    public void data(Buffer piece, Consumer<AnswerFrame> sink) {
        switch (mode) {
            case SNIFF -> sniff(piece, sink);
            case STREAM -> stream.feed(piece, sink);
            case WHOLE -> {
                append(piece);
                if (body.length() > WHOLE_BYTES_MAX) {
                    fail(FailureClass.UPSTREAM_INTERNAL, "the answer exceeds " + WHOLE_BYTES_MAX + " bytes", sink);
                }
            }
            case ERROR -> {
                append(piece.length() > ERROR_BYTES_MAX ? piece.slice(0, ERROR_BYTES_MAX) : piece);
                if (body.length() >= ERROR_BYTES_MAX) {
                    failByStatus(sink);
                }
            }
            case REFUSED -> fail(FailureClass.UPSTREAM_INTERNAL, refusal, sink);
            case DONE -> {}
        }
        if (stream != null && stream.done()) {
            mode = Mode.DONE;
        }
    }

    @Override
    public void end(Consumer<AnswerFrame> sink) {
        switch (mode) {
            case SNIFF -> fail(FailureClass.UPSTREAM_INTERNAL, "the answer is empty", sink);
            case STREAM -> stream.end(sink);
            case WHOLE -> endWhole(sink);
            case ERROR -> failByStatus(sink);
            case REFUSED -> fail(FailureClass.UPSTREAM_INTERNAL, refusal, sink);
            case DONE -> {}
        }
        mode = Mode.DONE;
    }

    private void append(Buffer piece) {
        if (body.length() == 0) {
            body = piece;
            return;
        }
        if (!bodyOwned) {
            // The first piece belongs to the caller and must not grow.
            bodyOwned = true;
            body = Buffer.buffer(2 * (body.length() + piece.length())).appendBuffer(body);
        }
        body.appendBuffer(piece);
    }

    /** Blanks in front of an answer keep a connection alive (DeepSeek); the first other byte tells what it is. */
    private void sniff(Buffer piece, Consumer<AnswerFrame> sink) {
        for (int i = 0; i < piece.length(); i++) {
            byte b = piece.getByte(i);
            if (markBytes < BYTE_ORDER_MARK.length && b == BYTE_ORDER_MARK[markBytes]) {
                markBytes++;
            } else if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                begin(b, piece.slice(i, piece.length()), sink);
                return;
            }
        }
    }

    private void begin(byte first, Buffer rest, Consumer<AnswerFrame> sink) {
        if (first == '{' || first == '[') {
            mode = Mode.WHOLE;
        } else if (eventStream || first == ':' || (first >= 'a' && first <= 'z')) {
            mode = Mode.STREAM;
            stream = new StreamReader(state, streamWanted, this::failed);
        } else {
            fail(FailureClass.UPSTREAM_INTERNAL, "the body is neither JSON nor an event stream", sink);
            return;
        }
        data(rest, sink);
    }

    private void endWhole(Consumer<AnswerFrame> sink) {
        mode = Mode.DONE;
        sink.accept(WholeReader.read(body, state, !streamWanted, this::failed));
    }

    private void failByStatus(Consumer<AnswerFrame> sink) {
        byte[] bytes = ErrorBytes.plain(body.getBytes(), header("content-encoding"));
        ErrorBody error = ErrorBody.ofBody(ErrorBytes.json(bytes));
        mode = Mode.DONE;
        sink.accept(AnswerFrame.of(failed(error, bytes)));
    }

    private AnswerEvent.Failed failed(ErrorBody error, byte[] bytes) {
        FailureClass failure = OpenAiErrors.classify(status, error, vendor);
        String message = error.json() == null ? ErrorBytes.excerpt(bytes) : error.message();
        return new AnswerEvent.Failed(
                failure,
                status,
                OperatorText.of(message.isEmpty() ? "status " + status + " without a message" : message),
                RetryDelay.ms(headers, error, failure, clock.instant()));
    }

    /** The failure that an error object inside a 200 means. */
    private AnswerEvent.Failed failed(ErrorBody error) {
        FailureClass failure = OpenAiErrors.classify(error.status(), error, vendor);
        return new AnswerEvent.Failed(
                failure,
                error.status() == 0 ? status : error.status(),
                OperatorText.of(error.message().isEmpty() ? "an error object without a message" : error.message()),
                RetryDelay.ms(headers, error, failure, clock.instant()));
    }

    private void fail(FailureClass failure, String message, Consumer<AnswerFrame> sink) {
        mode = Mode.DONE;
        sink.accept(AnswerFrame.of(new AnswerEvent.Failed(failure, status, OperatorText.of(message), 0)));
    }
}
