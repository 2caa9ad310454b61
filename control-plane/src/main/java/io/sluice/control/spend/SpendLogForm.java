package io.sluice.control.spend;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.control.store.StoreException;
import io.sluice.tenants.json.StrictJson;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** {@link SpendLogEntry} as bytes: JSON, deflated to a fifth, since a log is kept in memory. Pure. */
public final class SpendLogForm {
    /** A shipment has at most 8,192 requests of some 600 bytes; more is no entry of this log. */
    private static final int JSON_BYTES_MAX = 32 << 20;

    private SpendLogForm() {}

    public static byte[] write(SpendLogEntry entry) {
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
        try (InflaterInputStream inflated = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
            byte[] json = inflated.readNBytes(JSON_BYTES_MAX + 1);
            if (json.length > JSON_BYTES_MAX) {
                throw new StoreException("an entry of the log of spend is larger than any can be");
            }
            return StrictJson.MAPPER.readValue(json, SpendLogEntry.class);
        } catch (IOException unreadable) {
            throw new StoreException(
                    "an entry of the log of spend can not be read; did a newer release write it?", unreadable);
        }
    }
}
