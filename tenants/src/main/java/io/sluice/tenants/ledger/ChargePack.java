package io.sluice.tenants.ledger;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.sluice.tenants.packed.PackedReader;
import io.sluice.tenants.packed.PackedWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * What each of several requests cost, packed: some 90 bytes a request, written and kept as one piece, and taken apart only by whoever asks
 * for a single request. Immutable.
 */
public final class ChargePack {
    /** Without any request. */
    public static final ChargePack NONE = new ChargePack(new byte[0]);

    /** Grows when a release before could no longer read it. */
    private static final int FORM = 1;

    private final byte[] bytes;

    private ChargePack(byte[] bytes) {
        this.bytes = bytes;
    }

    /** One that was kept. It is read, and may turn out to be none, only by {@link #entries}. */
    public static ChargePack of(byte[] bytes) {
        return new ChargePack(bytes.clone());
    }

    /** One that was sent; throws {@link IllegalArgumentException} where it is no base64. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static ChargePack ofBase64(String base64) {
        return new ChargePack(Base64.getDecoder().decode(base64));
    }

    @JsonValue
    public String base64() {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** A copy, to be kept. */
    public byte[] bytes() {
        return bytes.clone();
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /** In bytes. */
    public int size() {
        return bytes.length;
    }

    /**
     * All requests in it, in their order.
     *
     * @throws IllegalArgumentException where it is none, or a newer release made it
     */
    public List<SpendEntry> entries() {
        List<SpendEntry> entries = new ArrayList<>();
        if (isEmpty()) {
            return entries;
        }
        PackedReader in = new PackedReader(ByteBuffer.wrap(bytes));
        long form = in.whole();
        if (form != FORM) {
            throw new IllegalArgumentException(
                    "charges are packed in the form " + form + ", this release knows " + FORM);
        }
        long seq = 0;
        while (in.hasMore()) {
            seq += in.whole();
            entries.add(new SpendEntry(seq, PackedSpend.read(in)));
        }
        return entries;
    }

    /** Makes one, request by request. Not thread-safe. */
    static final class Maker {
        private final PackedWriter out = PackedWriter.growing();
        private long seq;

        /** @param next larger than that of the request before */
        void add(long next, SpendFacts facts) {
            if (seq == 0) {
                out.whole(FORM);
            }
            out.whole(next - seq);
            seq = next;
            PackedSpend.write(out, facts);
        }

        ChargePack pack() {
            return new ChargePack(out.bytes());
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChargePack pack && Arrays.equals(bytes, pack.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "ChargePack[" + bytes.length + " bytes]";
    }
}
