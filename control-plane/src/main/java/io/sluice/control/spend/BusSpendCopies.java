package io.sluice.control.spend;

import io.sluice.control.store.StoreException;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.plugins.bus.Peers;
import io.sluice.tenants.message.BusMessage.AskSpendCopy;
import io.sluice.tenants.message.BusMessage.ReadSpendCopy;
import io.sluice.tenants.message.BusMessage.SpendCopyOffered;
import io.sluice.tenants.message.BusMessage.SpendCopyPart;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Takes a copy over the bus from whichever node has the whole history, the one that is furthest first, part by part: at most one part is
 * in memory. A part that does not come is asked for again, then the next node is asked.
 */
public final class BusSpendCopies implements SpendCopies {
    private static final Duration OFFER_MAX = Duration.ofSeconds(2);

    /** A node writes some 100 MB a second when it makes its copy; the first part waits for that. */
    private static final Duration FIRST_MAX = Duration.ofMinutes(2);

    private static final Duration PART_MAX = Duration.ofSeconds(5);

    private static final int ATTEMPTS_MAX = 5;

    private final Vertx vertx;
    private final Bus bus;
    private final Peers peers;
    private final String node;

    public BusSpendCopies(Vertx vertx, Bus bus, Owners owners) {
        this.vertx = vertx;
        this.bus = bus;
        peers = new Peers(bus, owners, OFFER_MAX, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        node = owners.node();
    }

    @Override
    public Future<Void> fetch(Path into) {
        return peers.others(Address::spendCopies, of -> new AskSpendCopy(node), SpendCopyOffered.class)
                .compose(answers -> from(
                        answers.byNode().entrySet().stream()
                                .sorted(Map.Entry.<String, SpendCopyOffered>comparingByValue(
                                                Comparator.comparingLong(SpendCopyOffered::position))
                                        .reversed())
                                .map(Map.Entry::getKey)
                                .iterator(),
                        into));
    }

    private Future<Void> from(Iterator<String> nodes, Path into) {
        if (!nodes.hasNext()) {
            return Future.failedFuture(new StoreException("no other node has the whole history of spend"));
        }
        return take(nodes.next(), into)
                .recover(failure -> vertx.executeBlocking(() -> Files.deleteIfExists(into))
                        .compose(clean -> nodes.hasNext() ? from(nodes, into) : Future.failedFuture(failure)));
    }

    private Future<Void> take(String from, Path into) {
        return bus.request(Address.spendCopyParts(from), new ReadSpendCopy(null, 0), SpendCopyPart.class, FIRST_MAX)
                .compose(part -> keep(from, part, into));
    }

    private Future<Void> keep(String from, SpendCopyPart part, Path into) {
        return vertx.executeBlocking(() -> write(part, into))
                .compose(next -> next >= part.bytes()
                        ? Future.succeededFuture()
                        : read(from, new ReadSpendCopy(part.copy(), next), 1)
                                .compose(following -> keep(from, following, into)));
    }

    private Future<SpendCopyPart> read(String from, ReadSpendCopy question, int attempt) {
        return bus.request(Address.spendCopyParts(from), question, SpendCopyPart.class, PART_MAX)
                .recover(failure ->
                        attempt < ATTEMPTS_MAX ? read(from, question, attempt + 1) : Future.failedFuture(failure));
    }

    /** Returns where the next part begins. */
    private static long write(SpendCopyPart part, Path into) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(part.data()));
        if (!bytes.hasRemaining() && part.offset() < part.bytes()) {
            throw new StoreException("another node's copy of spend ends too early");
        }
        try (FileChannel file = FileChannel.open(into, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long at = part.offset();
            while (bytes.hasRemaining()) {
                at += file.write(bytes, at);
            }
            if (at >= part.bytes()) {
                file.force(true);
            }
            return at;
        }
    }
}
