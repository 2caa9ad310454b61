package io.sluice.plugins.openai;

import io.sluice.plugins.api.AnswerEvent.ToolCallDelta;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tool calls of one choice, put in order. Providers leave out indexes or ids, use one index for several calls, repeat
 * names, or send an empty id with every continuation; what comes out has an index of its own per call, and id and name in
 * the first piece and never again. The rules, first match wins:
 * <ol>
 *   <li>a known id continues its call, unless it comes with another index: then it is a new call and the id is replaced;
 *   <li>a new id begins a call, unless the call at that index is still waiting for its own id and name;
 *   <li>no id, but an index in use: continues the latest call there, unless a name comes and that call is already closed or has
 *       another name and arguments;
 *   <li>no id, new index: begins a call if it has a name; without one it is the tail of the call with that number, or of the
 *       last one, if that one is still open;
 *   <li>neither id nor index: a name begins a call, unless the last call has that name and is still open; no name continues
 *       the last call.
 * </ol>
 * A piece that fits nowhere is an error: arguments are never joined to a call by guess.
 */
final class ToolCalls {
    /** More calls in one answer are a loop, not a plan. */
    static final int CALLS_MAX = 1_000;

    /** All arguments of a choice together, characters; as much as one event may carry. */
    static final int ARGUMENTS_CHARS_MAX = SseParser.EVENT_BYTES_MAX;

    /** One piece as the provider sent it; id and name null where absent or empty, index -1 where absent. */
    record Piece(int index, String id, String name, String arguments) {}

    /** The pieces can not be told apart, or are too many. The message is for operators. */
    static final class Unclear extends Exception {
        private static final long serialVersionUID = 1;

        Unclear(String message) {
            super(message, null, false, false);
        }
    }

    private static final class Call {
        private final int sentIndex;
        private final ArgumentsText arguments = new ArgumentsText();
        private String id;
        private String name;
        private boolean sentId;
        private boolean begun;
        private String waiting = "";

        /** The index that callers see, given when the call begins for them. */
        private int number;

        Call(int sentIndex) {
            this.sentIndex = sentIndex;
        }
    }

    private final int choice;
    private final CallIds callIds;
    private final List<Call> calls = new ArrayList<>(0);
    private final Set<String> ids = new HashSet<>(0);
    private int argumentsChars;
    private int begun;

    ToolCalls(int choice, CallIds callIds) {
        this.choice = choice;
        this.callIds = callIds;
    }

    boolean isEmpty() {
        return calls.isEmpty();
    }

    /** Takes a piece; null where it only completes what a later piece will begin. */
    ToolCallDelta take(Piece piece) throws Unclear {
        Call call = find(piece);
        argumentsChars += piece.arguments().length();
        if (argumentsChars > ARGUMENTS_CHARS_MAX) {
            throw new Unclear("the arguments of the tool calls exceed " + ARGUMENTS_CHARS_MAX + " characters");
        }
        call.arguments.append(piece.arguments());
        if (call.begun) {
            return new ToolCallDelta(choice, call.number, null, null, piece.arguments());
        }
        if (piece.id() != null && !call.sentId && ids.add(piece.id())) {
            call.id = piece.id();
            call.sentId = true;
        }
        if (piece.name() != null) {
            call.name = piece.name();
        }
        call.waiting += piece.arguments();
        if (call.name == null) {
            return null;
        }
        return begin(call);
    }

    private ToolCallDelta begin(Call call) {
        if (call.id == null) {
            call.id = callIds.next();
            ids.add(call.id);
        }
        call.begun = true;
        call.number = begun++;
        ToolCallDelta first = new ToolCallDelta(choice, call.number, call.id, call.name, call.waiting);
        call.waiting = "";
        return first;
    }

    /** Calls whose arguments are blank get {@code {}}: clients parse them as JSON. */
    List<ToolCallDelta> fillBlankArguments() {
        List<ToolCallDelta> filled = new ArrayList<>(0);
        for (Call call : calls) {
            if (call.begun && call.arguments.isBlank()) {
                call.arguments.append("{}");
                filled.add(new ToolCallDelta(choice, call.number, null, null, "{}"));
            }
        }
        return filled;
    }

    /** Whether every call has its name and arguments that are JSON. */
    boolean wellFormed() {
        return calls.stream().allMatch(call -> call.begun && call.arguments.wellFormed());
    }

    /** Whether a call never got its name. */
    boolean nameless() {
        return calls.stream().anyMatch(call -> !call.begun);
    }

    private Call find(Piece piece) throws Unclear {
        if (piece.id() != null) {
            return findById(piece);
        }
        if (piece.index() >= 0) {
            return findByIndex(piece);
        }
        Call last = calls.isEmpty() ? null : calls.get(calls.size() - 1);
        if (piece.name() != null) {
            boolean continues = last != null && piece.name().equals(last.name) && !last.arguments.closed();
            return continues ? last : open(piece);
        }
        return tailOf(last);
    }

    private Call findById(Piece piece) throws Unclear {
        for (Call call : calls) {
            if (piece.id().equals(call.id)) {
                boolean elsewhere = piece.index() >= 0 && call.sentIndex >= 0 && piece.index() != call.sentIndex;
                return elsewhere ? open(piece) : call;
            }
        }
        Call there = latestAt(piece.index());
        boolean late = there != null
                && !there.sentId
                && !there.arguments.closed()
                && (piece.name() == null || there.name == null || piece.name().equals(there.name));
        return late ? there : open(piece);
    }

    private Call findByIndex(Piece piece) throws Unclear {
        Call there = latestAt(piece.index());
        if (there != null) {
            boolean other = piece.name() != null
                    && there.name != null
                    && (there.arguments.closed() || (!piece.name().equals(there.name) && there.arguments.length() > 0));
            return other ? open(piece) : there;
        }
        if (piece.name() != null) {
            return open(piece);
        }
        if (piece.index() < calls.size() && !calls.get(piece.index()).arguments.closed()) {
            return calls.get(piece.index());
        }
        if (calls.isEmpty()) {
            return open(piece);
        }
        return tailOf(calls.get(calls.size() - 1));
    }

    private static Call tailOf(Call last) throws Unclear {
        if (last == null || last.arguments.closed()) {
            throw new Unclear("a piece of a tool call belongs to no call");
        }
        return last;
    }

    private Call latestAt(int index) {
        for (int i = calls.size() - 1; i >= 0 && index >= 0; i--) {
            if (calls.get(i).sentIndex == index) {
                return calls.get(i);
            }
        }
        return null;
    }

    private Call open(Piece piece) throws Unclear {
        if (calls.size() == CALLS_MAX) {
            throw new Unclear("more than " + CALLS_MAX + " tool calls in one answer");
        }
        Call call = new Call(piece.index());
        calls.add(call);
        return call;
    }
}
