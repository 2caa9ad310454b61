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
 * requests, and as JSON they cost more than the requests themselves. A number of marks says of each sum what else stands there, as in
 * {@link io.sluice.tenants.ledger.PackedSpend}. Pure.
 */
final class PackedShipment {
    /** Of the marks: the token figures are Sluice's own count. */
    private static final int ESTIMATED = 1;

    /** Of the marks: calls of the provider's tools stand at the end of the sum. */
    private static final int SERVER_TOOL_CALLS = 2;

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
        out.whole((key.estimated() ? ESTIMATED : 0) | (sum.serverToolCalls() != 0 ? SERVER_TOOL_CALLS : 0));
        out.signed(sum.requests());
        out.signed(sum.calls());
        out.signed(sum.input());
        out.signed(sum.cachedInput());
        out.signed(sum.cacheWrite());
        out.signed(sum.output());
        out.signed(sum.reasoning());
        out.signed(sum.costMicros());
        out.signed(sum.unpriced());
        if (sum.serverToolCalls() != 0) {
            out.signed(sum.serverToolCalls());
        }
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
        TenantId tenant = new TenantId(in.text());
        long quarter = in.signed();
        String app = in.word();
        String scenario = in.word();
        String provider = in.word();
        String model = in.word();
        String step = in.word();
        String endUser = in.word();
        String priceVersion = in.word();
        int marks = in.marks(ESTIMATED | SERVER_TOOL_CALLS);
        SpendKey key = new SpendKey(
                tenant, quarter, app, scenario, provider, model, step, endUser, priceVersion, (marks & ESTIMATED) != 0);
        long requests = in.signed();
        long calls = in.signed();
        long input = in.signed();
        long cachedInput = in.signed();
        long cacheWrite = in.signed();
        long output = in.signed();
        long reasoning = in.signed();
        long costMicros = in.signed();
        long unpriced = in.signed();
        long serverToolCalls = (marks & SERVER_TOOL_CALLS) == 0 ? 0 : in.signed();
        return new SpendSum(
                key,
                requests,
                calls,
                input,
                cachedInput,
                cacheWrite,
                output,
                reasoning,
                serverToolCalls,
                costMicros,
                unpriced);
    }
}
