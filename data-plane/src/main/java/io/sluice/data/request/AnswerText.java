package io.sluice.data.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerEvent.ContentDelta;
import io.sluice.plugins.api.AnswerEvent.Finished;
import io.sluice.plugins.api.AnswerEvent.ReasoningDelta;
import io.sluice.plugins.api.AnswerEvent.Started;
import io.sluice.plugins.api.AnswerEvent.ToolCallDelta;
import io.sluice.plugins.api.FinishReason;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.money.TokenUsage;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Renders canonical events in the OpenAI dialect: as chunks of a stream or as one whole answer. Used where a provider's own
 * JSON can not be relayed. For one answer on one event loop.
 */
final class AnswerText {
    private final String fallbackId;
    private final String fallbackModel;
    private final long fallbackCreatedS;
    private final Map<Integer, Choice> choices = new TreeMap<>();
    private Started started = new Started(null, 0, null);

    private static final class Choice {
        private final StringBuilder content = new StringBuilder();
        private final StringBuilder reasoning = new StringBuilder();
        private final List<Call> calls = new ArrayList<>();
        private FinishReason reason;
        private boolean begun;
    }

    private static final class Call {
        private final String id;
        private final String name;
        private final StringBuilder arguments = new StringBuilder();

        Call(String id, String name) {
            this.id = id;
            this.name = name;
        }
    }

    AnswerText(String fallbackId, String fallbackModel, long fallbackCreatedS) {
        this.fallbackId = fallbackId;
        this.fallbackModel = fallbackModel;
        this.fallbackCreatedS = fallbackCreatedS;
    }

    /** Takes note of an event; needed for the whole answer, and for id and model of chunks. */
    void add(AnswerEvent event) {
        if (event instanceof Started begun) {
            started = begun;
        } else if (event instanceof ContentDelta delta) {
            choice(delta.choice()).content.append(delta.text());
        } else if (event instanceof ReasoningDelta delta) {
            choice(delta.choice()).reasoning.append(delta.text());
        } else if (event instanceof ToolCallDelta delta) {
            List<Call> calls = choice(delta.choice()).calls;
            while (calls.size() <= delta.index()) {
                calls.add(new Call(delta.id(), delta.name()));
            }
            calls.get(delta.index()).arguments.append(delta.arguments());
        } else if (event instanceof Finished finished) {
            choice(finished.choice()).reason = finished.reason();
        }
    }

    private Choice choice(int index) {
        return choices.computeIfAbsent(index, made -> new Choice());
    }

    /** The chunk for one event; null where the event has none. */
    Buffer chunk(AnswerEvent event) {
        if (event instanceof ContentDelta delta) {
            return delta(delta.choice(), null, "content", delta.text());
        }
        if (event instanceof ReasoningDelta delta) {
            return delta(delta.choice(), null, "reasoning_content", delta.text());
        }
        if (event instanceof ToolCallDelta delta) {
            return toolChunk(delta);
        }
        if (event instanceof Finished finished) {
            return delta(finished.choice(), finished.reason(), null, null);
        }
        return null;
    }

    private Buffer delta(int choice, FinishReason reason, String member, String text) {
        ObjectNode root = head("chat.completion.chunk");
        ObjectNode delta = chunkChoice(root, choice, reason);
        if (member != null) {
            delta.put(member, text);
        }
        return Buffer.buffer(root.toString());
    }

    private Buffer toolChunk(ToolCallDelta event) {
        ObjectNode root = head("chat.completion.chunk");
        ObjectNode call =
                chunkChoice(root, event.choice(), null).putArray("tool_calls").addObject();
        call.put("index", event.index());
        if (event.id() != null) {
            call.put("id", event.id());
            call.put("type", "function");
        }
        ObjectNode function = call.putObject("function");
        if (event.name() != null) {
            function.put("name", event.name());
        }
        function.put("arguments", event.arguments());
        return Buffer.buffer(root.toString());
    }

    /** The delta object of a new chunk; the first of a choice names the role. */
    private ObjectNode chunkChoice(ObjectNode root, int index, FinishReason reason) {
        ObjectNode choice = root.putArray("choices").addObject();
        choice.put("index", index);
        ObjectNode delta = choice.putObject("delta");
        Choice known = choice(index);
        if (!known.begun) {
            known.begun = true;
            delta.put("role", "assistant");
        }
        choice.put("finish_reason", reason == null ? null : reason.word());
        return delta;
    }

    /** The last chunk of a stream whose caller asked for usage. */
    Buffer usageChunk(TokenUsage usage) {
        ObjectNode root = head("chat.completion.chunk");
        root.putArray("choices");
        usage(root, usage);
        return Buffer.buffer(root.toString());
    }

    /** Everything so far as one answer. */
    Buffer whole(TokenUsage usage) {
        ObjectNode root = head("chat.completion");
        ArrayNode list = root.putArray("choices");
        choices.forEach((index, choice) -> {
            ObjectNode each = list.addObject();
            each.put("index", index);
            message(each.putObject("message"), choice);
            each.put("finish_reason", choice.reason == null ? null : choice.reason.word());
            each.putNull("logprobs");
        });
        usage(root, usage);
        return Buffer.buffer(root.toString());
    }

    /**
     * A provider's own whole answer with {@code usage}, in place of its own figures where it has some that can not be true; every other byte
     * stays.
     */
    static Buffer withUsage(Buffer whole, TokenUsage usage) {
        ObjectNode member = StrictJson.MAPPER.createObjectNode();
        usage(member, usage);
        int[] own = ownUsage(whole.getBytes());
        if (own != null) {
            return Buffer.buffer(whole.length())
                    .appendBuffer(whole.slice(0, own[0]))
                    .appendString(member.get("usage").toString())
                    .appendBuffer(whole.slice(own[1], whole.length()));
        }
        String text = member.toString();
        int end = whole.length();
        // Not every plugin leaves out the blanks after the document.
        while (end > 1 && " \n\r\t".indexOf(whole.getByte(end - 1)) >= 0) {
            end--;
        }
        return Buffer.buffer(end + text.length())
                .appendBuffer(whole.slice(0, end - 1))
                .appendString(",")
                .appendString(text.substring(1));
    }

    /** Where the value of the member {@code usage} begins and ends; null where there is none. */
    private static int[] ownUsage(byte[] whole) {
        try (JsonParser parser = StrictJson.MAPPER.createParser(whole)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean found = parser.currentName().equals("usage");
                parser.nextToken();
                int from = (int) parser.currentTokenLocation().getByteOffset();
                parser.skipChildren();
                if (found) {
                    parser.finishToken();
                    return new int[] {from, (int) parser.currentLocation().getByteOffset()};
                }
            }
            return null;
        } catch (IOException notJson) {
            return null;
        }
    }

    private static void message(ObjectNode message, Choice choice) {
        message.put("role", "assistant");
        if (choice.content.isEmpty() && !choice.calls.isEmpty()) {
            message.putNull("content");
        } else {
            message.put("content", choice.content.toString());
        }
        message.putNull("refusal");
        if (!choice.reasoning.isEmpty()) {
            message.put("reasoning_content", choice.reasoning.toString());
        }
        if (!choice.calls.isEmpty()) {
            ArrayNode calls = message.putArray("tool_calls");
            for (Call call : choice.calls) {
                ObjectNode each = calls.addObject();
                each.put("id", call.id);
                each.put("type", "function");
                ObjectNode function = each.putObject("function");
                function.put("name", call.name);
                function.put("arguments", call.arguments.toString());
            }
        }
    }

    private ObjectNode head(String object) {
        ObjectNode root = StrictJson.MAPPER.createObjectNode();
        root.put("id", started.id() == null ? fallbackId : started.id());
        root.put("object", object);
        root.put("created", started.createdS() == 0 ? fallbackCreatedS : started.createdS());
        root.put("model", started.model() == null ? fallbackModel : started.model());
        return root;
    }

    private static void usage(ObjectNode root, TokenUsage usage) {
        ObjectNode node = root.putObject("usage");
        node.put("prompt_tokens", usage.promptTotal());
        node.put("completion_tokens", usage.outputTotal());
        node.put("total_tokens", usage.promptTotal() + usage.outputTotal());
        ObjectNode prompt = node.putObject("prompt_tokens_details");
        prompt.put("cached_tokens", usage.cachedInput());
        node.putObject("completion_tokens_details").put("reasoning_tokens", usage.reasoning());
        if (usage.estimated()) {
            node.put("estimated", true);
        }
    }
}
