package io.sluice.plugins.api.chat;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.plugins.api.chat.ChatRequest.Member;
import io.sluice.tenants.json.StrictJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * How many tokens a prompt has at most, by counting its texts. Each text of messages and tools is counted by itself, as providers
 * take messages apart; what stands around texts, and all other members that a provider may show its model, counts by its bytes, which
 * no tokeniser exceeds. Images are left out, and so is what a provider writes around tools ({@link
 * io.sluice.tenants.money.PromptBound}). Scans the body once more: a microsecond per kilobyte, and the counting.
 */
public final class PromptTokens {
    /** Three or four tokens set a message apart and one names its role. */
    static final int MESSAGE_TOKENS = 8;

    /** A brace or bracket with its comma, and what a provider writes in its place. */
    private static final int BRACKET_TOKENS = 2;

    /** The quotes, colon and comma around a name or text. */
    private static final int AROUND_TOKENS = 2;

    /** Providers show what describes a tool as comments, each line of which begins with a sign and white space. */
    private static final int COMMENT_TOKENS = 3;

    /** Of a content part: in the list of messages, a message, its list of parts. */
    private static final int PART_DEPTH = 4;

    /** Counting is not worth its call for a shorter text. */
    private static final int CHARS_MIN = 8;

    /** What no model gets to read. */
    private static final Set<String> NO_PROMPT = Set.of(
            "model",
            "stream",
            "stream_options",
            "max_tokens",
            "max_completion_tokens",
            "temperature",
            "top_p",
            "n",
            "seed",
            "user",
            "metadata");

    private final JsonParser parser;
    private final boolean ofMessages;
    private final ToLongFunction<String> counter;
    private long tokens;
    private int depth;

    /** The member of a message that is being read. */
    private String part = "";

    /** Depth of the object that holds an image's address; 0 outside of one. */
    private int imageDepth;

    private PromptTokens(JsonParser parser, boolean ofMessages, ToLongFunction<String> counter) {
        this.parser = parser;
        this.ofMessages = ofMessages;
        this.counter = counter;
    }

    /**
     * The bound, never above {@link ChatFacts#promptBytesMax}.
     *
     * @param request none with parts whose length is not seen
     * @param counter of the tokens of one text
     */
    public static long most(ChatRequest request, ToLongFunction<String> counter) {
        if (request.facts().promptBytesMax() < 0) {
            throw new IllegalArgumentException("the prompt has parts that can not be counted");
        }
        long sum = 0;
        for (Member member : request.members()) {
            switch (member.name()) {
                case "messages", "tools" -> sum += of(request.raw(), member, counter);
                default -> sum += NO_PROMPT.contains(member.name()) ? 0 : member.valueEnd() - member.nameStart();
            }
        }
        return Math.min(sum, request.facts().promptBytesMax());
    }

    private static long of(byte[] body, Member member, ToLongFunction<String> counter) {
        int length = member.valueEnd() - member.valueStart();
        try (JsonParser parser = StrictJson.FACTORY.createParser(body, member.valueStart(), length)) {
            return new PromptTokens(parser, member.name().equals("messages"), counter).sum();
        } catch (IOException scannedBefore) {
            throw new UncheckedIOException(scannedBefore);
        }
    }

    private long sum() throws IOException {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
            if (token.isStructStart()) {
                depth++;
                boolean message = ofMessages && depth == 2;
                tokens += message ? MESSAGE_TOKENS : BRACKET_TOKENS;
                imageDepth = imageAddress(depth - 1) && token == JsonToken.START_OBJECT ? depth : imageDepth;
            } else if (token.isStructEnd()) {
                imageDepth = depth == imageDepth ? 0 : imageDepth;
                depth--;
            } else if (token == JsonToken.FIELD_NAME) {
                name(parser.currentName());
            } else if (token == JsonToken.VALUE_STRING) {
                text();
            } else {
                tokens += parser.getTextLength() + BRACKET_TOKENS;
            }
        }
        return tokens;
    }

    private void name(String name) {
        if (ofMessages && depth == 2) {
            part = name;
            if (name.equals("role") || name.equals("content")) {
                return; // what sets a message apart holds both
            }
        }
        tokens += bytes(name) + AROUND_TOKENS;
    }

    private void text() throws IOException {
        if (ofMessages && depth == 2 && part.equals("role")) {
            return;
        }
        if (imageAddress(depth) || (imageDepth > 0 && depth == imageDepth && "url".equals(parser.currentName()))) {
            return;
        }
        String text = parser.getText();
        tokens += AROUND_TOKENS + tokens(text);
        if (!ofMessages) {
            tokens += COMMENT_TOKENS
                    * text.chars().filter(c -> c == '\n' || c == '\r').count();
        }
    }

    /** Whether what is being read is the member {@code image_url} of an object so deep, and that one is a part of a content. */
    private boolean imageAddress(int objectDepth) throws IOException {
        return ofMessages
                && objectDepth == PART_DEPTH
                && part.equals("content")
                && "image_url".equals(parser.currentName());
    }

    private long tokens(String text) {
        long bytes = bytes(text);
        return text.length() < CHARS_MIN || strange(text) ? bytes : Math.min(bytes, counter.applyAsLong(text));
    }

    /** Whether a character is newer than this machine's tables: a provider may take it for a letter, and split elsewhere. */
    private static boolean strange(String text) {
        return text.codePoints().anyMatch(each -> each > 127 && Character.getType(each) == Character.UNASSIGNED);
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
