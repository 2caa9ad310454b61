package io.sluice.data.request;

import io.sluice.data.money.Hold;
import io.sluice.data.money.Reservation;
import io.sluice.data.money.Reservations;
import io.sluice.plugins.api.chat.ChatRequest;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.money.TokenUsage;
import io.sluice.tenants.routing.CompiledCap;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.CompiledTenant;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The money of a walk down a ladder: each of its calls is reserved and charged like a request, under the caps of the tenant and of the
 * scenario, and has a row of its own in what finance reads, so that what is stated is what providers bill. For one walk on one event loop.
 */
final class WalkMoney {
    /** What stands for the app: no app asks. A blank is in no app's id. */
    static final String APP = "verify ladder";

    private static final AtomicLong CALLS = new AtomicLong();

    private final Context context;
    private final Reservations reservations;
    private final CompiledTenant tenant;
    private final String scenario;
    private final List<CompiledCap> caps;

    /** @param context whose loop hears of reservations */
    WalkMoney(Context context, Reservations reservations, CompiledTenant tenant, String scenario) {
        this.context = context;
        this.reservations = reservations;
        this.tenant = tenant;
        this.scenario = scenario;
        caps = tenant.caps().of(APP, scenario, null);
    }

    /** Whether a cap applies. */
    boolean capped() {
        return !caps.isEmpty();
    }

    /** Whether nobody knows what a call of {@code target} costs, so that no cap could hold it. */
    boolean unpriced(CompiledTarget target, Instant at) {
        return capped() && target.prices().at(at).isEmpty();
    }

    /**
     * What a call may cost at most, in all caps that apply, or nothing.
     *
     * @param promptBytes of the rung's own prompt
     */
    Future<Reservation> reserve(CompiledTarget target, ChatRequest asked, int promptBytes, Instant at) {
        long micros = capped() ? WorstCase.micros(asked, -1, promptBytes, target, at) : 0;
        String id = "verify-" + Long.toString(CALLS.incrementAndGet(), Character.MAX_RADIX);
        return Hop.to(context, reservations.reserve(id, tenant.accounts(caps, at), micros));
    }

    /** Charges a call, once it is over. {@code cost} null where the model has no price. */
    void settle(Hold hold, String traceId, AttemptRun run, TokenUsage usage, Money cost, Instant at) {
        boolean used = usage.promptTotal() + usage.outputTotal() > 0;
        List<SpendFacts.Charge> charges = used
                ? List.of(new SpendFacts.Charge(
                        run.rung().name(),
                        run.target().provider().id(),
                        run.target().model().id(),
                        usage,
                        cost,
                        run.target().prices().at(at).map(Price::version).orElse(null)))
                : List.of();
        hold.settle(
                used && cost != null ? cost.micros() : 0,
                new SpendFacts(hold.requestId(), traceId, at, tenant.id(), APP, scenario, null, charges));
    }
}
