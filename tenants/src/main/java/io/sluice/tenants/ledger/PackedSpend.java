package io.sluice.tenants.ledger;

import io.sluice.tenants.TenantId;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.packed.PackedReader;
import io.sluice.tenants.packed.PackedWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link SpendFacts} in the packed form. A number of marks says of each charge what else stands there, so that charges without it are as
 * short as in releases that did not know it, and either can be read by the other. Pure.
 */
public final class PackedSpend {
    /** Of the marks: the token figures are Sluice's own count. */
    private static final int ESTIMATED = 1;

    /** Of the marks: calls of the provider's tools stand at the end of the charge. */
    private static final int SERVER_TOOL_CALLS = 2;

    private PackedSpend() {}

    public static void write(PackedWriter out, SpendFacts facts) {
        out.text(facts.requestId());
        out.text(facts.traceId());
        Instant at = facts.at();
        out.signed(at.getEpochSecond());
        out.whole(at.getNano());
        out.word(facts.tenant().value());
        out.word(facts.app());
        out.word(facts.scenario());
        out.word(facts.endUser());
        out.whole(facts.charges().size());
        for (SpendFacts.Charge charge : facts.charges()) {
            write(out, charge);
        }
    }

    private static void write(PackedWriter out, SpendFacts.Charge charge) {
        out.word(charge.step());
        out.word(charge.provider());
        out.word(charge.model());
        TokenUsage usage = charge.usage();
        out.whole(usage.input());
        out.whole(usage.cachedInput());
        out.whole(usage.cacheWrite());
        out.whole(usage.output());
        out.whole(usage.reasoning());
        out.whole(usage.images());
        out.whole((usage.estimated() ? ESTIMATED : 0) | (usage.serverToolCalls() > 0 ? SERVER_TOOL_CALLS : 0));
        out.flag(charge.cost() != null);
        if (charge.cost() != null) {
            out.signed(charge.cost().micros());
        }
        out.word(charge.priceVersion());
        if (usage.serverToolCalls() > 0) {
            out.whole(usage.serverToolCalls());
        }
    }

    /** What {@link #write} wrote; throws {@link IllegalArgumentException} where something else stands there. */
    public static SpendFacts read(PackedReader in) {
        String requestId = in.text();
        String traceId = in.text();
        long second = in.signed();
        Instant at = Instant.ofEpochSecond(second, in.whole());
        TenantId tenant = new TenantId(in.word());
        String app = in.word();
        String scenario = in.word();
        String endUser = in.word();
        int count = in.count();
        List<SpendFacts.Charge> charges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            charges.add(readCharge(in));
        }
        return new SpendFacts(requestId, traceId, at, tenant, app, scenario, endUser, charges);
    }

    private static SpendFacts.Charge readCharge(PackedReader in) {
        String step = in.word();
        String provider = in.word();
        String model = in.word();
        long input = in.whole();
        long cachedInput = in.whole();
        long cacheWrite = in.whole();
        long output = in.whole();
        long reasoning = in.whole();
        long images = in.whole();
        int marks = in.marks(ESTIMATED | SERVER_TOOL_CALLS);
        Money cost = in.flag() ? new Money(in.signed()) : null;
        String priceVersion = in.word();
        TokenUsage usage = new TokenUsage(
                input,
                cachedInput,
                cacheWrite,
                output,
                reasoning,
                images,
                (marks & SERVER_TOOL_CALLS) == 0 ? 0 : in.whole(),
                (marks & ESTIMATED) != 0);
        return new SpendFacts.Charge(step, provider, model, usage, cost, priceVersion);
    }
}
