package io.sluice.control.spend;

import io.sluice.control.spend.SpendLogEntry.Shipped;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.ChargePack;
import io.sluice.tenants.ledger.SpendKey;
import io.sluice.tenants.ledger.SpendSum;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.packed.PackedReader;
import io.sluice.tenants.packed.PackedWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link Shipped} in the packed form, with each text once: where each request has a tenant of its own there are as many sums as
 * requests, and as JSON they cost more than the requests themselves. Pure.
 */
final class PackedShipment {
    private PackedShipment() {}

    static void write(PackedWriter out, Shipped entry) {
        SpendShipped shipped = entry.shipped();
        out.text(shipped.node());
        out.signed(shipped.journal());
        out.signed(shipped.afterSeq());
        out.signed(shipped.upToSeq());
        Instant at = entry.at();
        out.signed(at.getEpochSecond());
        out.whole(at.getNano());
        out.whole(shipped.sums().size());
        for (SpendSum sum : shipped.sums()) {
            write(out, sum);
        }
        out.piece(shipped.charges().bytes());
    }

    private static void write(PackedWriter out, SpendSum sum) {
        SpendKey key = sum.key();
        out.text(key.tenant()
                .value()); // where it comes again there are few; else remembering it costs more than spelling it
        out.signed(key.quarter());
        out.word(key.app());
        out.word(key.scenario());
        out.word(key.provider());
        out.word(key.model());
        out.word(key.step());
        out.word(key.endUser());
        out.word(key.priceVersion());
        out.flag(key.estimated());
        out.signed(sum.requests());
        out.signed(sum.calls());
        out.signed(sum.input());
        out.signed(sum.cachedInput());
        out.signed(sum.cacheWrite());
        out.signed(sum.output());
        out.signed(sum.reasoning());
        out.signed(sum.costMicros());
        out.signed(sum.unpriced());
    }

    /** What {@link #write} wrote; throws {@link IllegalArgumentException} where something else stands there. */
    static Shipped read(PackedReader in) {
        String node = in.text();
        long journal = in.signed();
        long afterSeq = in.signed();
        long upToSeq = in.signed();
        long second = in.signed();
        Instant at = Instant.ofEpochSecond(second, in.whole());
        int count = in.count();
        List<SpendSum> sums = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            sums.add(readSum(in));
        }
        return new Shipped(new SpendShipped(node, journal, afterSeq, upToSeq, sums, ChargePack.of(in.piece())), at);
    }

    private static SpendSum readSum(PackedReader in) {
        SpendKey key = new SpendKey(
                new TenantId(in.text()),
                in.signed(),
                in.word(),
                in.word(),
                in.word(),
                in.word(),
                in.word(),
                in.word(),
                in.word(),
                in.flag());
        return new SpendSum(
                key,
                in.signed(),
                in.signed(),
                in.signed(),
                in.signed(),
                in.signed(),
                in.signed(),
                in.signed(),
                in.signed(),
                in.signed());
    }
}
