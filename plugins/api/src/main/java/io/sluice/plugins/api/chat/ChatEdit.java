package io.sluice.plugins.api.chat;

import io.sluice.plugins.api.chat.ChatRequest.Member;
import io.sluice.tenants.routing.RungEdit;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Changes a request as a rung says: a shorter answer, fewer examples, another system prompt. Everything else keeps its bytes. The
 * original is never changed, so every attempt is edited anew from it. Pure.
 *
 * <p>Examples are pairs of messages directly after the leading system messages and before the user's last question: marked by
 * {@code name} as OpenAI documents it, or, where the rung says so, any question and answer. The first ones are kept, so that a
 * provider's prompt cache still knows the beginning. Messages with tool calls are never examples.
 */
public final class ChatEdit {
    /** OpenAI's models that think: o1, o3, o4-mini, gpt-5 and later. */
    private static final Pattern COMPLETION_ONLY = Pattern.compile("^(openai/)?(o[0-9]|gpt-[5-9])");

    private final byte[] body;
    private final ChatRequest request;
    private final List<Splice> splices = new ArrayList<>(4);
    private final List<String> givenUp = new ArrayList<>(3);
    private int messages;
    private int maxTokens;
    private String appended;

    /** Bytes from {@code start} to {@code end} give way to {@code text}. */
    private record Splice(int start, int end, Buffer text) {
        int growth() {
            return text.length() - (end - start);
        }
    }

    /**
     * A request as a rung sends it.
     *
     * @param givenUp words for what the request lost, as in {@link RungEdit}; empty where it lost nothing
     */
    public record Edited(ChatRequest request, List<String> givenUp) {
        public Edited {
            givenUp = List.copyOf(givenUp);
        }
    }

    private ChatEdit(ChatRequest request) {
        this.request = request;
        body = request.raw();
        messages = request.facts().messages();
        maxTokens = request.facts().maxTokens();
    }

    /** {@code request} changed by {@code edit} for a model that writes at most {@code outputTokensMax}. */
    public static Edited apply(ChatRequest request, RungEdit edit, int outputTokensMax) {
        if (edit.none()) {
            return new Edited(request, List.of());
        }
        ChatEdit made = new ChatEdit(request);
        if (edit.system() != null || edit.fewShotMax() >= 0) {
            made.editMessages(edit);
        }
        if (edit.maxTokensFactor() < 1) {
            made.shorten(edit.maxTokensFactor(), outputTokensMax);
        }
        return new Edited(made.result(), made.givenUp);
    }

    /**
     * {@code request} with a limit on the answer's length, so that it has a greatest cost: where the caller set none, or one beyond
     * the model's, the model's own.
     *
     * @param nameUpstream what the provider calls the model: OpenAI's reasoning models know only {@code max_completion_tokens},
     *     many other servers only {@code max_tokens}
     */
    public static ChatRequest limited(ChatRequest request, int outputTokensMax, String nameUpstream) {
        int asked = request.facts().maxTokens();
        if (asked > 0 && asked <= outputTokensMax) {
            return request;
        }
        ChatEdit made = new ChatEdit(request);
        made.limit(outputTokensMax, COMPLETION_ONLY.matcher(nameUpstream).find());
        return made.result();
    }

    /** The longest answer that a model gives to a request that {@link #limited} went over, over all choices; tokens. */
    public static long outputTokensMax(ChatFacts facts, int modelMax) {
        long each = facts.maxTokens() == 0 ? modelMax : Math.min(facts.maxTokens(), modelMax);
        return each * facts.choices();
    }

    private void editMessages(RungEdit edit) {
        List<MessageSpan> spans = request.messageSpans();
        int lead = MessageSpan.lead(spans);
        if (edit.system() != null) {
            putPrompt(edit, spans.get(0), lead > 0);
        }
        if (edit.fewShotMax() >= 0) {
            dropExamples(edit, spans, lead);
        }
    }

    private void putPrompt(RungEdit edit, MessageSpan first, boolean leads) {
        String text = JsonText.quote(edit.system());
        if (leads && edit.instead()) {
            splice(first.contentStart(), first.contentEnd(), text);
        } else {
            String role = leads ? first.role() : "system";
            splice(first.start(), first.start(), "{\"role\":\"" + role + "\",\"content\":" + text + "},");
            messages++;
        }
        givenUp.add(edit.promptWord());
    }

    private void dropExamples(RungEdit edit, List<MessageSpan> spans, int lead) {
        int end = MessageSpan.examplesEnd(spans, lead, edit.leadingPairs());
        int keep = lead + 2 * Math.min(edit.fewShotMax(), (end - lead) / 2);
        if (keep < end) {
            splice(spans.get(keep).start(), spans.get(end).start(), "");
            messages -= end - keep;
            givenUp.add(RungEdit.FEWER_EXAMPLES);
        }
    }

    /** The caller's limit, or the model's where it is lower or the only one, times {@code factor}. */
    private void shorten(double factor, int outputTokensMax) {
        int asked = maxTokens == 0 ? outputTokensMax : Math.min(maxTokens, outputTokensMax);
        int left = (int) Math.max(1, Math.floor(asked * factor));
        limit(left, false);
        if (left < asked) {
            givenUp.add(0, RungEdit.SHORTER_ANSWER);
        }
    }

    /** Writes {@code left} into every limit there is, or one where there is none. */
    private void limit(int left, boolean completionOnly) {
        boolean placed = false;
        for (Member member : request.members()) {
            boolean limit = member.name().equals("max_tokens") || member.name().equals("max_completion_tokens");
            if (limit && (maxTokens == 0 || body[member.valueStart()] != 'n')) {
                splice(member.valueStart(), member.valueEnd(), Integer.toString(left));
                placed = true;
            }
        }
        if (!placed) {
            appended = completionOnly ? "max_completion_tokens" : "max_tokens";
        }
        maxTokens = left;
    }

    private void splice(int start, int end, String text) {
        splices.add(new Splice(start, end, Buffer.buffer(text)));
    }

    private ChatRequest result() {
        splices.sort((a, b) -> Integer.compare(a.start(), b.start()));
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.length + 64);
        int copied = 0;
        for (Splice splice : splices) {
            out.write(body, copied, splice.start() - copied);
            out.writeBytes(splice.text().getBytes());
            copied = splice.end();
        }
        List<Member> moved = new ArrayList<>(request.members().size() + 1);
        for (Member member : request.members()) {
            moved.add(new Member(
                    member.name(), moved(member.nameStart()), moved(member.valueStart()), moved(member.valueEnd())));
        }
        int end = request.members().get(request.members().size() - 1).valueEnd();
        out.write(body, copied, end - copied);
        if (appended != null) {
            append(out, moved);
        }
        out.write(body, end, body.length - end);
        return new ChatRequest(out.toByteArray(), moved, facts());
    }

    private void append(ByteArrayOutputStream out, List<Member> moved) {
        int nameStart = out.size() + 1;
        out.writeBytes((",\"" + appended + "\":").getBytes(StandardCharsets.UTF_8));
        int valueStart = out.size();
        out.writeBytes(Integer.toString(maxTokens).getBytes(StandardCharsets.UTF_8));
        moved.add(new Member(appended, nameStart, valueStart, out.size()));
    }

    /** Where the byte at {@code offset}, which no splice covers inside, stands afterwards. */
    private int moved(int offset) {
        int moved = offset;
        for (Splice splice : splices) {
            if (splice.end() <= offset) {
                moved += splice.growth();
            }
        }
        return moved;
    }

    private ChatFacts facts() {
        ChatFacts was = request.facts();
        int growth = 0;
        for (Splice splice : splices) {
            growth += splice.growth();
        }
        return new ChatFacts(
                was.model(),
                was.streamed(),
                was.includeUsage(),
                maxTokens,
                was.choices(),
                Math.max(1, was.promptTokens() + growth / ChatFacts.BYTES_PER_TOKEN),
                messages,
                was.tools(),
                was.images(),
                was.serverToolCalls(),
                was.jsonSchema(),
                was.structured(),
                was.endUser(),
                was.promptBytesMax() < 0 ? -1 : was.promptBytesMax() + growth,
                was.continuesTools());
    }
}
