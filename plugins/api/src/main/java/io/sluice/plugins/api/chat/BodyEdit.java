package io.sluice.plugins.api.chat;

import io.sluice.plugins.api.chat.ChatRequest.Member;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rewrites single members of a JSON object and copies the rest byte by byte. For one use by one thread. */
public final class BodyEdit {
    private final byte[] body;
    private final List<Member> members;
    private final Map<String, String> values = new LinkedHashMap<>();

    BodyEdit(byte[] body, List<Member> members) {
        this.body = body;
        this.members = members;
    }

    /** Gives the member {@code name} the JSON text {@code json}, in its place or, where it is absent, at the end. */
    public BodyEdit set(String name, String json) {
        values.put(name, json);
        return this;
    }

    /** Leaves the member out. */
    public BodyEdit remove(String name) {
        values.put(name, null);
        return this;
    }

    /** The edited object. */
    public Buffer toBuffer() {
        Buffer out = Buffer.buffer(body.length + 64 * values.size());
        out.appendByte((byte) '{');
        boolean first = true;
        for (Member member : members) {
            boolean changed = values.containsKey(member.name());
            String value = values.remove(member.name());
            if (changed && value == null) {
                continue;
            }
            if (!first) {
                out.appendByte((byte) ',');
            }
            first = false;
            if (changed) {
                out.appendBytes(body, member.nameStart(), member.valueStart() - member.nameStart());
                out.appendBytes(value.getBytes(StandardCharsets.UTF_8));
            } else {
                out.appendBytes(body, member.nameStart(), member.valueEnd() - member.nameStart());
            }
        }
        for (Map.Entry<String, String> added : values.entrySet()) {
            if (added.getValue() != null) {
                out.appendString((first ? "" : ",") + JsonText.quote(added.getKey()) + ":" + added.getValue());
                first = false;
            }
        }
        return out.appendByte((byte) '}');
    }
}
