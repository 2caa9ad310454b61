package io.sluice.data.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.sluice.plugins.api.AnswerEvent.ContentDelta;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.plugins.api.chat.JsonText;
import io.sluice.tenants.json.StrictJson;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What stands before a lower rung's answer, for its reader (scenario setting {@code degradedNotice}). Never where the answer is
 * for a machine: with tools, functions or a response format.
 *
 * @param text with the blank line that ends it
 * @param choices how many answers come
 */
record Notice(String text, int choices) {
    /** Where the text of each choice stands in a whole answer. */
    private static final List<String> CONTENT = List.of("choices", "message", "content");

    /** The notice for {@code request}; null where it gets none. */
    static Notice of(String setting, String step, ChatRequest request, int choices) {
        boolean forMachines = request.facts().tools() || request.has("functions") || request.has("response_format");
        return setting == null || forMachines ? null : new Notice(setting.replace("{step}", step) + "\n\n", choices);
    }

    /** The notice as the first content of every choice. */
    List<ContentDelta> deltas() {
        List<ContentDelta> deltas = new ArrayList<>(choices);
        for (int choice = 0; choice < choices; choice++) {
            deltas.add(new ContentDelta(choice, text));
        }
        return deltas;
    }

    /** A whole answer with the notice before the content of each choice; every other byte stays. */
    Buffer before(Buffer whole) {
        byte[] body = whole.getBytes();
        String quoted = JsonText.quote(text);
        String escaped = quoted.substring(1, quoted.length() - 1);
        Buffer out = Buffer.buffer(body.length + choices * escaped.length());
        int copied = 0;
        for (int start : contents(body)) {
            out.appendBytes(body, copied, start - copied).appendString(escaped);
            copied = start;
        }
        return out.appendBytes(body, copied, body.length - copied);
    }

    /** Offsets behind the opening quotes of the contents. */
    private static List<Integer> contents(byte[] body) {
        List<Integer> starts = new ArrayList<>(1);
        try (JsonParser parser = StrictJson.FACTORY.createParser(body)) {
            parser.nextToken();
            find(parser, 0, starts);
        } catch (IOException readBefore) {
            throw new UncheckedIOException(readBefore);
        }
        return starts;
    }

    /** Follows {@link #CONTENT} from its {@code depth}-th name on; the parser stands on the value there. */
    private static void find(JsonParser parser, int depth, List<Integer> starts) throws IOException {
        JsonToken token = parser.currentToken();
        if (depth == CONTENT.size()) {
            if (token == JsonToken.VALUE_STRING) {
                starts.add((int) parser.currentTokenLocation().getByteOffset() + 1);
            }
            parser.skipChildren();
        } else if (token == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                find(parser, depth, starts);
            }
        } else if (token == JsonToken.START_OBJECT) {
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                boolean onPath = parser.currentName().equals(CONTENT.get(depth));
                parser.nextToken();
                if (onPath) {
                    find(parser, depth + 1, starts);
                } else {
                    parser.skipChildren();
                }
            }
        }
    }
}
