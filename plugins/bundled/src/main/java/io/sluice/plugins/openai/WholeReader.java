package io.sluice.plugins.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.plugins.api.WholeBytes;
import io.sluice.tenants.failure.FailureClass;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Reads an answer that came as one document. */
final class WholeReader {
    private WholeReader() {}

    /**
     * The one frame of the answer.
     *
     * @param body the document's bytes; bytes that are not UTF-8 become U+FFFD
     * @param relayed whether the document may be relayed to the caller, who wants no stream
     * @param onError what an error object instead of an answer means
     */
    static AnswerFrame read(
            Buffer body, AnswerState state, boolean relayed, Function<ErrorBody, AnswerEvent.Failed> onError) {
        byte[] raw = WholeBytes.of(body);
        boolean bare = raw.length > 0 && raw[raw.length - 1] == '}';
        List<AnswerEvent> plain = bare && ascii(raw) ? PlainAnswer.scan(raw) : null;
        if (plain != null) {
            return new AnswerFrame(plain, relayed ? body : null);
        }
        byte[] bytes = utf8(raw);
        JsonNode document = ProviderJson.read(bytes, 0, bytes.length);
        if (document == null) {
            return failed(FailureClass.UPSTREAM_INTERNAL, "the answer is not valid JSON");
        }
        ErrorBody error = ErrorBody.within(document);
        if (error != null) {
            return AnswerFrame.of(onError.apply(error));
        }
        if (!(document instanceof ObjectNode answer)) {
            return failed(FailureClass.UPSTREAM_INTERNAL, "the answer is no JSON object");
        }
        AnswerReader reader = new AnswerReader(state);
        try {
            reader.readWhole(answer);
            List<AnswerEvent> ending = Ending.of(state, true);
            if (ending.get(ending.size() - 1) instanceof AnswerEvent.Failed) {
                return new AnswerFrame(ending, null);
            }
            List<AnswerEvent> events = new ArrayList<>(reader.events());
            events.addAll(ending);
            Buffer wire = relayed ? Buffer.buffer(reader.mended() ? ProviderJson.write(answer) : bytes) : null;
            return new AnswerFrame(events, wire);
        } catch (AnswerReader.Unusable unusable) {
            return failed(unusable.failure(), unusable.getMessage());
        }
    }

    private static boolean ascii(byte[] bytes) {
        int all = 0;
        for (byte each : bytes) {
            all |= each;
        }
        return all >= 0;
    }

    /** {@code bytes} without blanks at the end, and without bytes that are not UTF-8. */
    private static byte[] utf8(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] >= 0 && bytes[end - 1] <= ' ') {
            end--;
        }
        String text = new String(bytes, 0, end, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') >= 0) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        return end == bytes.length ? bytes : Arrays.copyOf(bytes, end);
    }

    private static AnswerFrame failed(FailureClass failure, String message) {
        return AnswerFrame.of(Ending.failed(failure, message));
    }
}
