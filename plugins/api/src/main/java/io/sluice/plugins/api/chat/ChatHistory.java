package io.sluice.plugins.api.chat;

import io.sluice.plugins.api.chat.ChatRequest.Member;
import io.sluice.tenants.context.ContextCut;
import io.sluice.tenants.context.ContextInput;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The turns of a conversation, and the same conversation without the oldest of them (requirement B9). A scan of its own, about a
 * microsecond per kilobyte; for one request, then pure.
 *
 * <p>A turn begins with a user message behind anything but another one, and has all that follows. System and developer messages, wherever
 * they stand, and the examples at the front belong to no turn and always stay. A turn in which a tool is called goes on until the last
 * result of its calls, though the user speaks in between; one with a call that has no result stays.
 */
public final class ChatHistory {
    private final ChatRequest request;
    private final List<MessageSpan> spans;
    private final int[] turnOf; // of each message; -1 where it always stays
    private final boolean[] open; // whether a message calls what never gets a result
    private final int[] reach; // the last result of a message's calls
    private boolean[] stays; // whether a turn does, beside the newest

    private ChatHistory(ChatRequest request, boolean leadingPairs) {
        this.request = request;
        spans = request.messageSpans();
        turnOf = new int[spans.size()];
        open = new boolean[spans.size()];
        reach = new int[spans.size()];
        pair();
        int start = MessageSpan.examplesEnd(spans, MessageSpan.lead(spans), leadingPairs);
        Arrays.fill(turnOf, 0, start, -1);
        divide(start);
    }

    /**
     * The history of {@code request}.
     *
     * @param leadingPairs whether unmarked pairs directly after the system messages are examples
     */
    public static ChatHistory of(ChatRequest request, boolean leadingPairs) {
        return new ChatHistory(request, leadingPairs);
    }

    /** Finds the results of each call: those with its id that follow it, until the id is used again. */
    private void pair() {
        Map<String, Integer> latest = new HashMap<>();
        Set<String> waiting = new HashSet<>();
        for (int i = 0; i < spans.size(); i++) {
            String answers = spans.get(i).answers();
            if (answers != null && latest.containsKey(answers)) {
                reach[latest.get(answers)] = i;
                waiting.remove(answers);
            }
            for (String id : spans.get(i).callIds()) {
                Integer before = latest.put(id, i);
                if (!waiting.add(id)) {
                    open[before] = true;
                }
            }
        }
        waiting.forEach(id -> open[latest.get(id)] = true);
    }

    private void divide(int start) {
        int turn = 0;
        int until = -1;
        boolean asked = false;
        boolean asking = false;
        for (int i = start; i < spans.size(); i++) {
            MessageSpan span = spans.get(i);
            if (span.instructs()) {
                turnOf[i] = -1;
            } else {
                if (span.asks() && asked && !asking && i > until) {
                    turn++;
                }
                asking = span.asks();
                asked |= asking;
                turnOf[i] = turn;
            }
            until = Math.max(until, reach[i]);
        }
        stays = new boolean[turn + 1];
        for (int i = start; i < spans.size(); i++) {
            if (open[i] && turnOf[i] >= 0) {
                stays[turnOf[i]] = true;
            }
        }
    }

    /**
     * What its cut depends on.
     *
     * @param turnsMax 0 for no limit
     * @param tokensMax estimated as in {@link ChatFacts#promptTokens}; 0 for no limit
     */
    public ContextInput input(int turnsMax, int tokensMax) {
        long bytes = 0;
        for (Member member : request.members()) {
            if (member.name().equals("messages") || member.name().equals("tools")) {
                bytes += member.valueEnd() - member.valueStart();
            }
        }
        Long[] saved = new Long[stays.length];
        Arrays.fill(saved, 0L);
        for (int i = 0; i < spans.size(); i++) {
            bytes += images(i);
            if (turnOf[i] >= 0) {
                saved[turnOf[i]] += end(i) - spans.get(i).start() + images(i);
            }
        }
        for (int turn = 0; turn < stays.length - 1; turn++) {
            saved[turn] = stays[turn] ? 0 : saved[turn];
        }
        // The estimate of so many bytes is one token more than they have quarters.
        long bytesMax = tokensMax == 0 ? 0 : (long) tokensMax * ChatFacts.BYTES_PER_TOKEN - 1;
        return new ContextInput(turnsMax, bytesMax, bytes, List.of(saved));
    }

    /** What the images of a message weigh beyond the length of their addresses. */
    private long images(int message) {
        MessageSpan span = spans.get(message);
        return (long) span.images() * ChatFacts.IMAGE_TOKENS * ChatFacts.BYTES_PER_TOKEN - span.imageChars();
    }

    /** With what separates it from the next. */
    private int end(int message) {
        return message + 1 < spans.size()
                ? spans.get(message + 1).start()
                : spans.get(message).end();
    }

    /** The body without the turns that {@code cut} leaves out; all else keeps its bytes. */
    public byte[] without(ContextCut cut) {
        byte[] body = request.raw();
        ByteArrayOutputStream rest = new ByteArrayOutputStream(body.length);
        int copied = 0;
        for (int i = 0; i < spans.size(); i++) {
            int turn = turnOf[i];
            if (turn >= 0 && turn < cut.keptFrom() && !stays[turn]) {
                rest.write(body, copied, spans.get(i).start() - copied);
                copied = end(i);
            }
        }
        rest.write(body, copied, body.length - copied);
        return rest.toByteArray();
    }
}
