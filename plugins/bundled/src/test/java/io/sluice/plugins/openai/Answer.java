package io.sluice.plugins.openai;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerEvent.ContentDelta;
import io.sluice.plugins.api.AnswerEvent.Failed;
import io.sluice.plugins.api.AnswerEvent.Finished;
import io.sluice.plugins.api.AnswerEvent.ReasoningDelta;
import io.sluice.plugins.api.AnswerEvent.ToolCallDelta;
import io.sluice.plugins.api.AnswerEvent.UsageReported;
import io.sluice.plugins.api.AnswerFrame;
import io.sluice.tenants.money.TokenUsage;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** What came out of the codec, as the gateway sees it (events) and as a client of a relayed stream does (wires). */
record Answer(List<AnswerFrame> frames) {
    /** A tool call put together. */
    record Call(String id, String name, String arguments) {}

    List<AnswerEvent> events() {
        return frames.stream().flatMap(frame -> frame.events().stream()).toList();
    }

    <T extends AnswerEvent> List<T> events(Class<T> type) {
        return events().stream().filter(type::isInstance).map(type::cast).toList();
    }

    String text() {
        return events(ContentDelta.class).stream().map(ContentDelta::text).collect(Collectors.joining());
    }

    String reasoning() {
        return events(ReasoningDelta.class).stream().map(ReasoningDelta::text).collect(Collectors.joining());
    }

    List<String> finishes() {
        return events(Finished.class).stream().map(each -> each.reason().word()).toList();
    }

    /** The last usage reported. */
    Optional<TokenUsage> usage() {
        List<UsageReported> reported = events(UsageReported.class);
        return reported.isEmpty()
                ? Optional.empty()
                : Optional.of(reported.get(reported.size() - 1).usage());
    }

    boolean completed() {
        return last() instanceof AnswerEvent.Completed;
    }

    Failed failed() {
        return (Failed) last();
    }

    AnswerEvent last() {
        return events().get(events().size() - 1);
    }

    /** The calls of choice 0 as the events tell them. */
    List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        for (ToolCallDelta delta : events(ToolCallDelta.class)) {
            if (delta.id() != null) {
                calls.add(new Call(delta.id(), delta.name(), delta.arguments()));
            } else {
                Call begun = calls.get(delta.index());
                calls.set(delta.index(), new Call(begun.id(), begun.name(), begun.arguments() + delta.arguments()));
            }
        }
        return calls;
    }

    List<String> wires() {
        return frames.stream()
                .map(AnswerFrame::wire)
                .filter(Objects::nonNull)
                .map(Buffer::getBytes)
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .toList();
    }

    List<JsonNode> wireTrees() {
        return wires().stream()
                .map(wire -> ProviderJson.read(Wire.bytes(wire), 0, Wire.bytes(wire).length))
                .toList();
    }

    /** The text as a client of the relayed chunks reads it. */
    String wireText() {
        return wireTrees().stream()
                .map(tree -> tree.at("/choices/0/delta/content").asText(""))
                .collect(Collectors.joining());
    }

    /** The calls as a client of the relayed chunks puts them together: by index. */
    List<Call> wireCalls() {
        List<Call> calls = new ArrayList<>();
        for (JsonNode tree : wireTrees()) {
            for (JsonNode piece : tree.at("/choices/0/delta/tool_calls")) {
                int index = piece.path("index").intValue();
                while (calls.size() <= index) {
                    calls.add(new Call("", "", ""));
                }
                Call begun = calls.get(index);
                JsonNode function = piece.path("function");
                calls.set(
                        index,
                        new Call(
                                begun.id() + piece.path("id").asText(""),
                                begun.name() + function.path("name").asText(""),
                                begun.arguments() + function.path("arguments").asText("")));
            }
        }
        return calls;
    }

    List<String> wireFinishes() {
        return wireTrees().stream()
                .map(tree -> tree.at("/choices/0/finish_reason"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .toList();
    }
}
