package io.sluice.data.upstream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.plugins.api.fault.FaultAnswers;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.fault.Fault;
import io.sluice.tenants.fault.FaultKind;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a fault makes of the body of a real answer: which bytes come when, and how it ends. A stream is taken event by event, a
 * whole answer as one. For one answer; it has no clock.
 */
final class FaultedBody {
    private static final String HALF_AN_EVENT = "data: {\"id\":\"chatcmpl-1\",\"choices\":[{\"ind\n\n";

    private static final Pattern LINE_END = Pattern.compile("(?<=\n)");

    private final Fault fault;
    private final boolean streamed;
    private final long heldBytesMax;
    private final EventSplitter splitter = new EventSplitter();
    private Buffer whole = Buffer.buffer();
    private int events;
    private boolean begun;
    private boolean over;

    /** What comes next of the answer. */
    sealed interface Step {
        /** How long after what came before. */
        default long delayMs() {
            return 0;
        }

        /** A piece of the body. */
        record Bytes(Buffer bytes, long delayMs) implements Step {}

        /** The body ends regularly. */
        record Ended() implements Step {}

        /** The body ends in another way. */
        record Broken(FailureClass failure, String message) implements Step {}
    }

    /** @param heldBytesMax more of an answer is not held back, but passed on as it is */
    FaultedBody(Fault fault, boolean streamed, long heldBytesMax) {
        this.fault = fault;
        this.streamed = streamed;
        this.heldBytesMax = heldBytesMax;
    }

    /** What follows from a piece of the real body. */
    List<Step> piece(Buffer piece) {
        List<Step> steps = new ArrayList<>();
        if (over) {
            return steps;
        }
        if (fault.kind() == FaultKind.SLOW) {
            steps.add(new Step.Bytes(piece, begun ? 0 : fault.delayMs()));
        } else if (streamed) {
            strikeAt(events, steps);
            splitter.feed(piece).forEach(event -> event(event, steps));
            if (splitter.heldBytes() > heldBytesMax) {
                event(splitter.rest(), steps);
            }
        } else {
            whole.appendBuffer(piece);
            if (whole.length() > heldBytesMax) {
                steps.add(new Step.Bytes(whole, 0));
                whole = Buffer.buffer();
            }
        }
        begun = true;
        return steps;
    }

    /** What follows from the real body's regular end. */
    List<Step> end() {
        List<Step> steps = new ArrayList<>();
        if (over) {
            return steps;
        }
        Buffer rest = splitter.rest();
        if (rest.length() > 0) {
            event(rest, steps);
        }
        if (!streamed && whole.length() > 0) {
            whole(steps);
        }
        if (!over) {
            steps.add(new Step.Ended());
        }
        return steps;
    }

    private void event(Buffer event, List<Step> steps) {
        if (over) {
            return;
        }
        events++;
        switch (fault.kind()) {
            case SLOW_BODY -> steps.add(new Step.Bytes(event, fault.delayMs()));
            case WRONG_USAGE, NO_USAGE -> steps.add(new Step.Bytes(eventWithOtherUsage(event), 0));
            default -> steps.add(new Step.Bytes(event, 0));
        }
        strikeAt(events, steps);
    }

    /** A fault that shows after so many events shows when they have come. */
    private void strikeAt(int come, List<Step> steps) {
        if (over || come != fault.events()) {
            return;
        }
        switch (fault.kind()) {
            case CUT -> breakOff(steps);
            case TRUNCATED -> stop(steps);
            case BAD_JSON -> {
                steps.add(new Step.Bytes(Buffer.buffer(HALF_AN_EVENT), 0));
                stop(steps);
            }
            case ERROR_IN_STREAM -> {
                steps.add(new Step.Bytes(Buffer.buffer("data: " + FaultAnswers.ERROR_WITHIN + "\n\n"), 0));
                stop(steps);
            }
            case HANG -> over = true;
            default -> {}
        }
    }

    private void breakOff(List<Step> steps) {
        over = true;
        steps.add(new Step.Broken(FailureClass.NETWORK, "cut: on purpose"));
    }

    private void stop(List<Step> steps) {
        over = true;
        steps.add(new Step.Ended());
    }

    private void whole(List<Step> steps) {
        Buffer half = whole.slice(0, whole.length() / 2);
        switch (fault.kind()) {
            case SLOW_BODY -> steps.add(new Step.Bytes(whole, fault.delayMs()));
            case CUT -> {
                steps.add(new Step.Bytes(half, 0));
                breakOff(steps);
            }
            case TRUNCATED, BAD_JSON -> steps.add(new Step.Bytes(half, 0));
            case ERROR_IN_STREAM -> steps.add(new Step.Bytes(Buffer.buffer(FaultAnswers.ERROR_WITHIN), 0));
            case WRONG_USAGE, NO_USAGE ->
                steps.add(new Step.Bytes(Buffer.buffer(otherUsage(whole.toString(StandardCharsets.UTF_8))), 0));
            case HANG -> over = true;
            default -> steps.add(new Step.Bytes(whole, 0));
        }
    }

    private Buffer eventWithOtherUsage(Buffer event) {
        StringBuilder text = new StringBuilder(event.length());
        for (String line : LINE_END.split(event.toString(StandardCharsets.UTF_8), -1)) {
            boolean data = line.startsWith("data:");
            text.append(data ? "data: " + otherUsage(line.substring(5).strip()) + "\n" : line);
        }
        return Buffer.buffer(text.toString());
    }

    /** The same JSON with the usage that the fault stands for, where it has one; anything else stays as it is. */
    private String otherUsage(String json) {
        try {
            JsonNode root = StrictJson.MAPPER.readTree(json);
            if (root instanceof ObjectNode object && object.path("usage").isObject()) {
                object.remove("usage");
                if (fault.kind() == FaultKind.WRONG_USAGE) {
                    object.set("usage", StrictJson.MAPPER.readTree(FaultAnswers.WRONG_USAGE));
                }
                return object.toString();
            }
        } catch (JsonProcessingException noJson) {
            return json;
        }
        return json;
    }
}
