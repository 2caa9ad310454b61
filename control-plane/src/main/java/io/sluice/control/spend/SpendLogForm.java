package io.sluice.control.spend;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.control.spend.SpendLogEntry.Shipped;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.json.StrictJson;
import io.sluice.tenants.packed.PackedReader;
import io.sluice.tenants.packed.PackedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * {@link SpendLogEntry} as bytes: shipments packed, all others JSON; deflated, since a log is kept in memory. The first byte tells the two
 * apart. Pure.
 */
public final class SpendLogForm {
    /** A shipment has at most 32,768 requests of some 600 bytes; more is no entry of this log. */
    private static final int BYTES_MAX = 32 << 20;

    /** Stands before a packed shipment, and before no deflated bytes (RFC 1950: their first byte is 0x78). */
    private static final byte PACKED = 1;

    private SpendLogForm() {}

    public static byte[] write(SpendLogEntry entry) {
        return entry instanceof Shipped shipped ? packed(shipped) : json(entry);
    }

    private static byte[] packed(Shipped shipped) {
        PackedWriter out = PackedWriter.growing();
        PackedShipment.write(out, shipped);
        byte[] packed = out.bytes();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(packed.length / 2 + 64);
        bytes.write(PACKED);
        Deflater fast = new Deflater(Deflater.BEST_SPEED);
        try (DeflaterOutputStream deflated = new DeflaterOutputStream(bytes, fast, 8_192)) {
            deflated.write(packed);
        } catch (IOException memoryHasNone) {
            throw new UncheckedIOException(memoryHasNone);
        } finally {
            fast.end();
        }
        return bytes.toByteArray();
    }

    private static byte[] json(SpendLogEntry entry) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflated = new DeflaterOutputStream(bytes)) {
            deflated.write(StrictJson.MAPPER.writerFor(SpendLogEntry.class).writeValueAsBytes(entry));
        } catch (JsonProcessingException brokenRecord) {
            throw new IllegalStateException(brokenRecord);
        } catch (IOException memoryHasNone) {
            throw new UncheckedIOException(memoryHasNone);
        }
        return bytes.toByteArray();
    }

    /** What {@link #write} wrote; throws {@link StoreException} where it is something else. */
    public static SpendLogEntry read(byte[] bytes) {
        return bytes.length > 0 && bytes[0] == PACKED ? shipment(bytes) : ofJson(bytes);
    }

    private static SpendLogEntry shipment(byte[] bytes) {
        ByteArrayInputStream packed = new ByteArrayInputStream(bytes, 1, bytes.length - 1);
        try (InflaterInputStream inflated = new InflaterInputStream(packed)) {
            PackedReader in = new PackedReader(ByteBuffer.wrap(whole(inflated)));
            Shipped shipped = PackedShipment.read(in);
            if (in.hasMore()) {
                throw new IllegalArgumentException("something stands behind a shipment");
            }
            return shipped;
        } catch (IOException | RuntimeException unreadable) {
            throw unreadable(unreadable);
        }
    }

    private static StoreException unreadable(Exception cause) {
        return new StoreException("an entry of the log of spend can not be read; did a newer release write it?", cause);
    }

    private static byte[] whole(InflaterInputStream inflated) throws IOException {
        byte[] bytes = inflated.readNBytes(BYTES_MAX + 1);
        if (bytes.length > BYTES_MAX) {
            throw new IOException("it is larger than any can be");
        }
        return bytes;
    }

    /** Shipments too, as the release before wrote them. */
    private static SpendLogEntry ofJson(byte[] bytes) {
        try (InflaterInputStream inflated = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
            return StrictJson.MAPPER.readValue(whole(inflated), SpendLogEntry.class);
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        }
    }
}
