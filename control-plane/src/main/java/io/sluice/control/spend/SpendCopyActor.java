package io.sluice.control.spend;

import io.sluice.control.store.StoreException;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.message.BusMessage.AskSpendCopy;
import io.sluice.tenants.message.BusMessage.ReadSpendCopy;
import io.sluice.tenants.message.BusMessage.SpendCopyOffered;
import io.sluice.tenants.message.BusMessage.SpendCopyPart;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;

/**
 * Owns the copy of this node's history that other nodes take over, a file that is made when the first one reads and deleted when nobody
 * has read for a while. On one loop, so that it is made once and not deleted while it is read.
 *
 * <p>In: {@link AskSpendCopy}, {@link ReadSpendCopy} of other nodes. Out: {@link SpendCopyOffered}, {@link SpendCopyPart}.
 */
public final class SpendCopyActor extends VerticleBase {
    /** In base64 256 KiB: the bus between nodes carries everything else meanwhile. */
    static final int PART_BYTES = 192 << 10;

    /** A reader that is well asks again at once; one that was cut off for a while finds its copy still there. */
    private static final long IDLE_MS = 60_000;

    private final Bus bus;
    private final String node;
    private final SharedSpendStore store;
    private final Path file;
    private Future<String> copy;
    private long readAt;
    private int reading;

    /**
     * @param node as the cluster knows it
     * @param directory where the copy is put for a while; with as much room as the store takes
     */
    public SpendCopyActor(Bus bus, String node, SharedSpendStore store, Path directory) {
        this.bus = bus;
        this.node = node;
        this.store = store;
        file = directory.resolve("spend-offered.db");
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(IDLE_MS / 4, timer -> tick());
        return Future.all(
                bus.answer(Address.spendCopies(node), this::onAsk),
                bus.answer(Address.spendCopyParts(node), this::onRead));
    }

    @Override
    public Future<?> stop() {
        return vertx.executeBlocking(() -> Files.deleteIfExists(file));
    }

    private Future<SpendCopyOffered> onAsk(AskSpendCopy ask) {
        return store.offered().map(SpendCopyOffered::new);
    }

    private Future<SpendCopyPart> onRead(ReadSpendCopy read) {
        readAt = System.nanoTime();
        reading++;
        Future<String> there = read.copy() == null ? made() : copy;
        return (there == null ? Future.<String>failedFuture("there is no such copy") : there)
                .compose(id -> read.copy() == null || read.copy().equals(id)
                        ? vertx.executeBlocking(() -> part(id, read.offset()))
                        : Future.failedFuture("there is no such copy"))
                .onComplete(done -> reading--);
    }

    private Future<String> made() {
        if (copy == null || copy.failed()) {
            copy = vertx.executeBlocking(() -> {
                Files.deleteIfExists(file);
                store.copyTo(file);
                return UUID.randomUUID().toString();
            });
        }
        return copy;
    }

    private SpendCopyPart part(String id, long offset) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            if (offset < 0 || offset > size) {
                throw new StoreException("the copy of spend has " + size + " bytes");
            }
            ByteBuffer part = ByteBuffer.allocate((int) Math.min(PART_BYTES, size - offset));
            while (part.hasRemaining() && channel.read(part, offset + part.position()) >= 0) {
                // the file does not change while it is read
            }
            byte[] bytes = Arrays.copyOf(part.array(), part.position());
            return new SpendCopyPart(id, offset, size, Base64.getEncoder().encodeToString(bytes));
        }
    }

    private void tick() {
        if (copy != null && copy.isComplete() && reading == 0 && System.nanoTime() - readAt > IDLE_MS * 1_000_000) {
            copy = null;
            vertx.executeBlocking(() -> Files.deleteIfExists(file));
        }
    }
}
