package io.sluice.plugins.api.chat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A chat request in the OpenAI dialect. It keeps the caller's bytes, so that unknown members and the exact text of numbers
 * survive, and what one scan of them found. Immutable; made by {@link ChatRequestParser}.
 */
public final class ChatRequest {
    /**
     * One member of the top-level object: byte offsets into the body.
     *
     * @param nameStart of the opening quote of the name
     * @param valueStart of the first byte of the value
     * @param valueEnd after the last byte of the value
     */
    record Member(String name, int nameStart, int valueStart, int valueEnd) {}

    /** Longest question that is read, bytes of JSON. */
    static final int QUESTION_BYTES_MAX = 64 << 10;

    private final byte[] body;
    private final List<Member> members;
    private final ChatFacts facts;

    ChatRequest(byte[] body, List<Member> members, ChatFacts facts) {
        this.body = body;
        this.members = List.copyOf(members);
        this.facts = facts;
    }

    /** What the scan found. */
    public ChatFacts facts() {
        return facts;
    }

    /** Whether the caller wants a stream. */
    public boolean streamed() {
        return facts.streamed();
    }

    /** The body as it came. */
    public Buffer body() {
        return Buffer.buffer(body);
    }

    /** Length of the body. */
    public int bytes() {
        return body.length;
    }

    /** Adds the body as it came to {@code digest}. */
    public void digest(MessageDigest digest) {
        digest.update(body);
    }

    /**
     * A text that is the same for all bodies that mean the same, to be hashed: neither the order of members nor white space is in
     * it. Parses the body again.
     *
     * @param without top-level members that do not count
     */
    public byte[] canonicalText(Set<String> without) {
        try {
            return CanonicalText.of(body, without);
        } catch (IOException scannedBefore) {
            throw new UncheckedIOException(scannedBefore);
        }
    }

    /** Whether the top-level object has the member. */
    public boolean has(String name) {
        return find(name) != null;
    }

    /** The JSON text of a top-level member. */
    public Optional<JsonNode> member(String name) {
        Member member = find(name);
        if (member == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    StrictJson.MAPPER.readTree(body, member.valueStart(), member.valueEnd() - member.valueStart()));
        } catch (IOException scannedBefore) {
            throw new UncheckedIOException(scannedBefore);
        }
    }

    /** The whole body as a tree, parsed at each call: for providers of other dialects. */
    public JsonNode tree() {
        try {
            return StrictJson.MAPPER.readTree(body);
        } catch (IOException scannedBefore) {
            throw new UncheckedIOException(scannedBefore);
        }
    }

    /** A copy of the body with some members changed; all else keeps its bytes. */
    public BodyEdit edit() {
        return new BodyEdit(body, members);
    }

    /**
     * What the user asked last: the text of the last user message that is no example. Empty where there is none, or where it is
     * longer than {@value #QUESTION_BYTES_MAX} bytes: that is a document, not a question.
     */
    public String question() {
        List<MessageSpan> spans = messageSpans();
        for (int i = spans.size() - 1; i >= 0; i--) {
            MessageSpan span = spans.get(i);
            if (span.asks()) {
                return span.contentEnd() - span.contentStart() > QUESTION_BYTES_MAX ? "" : text(span);
            }
        }
        return "";
    }

    private String text(MessageSpan span) {
        try {
            JsonNode content =
                    StrictJson.MAPPER.readTree(body, span.contentStart(), span.contentEnd() - span.contentStart());
            if (content.isTextual()) {
                return content.textValue();
            }
            StringBuilder text = new StringBuilder();
            content.forEach(part -> text.append(part.path("text").asText("")).append('\n'));
            return text.toString();
        } catch (IOException scannedBefore) {
            throw new UncheckedIOException(scannedBefore);
        }
    }

    /** Where each message stands; found by a scan of its own, at each call. */
    List<MessageSpan> messageSpans() {
        return MessageSpan.all(body, find("messages"));
    }

    List<Member> members() {
        return members;
    }

    byte[] raw() {
        return body;
    }

    private Member find(String name) {
        for (Member member : members) {
            if (member.name().equals(name)) {
                return member;
            }
        }
        return null;
    }
}
