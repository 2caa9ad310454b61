package io.sluice.plugins.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.plugins.api.AnswerEvent;
import io.sluice.plugins.api.AnswerEvent.ToolCallDelta;
import io.sluice.plugins.api.FinishReason;
import io.sluice.tenants.failure.FailureClass;
import io.sluice.tenants.money.TokenUsage;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads one document of an answer, a chunk or a whole one, as a tree: says what it means and mends in the tree what a strict
 * client would stumble over. What needs no mending is left as it is, so the original bytes can be relayed. For one answer on
 * one thread.
 */
final class AnswerReader {
    /** The answer can not be used. The message is for operators. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;
        private final FailureClass failure;

        Unusable(FailureClass failure, String message) {
            super(message, null, false, false);
            this.failure = failure;
        }

        FailureClass failure() {
            return failure;
        }
    }

    private final AnswerState state;
    private List<AnswerEvent> events = List.of();
    private boolean mended;

    AnswerReader(AnswerState state) {
        this.state = state;
    }

    /** What the last document means. */
    List<AnswerEvent> events() {
        return events;
    }

    /** Whether the last document was changed. */
    boolean mended() {
        return mended;
    }

    /** Reads a stream's chunk; usage is taken out of it. Afterwards it may have no choices: then there is nothing to relay. */
    void readChunk(ObjectNode chunk) throws Unusable {
        begin();
        ArrayNode choices = choices(chunk);
        if (!choices.isEmpty()) {
            startOrKeepId(chunk);
        }
        for (int i = 0; i < choices.size(); i++) {
            if (!readChoice(choices, i, "delta")) {
                choices.remove(i--);
                mended = true;
            }
        }
        readUsage(chunk);
        if (!chunk.path("usage").isNull() && chunk.remove("usage") != null) {
            mended = true;
        }
    }

    /** Reads a whole answer; a usage that can not be trusted is taken out of it. */
    void readWhole(ObjectNode answer) throws Unusable {
        begin();
        ArrayNode choices = choices(answer);
        if (choices.isEmpty()) {
            throw new Unusable(FailureClass.UPSTREAM_INTERNAL, "the answer has no choices");
        }
        startOrKeepId(answer);
        for (int i = 0; i < choices.size(); i++) {
            readChoice(choices, i, "message");
        }
        if (!readUsage(answer) && answer.has("usage")) {
            answer.remove("usage");
            mended = true;
        }
    }

    private void begin() {
        events = new ArrayList<>(4);
        mended = false;
    }

    private ArrayNode choices(ObjectNode of) {
        if (of.get("choices") instanceof ArrayNode choices) {
            return choices;
        }
        mended = true;
        return of.putArray("choices");
    }

    private void startOrKeepId(ObjectNode of) {
        JsonNode id = of.path("id");
        String sent = id.isTextual() && !id.textValue().isEmpty() ? id.textValue() : null;
        if (!state.started()) {
            JsonNode created = of.path("created");
            long createdS = created.isIntegralNumber() && created.canConvertToLong() ? created.longValue() : 0;
            events.add(state.start(sent, createdS, of.path("model").textValue()));
        } else if (state.id() != null && !state.id().equals(sent)) {
            of.put("id", state.id());
            mended = true;
        } else if (state.id() == null && sent != null) {
            of.remove("id");
            mended = true;
        }
    }

    /** Whether anything of the choice is to be relayed. */
    private boolean readChoice(ArrayNode choices, int position, String member) throws Unusable {
        if (!(choices.get(position) instanceof ObjectNode choice)) {
            throw new Unusable(FailureClass.UPSTREAM_INTERNAL, "a choice is no object");
        }
        int index = index(choice, position);
        ObjectNode said = said(choice, member);
        if (state.finished(index)) {
            if (saysSomething(said)) {
                throw new Unusable(FailureClass.UPSTREAM_INTERNAL, "a choice goes on after its finish_reason");
            }
            return false;
        }
        boolean first = !state.begun(index);
        ChoiceState of = state.choice(index);
        readRole(said, first || member.equals("message"));
        readText(said, index);
        boolean calls =
                said.get("tool_calls") != null && !said.get("tool_calls").isNull();
        if (calls) {
            ToolCallReader.Read read = ToolCallReader.read(said, of.calls(), member.equals("message"));
            read.deltas().forEach(this::say);
            mended |= read.mended();
        }
        ToolCallReader.readFunctionCall(said, of.functionCall()).ifPresent(this::say);
        boolean finished = readFinish(choice, said, of);
        boolean heldBack = calls && said.isEmpty() && !finished;
        return !heldBack;
    }

    private int index(ObjectNode choice, int position) throws Unusable {
        JsonNode index = choice.get("index");
        if (index == null || index.isNull()) {
            choice.put("index", position);
            mended = true;
            return position;
        }
        if (!index.isIntegralNumber()
                || !index.canConvertToInt()
                || index.intValue() < 0
                || index.intValue() >= AnswerState.CHOICES_MAX) {
            throw new Unusable(FailureClass.UPSTREAM_INTERNAL, "a choice has an impossible index");
        }
        return index.intValue();
    }

    private ObjectNode said(ObjectNode choice, String member) throws Unusable {
        if (choice.get(member) instanceof ObjectNode said) {
            return said;
        }
        mended = true;
        String other = member.equals("delta") ? "message" : "delta";
        if (choice.remove(other) instanceof ObjectNode said) {
            choice.set(member, said);
            return said;
        }
        if (member.equals("message") && !filtered(choice)) {
            throw new Unusable(FailureClass.UPSTREAM_INTERNAL, "a choice has no message");
        }
        return choice.putObject(member);
    }

    /** A filter may leave nothing of a choice but its reason. */
    private static boolean filtered(ObjectNode choice) {
        return FinishWords.reason(choice.path("finish_reason").asText()) == FinishReason.CONTENT_FILTER;
    }

    private static boolean saysSomething(ObjectNode said) {
        for (String name : List.of("content", "reasoning_content", "reasoning", "refusal", "tool_calls")) {
            JsonNode value = said.path(name);
            if ((value.isTextual() && !value.textValue().isEmpty()) || (value.isArray() && !value.isEmpty())) {
                return true;
            }
        }
        return false;
    }

    /** The first that a choice says names the role, or clients' helpers miss it (wire check 15). */
    private void readRole(ObjectNode said, boolean required) {
        JsonNode role = said.get("role");
        boolean blank = role == null || role.isNull() || role.asText().isEmpty();
        boolean right = blank ? !required : role.isTextual() && role.textValue().equals("assistant");
        if (!right) {
            said.put("role", "assistant");
            mended = true;
        }
    }

    private void readText(ObjectNode said, int index) throws Unusable {
        String reasoning = text(said, "reasoning_content");
        if (reasoning == null) {
            reasoning = text(said, "reasoning");
        }
        if (reasoning != null) {
            say(new AnswerEvent.ReasoningDelta(index, reasoning));
        }
        joinParts(said);
        if (holds(said, "audio") || holds(said, "images")) {
            state.speak();
        }
        for (String name : List.of("content", "refusal")) {
            String text = text(said, name);
            if (text != null) {
                say(new AnswerEvent.ContentDelta(index, text));
            }
        }
    }

    private static boolean holds(ObjectNode said, String name) {
        return said.path(name).isContainerNode() && !said.path(name).isEmpty();
    }

    /** Content as a list of parts (Mistral) becomes one text. What is no part may have been text, so it is not passed over. */
    private void joinParts(ObjectNode said) throws Unusable {
        JsonNode content = said.get("content");
        if (content == null || content.isNull() || content.isTextual()) {
            return;
        }
        if (!content.isArray()) {
            throw new Unusable(FailureClass.UPSTREAM_INTERNAL, "the content of a choice is no text");
        }
        StringBuilder joined = new StringBuilder();
        for (JsonNode part : content) {
            if (!part.isTextual() && !part.isObject()) {
                throw new Unusable(FailureClass.UPSTREAM_INTERNAL, "a part of the content of a choice is no text");
            }
            JsonNode text = part.isTextual() ? part : part.path("text");
            joined.append(text.isTextual() ? text.textValue() : "");
        }
        said.put("content", joined.toString());
        mended = true;
    }

    private static String text(ObjectNode said, String name) {
        JsonNode value = said.get(name);
        return value != null && value.isTextual() && !value.textValue().isEmpty() ? value.textValue() : null;
    }

    private void say(AnswerEvent event) {
        if (event.bearsContent()) {
            state.speak();
        }
        events.add(event);
    }

    private boolean readFinish(ObjectNode choice, ObjectNode said, ChoiceState of) throws Unusable {
        JsonNode word = choice.path("finish_reason");
        if (!word.isTextual() || word.textValue().isEmpty()) {
            if (!word.isMissingNode() && !word.isNull()) {
                choice.putNull("finish_reason");
                mended = true;
            }
            return false;
        }
        FailureClass failure = FinishWords.failure(word.textValue());
        if (failure != null) {
            throw new Unusable(failure, "the answer ended with finish_reason " + word.textValue());
        }
        FinishReason reason = finish(FinishWords.reason(word.textValue()), said, of);
        if (!reason.word().equals(word.textValue())) {
            choice.put("finish_reason", reason.word());
            mended = true;
        }
        of.finish(reason);
        events.add(new AnswerEvent.Finished(of.index(), reason));
        return true;
    }

    /**
     * The honest reason. With calls a stop is {@code tool_calls}, without any {@code tool_calls} is a stop; calls whose
     * arguments are no JSON were cut, so {@code length} stays or becomes the reason and the raw text is passed on: a client
     * that sees {@code tool_calls} would run them.
     */
    private FinishReason finish(FinishReason sent, ObjectNode said, ChoiceState of) throws Unusable {
        ToolCalls calls = of.calls();
        if (calls.isEmpty()) {
            return sent == FinishReason.TOOL_CALLS ? FinishReason.STOP : sent;
        }
        if (sent != FinishReason.STOP && sent != FinishReason.TOOL_CALLS) {
            return sent;
        }
        if (calls.nameless()) {
            throw new Unusable(FailureClass.UPSTREAM_INTERNAL, "a tool call has no name");
        }
        for (ToolCallDelta filled : calls.fillBlankArguments()) {
            say(filled);
            ToolCallReader.fill(said, filled);
            mended = true;
        }
        return calls.wellFormed() ? FinishReason.TOOL_CALLS : FinishReason.LENGTH;
    }

    /** Whether the document has a usage that can be trusted. */
    private boolean readUsage(ObjectNode of) {
        state.served(of.path("service_tier").textValue());
        if (!(of.get("usage") instanceof ObjectNode sent)) {
            return false;
        }
        state.searched(UsageReader.searches(sent));
        TokenUsage usage = UsageReader.read(sent);
        if (usage == null || (usage.outputTotal() == 0 && state.spoke())) {
            return false;
        }
        if (state.takeUsage(usage)) {
            events.add(state.reported(usage));
        }
        return true;
    }
}
