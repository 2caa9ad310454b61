package io.sluice.plugins.api.chat;

import io.sluice.plugins.api.chat.ChatRequest.Member;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** Rewrites single members of a JSON object and copies all else, white space included, byte by byte. For one thread. */
public final class BodyEdit {
    private final byte[] body;
    private final List<Member> members;
    private final List<String> names = new ArrayList<>(3);
    private final List<String> values = new ArrayList<>(3); // JSON texts by the names' places; null leaves a member out

    /** {@code members} in the order of {@code body}; never empty, since a request has at least a model and messages. */
    BodyEdit(byte[] body, List<Member> members) {
        this.body = body;
        this.members = members;
    }

    /** Gives the member {@code name} the JSON text {@code json}, in its place or, where it is absent, at the end. */
    public BodyEdit set(String name, String json) {
        int place = names.indexOf(name);
        if (place >= 0) {
            values.set(place, json);
        } else {
            names.add(name);
            values.add(json);
        }
        return this;
    }

    /** Leaves the member out. */
    public BodyEdit remove(String name) {
        return set(name, null);
    }

    /** The edited object. */
    public Buffer toBuffer() {
        Buffer out = Buffer.buffer(body.length + 64 * names.size());
        boolean[] replaced = new boolean[names.size()];
        int copied = 0; // what stands before it was copied, replaced or left out
        int end = 0; // of the last member seen
        boolean any = false; // whether a member stands in the edited object
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            int place = names.indexOf(member.name());
            if (place < 0) {
                any = true;
            } else if (values.get(place) != null) {
                out.appendBytes(body, copied, member.valueStart() - copied);
                out.appendString(values.get(place));
                replaced[place] = true;
                copied = member.valueEnd();
                any = true;
            } else {
                // Its comma goes with it: the one before, or where it was the first member left, the one behind.
                out.appendBytes(body, copied, (any ? end : member.nameStart()) - copied);
                boolean commaBehind = !any && i + 1 < members.size();
                copied = commaBehind ? members.get(i + 1).nameStart() : member.valueEnd();
            }
            end = member.valueEnd();
        }
        out.appendBytes(body, copied, end - copied);
        for (int place = 0; place < replaced.length; place++) {
            if (values.get(place) != null && !replaced[place]) {
                out.appendString((any ? "," : "") + JsonText.quote(names.get(place)) + ":" + values.get(place));
                any = true;
            }
        }
        return out.appendBytes(body, end, body.length - end);
    }
}
