package io.sluice.data.money.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.data.money.LedgerRecord;
import io.sluice.tenants.json.StrictJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A line of the ledger as a record of the journal: the version of the form, then JSON. Written by the journal's thread, so that
 * requests don't pay for it.
 */
record LedgerLine(LedgerRecord line) implements Body {
    /** Grows when a release before could no longer read the payload. */
    private static final byte VERSION = 1;

    @Override
    public byte type() {
        return LineKind.of(line).number();
    }

    @Override
    public void writeTo(ByteBuffer out) {
        try {
            out.put(VERSION).put(StrictJson.MAPPER.writeValueAsBytes(line));
        } catch (JsonProcessingException brokenRecord) {
            throw new IllegalArgumentException("no JSON for " + line.getClass(), brokenRecord);
        }
    }

    /** @throws IllegalArgumentException where it is no line of a version that this release knows */
    static LedgerRecord read(JournalRecord found) {
        ByteBuffer payload = found.payload();
        byte version = payload.hasRemaining() ? payload.get() : 0;
        if (version != VERSION) {
            throw new IllegalArgumentException("record " + found.seq() + " of the journal has the form " + version
                    + ", this release knows " + VERSION + "; start the release that wrote it");
        }
        try {
            return StrictJson.MAPPER.readValue(
                    StandardCharsets.UTF_8.decode(payload).toString(),
                    LineKind.of(found.type()).type());
        } catch (JsonProcessingException unreadable) {
            throw new IllegalArgumentException("record " + found.seq() + " of the journal is no line", unreadable);
        }
    }
}
