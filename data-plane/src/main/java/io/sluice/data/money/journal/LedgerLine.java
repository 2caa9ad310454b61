package io.sluice.data.money.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.data.money.LedgerRecord;
import io.sluice.data.money.LedgerRecord.Settled;
import io.sluice.tenants.json.StrictJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A line of the ledger as a record of the journal: the version of the form, then JSON, or for the one line that every request has,
 * {@link PackedSettled}. Written by the journal's thread, so that requests don't pay for it.
 *
 * @param type number of its kind
 */
record LedgerLine(byte type, LedgerRecord line) implements Body {
    private static final byte JSON = 1;

    private static final byte PACKED = 2;

    LedgerLine(LedgerRecord line) {
        this(LineKind.of(line).number(), line);
    }

    @Override
    public void writeTo(ByteBuffer out) {
        if (line instanceof Settled settled) {
            PackedSettled.write(settled, out.put(PACKED));
            return;
        }
        try {
            out.put(JSON).put(StrictJson.MAPPER.writeValueAsBytes(line));
        } catch (JsonProcessingException brokenRecord) {
            throw new IllegalArgumentException("no JSON for " + line.getClass(), brokenRecord);
        }
    }

    /**
     * The line; empty where it is of a kind that says nothing any more.
     *
     * @throws IllegalArgumentException where it is no line of a form that this release knows
     */
    static Optional<LedgerRecord> read(JournalRecord found) {
        if (LineKind.PAST.contains(found.type())) {
            return Optional.empty();
        }
        ByteBuffer payload = found.payload();
        LineKind kind = LineKind.of(found.type());
        byte form = payload.hasRemaining() ? payload.get() : 0;
        if (form != JSON && !(form == PACKED && kind == LineKind.SETTLED)) {
            throw new IllegalArgumentException("record " + found.seq() + " of the journal has the form " + form
                    + ", this release knows " + JSON + " and, of settled requests, " + PACKED
                    + "; start the release that wrote it");
        }
        try {
            return Optional.of(
                    form == PACKED
                            ? PackedSettled.read(payload)
                            : StrictJson.MAPPER.readValue(
                                    StandardCharsets.UTF_8.decode(payload).toString(), kind.type()));
        } catch (JsonProcessingException | IllegalArgumentException unreadable) {
            throw new IllegalArgumentException("record " + found.seq() + " of the journal is no line", unreadable);
        }
    }
}
