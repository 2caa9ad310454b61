package io.sluice.data.request;

import io.sluice.data.money.Hold;
import io.sluice.data.money.Reservations;
import io.sluice.data.money.Shortfall;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.routing.CompiledCap;
import io.sluice.tenants.routing.CompiledCaps;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTenant;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reserves a request's money in all caps that apply, or nothing: enough for its dearest candidate, else for its cheapest; then
 * dearer ones are passed over. For one event loop.
 */
final class ReserveStep {
    private static final AtomicLong REQUESTS = new AtomicLong();

    private final Context context;
    private final Reservations reservations;

    ReserveStep(PipelineParts parts) {
        context = parts.context();
        reservations = parts.reservations();
    }

    /** The money, told on the request's event loop: at once where this node has enough. */
    Future<Outcome<RequestMoney>> reserve(Planned planned) {
        List<CompiledCap> caps = applying(planned.identified());
        Price price = caps.isEmpty() ? Price.FREE : Price.of(planned);
        // What is free, or answers without a model, needs no cap to cover it.
        List<AccountKey> accounts = price.dearest() == 0 ? List.of() : accounts(planned.identified(), caps);
        String id = Long.toString(REQUESTS.incrementAndGet(), Character.MAX_RADIX);
        return here(reservations
                .reserve(id, accounts, price.dearest())
                .compose(first -> first instanceof Shortfall && price.cheapest() < price.dearest()
                        ? reservations.reserve(id, accounts, price.cheapest())
                        : Future.succeededFuture(first))
                .compose(came -> came instanceof Hold hold
                        ? Future.succeededFuture(Outcome.go(new RequestMoney(planned, caps, hold)))
                        : without(planned, caps, id, ((Shortfall) came).account())));
    }

    /** What the cap that does not cover the request wants: a refusal, or what costs nothing, where the ladder has some. */
    private Future<Outcome<RequestMoney>> without(
            Planned planned, List<CompiledCap> caps, String id, AccountKey account) {
        Planned left = caps.stream()
                .filter(cap -> cap.id().equals(account.capId()) && cap.atExhaustion() == AtExhaustion.DEGRADE)
                .map(planned::exhausted)
                .filter(again -> again.plan().refused() == null)
                .findFirst()
                .orElse(null);
        return left == null
                ? Future.succeededFuture(Outcome.halt(exhausted(planned, account)))
                : reservations
                        .reserve(id, List.of(), 0)
                        .map(hold -> Outcome.go(new RequestMoney(left, List.of(), (Hold) hold)));
    }

    /** What one attempt may cost at most, in micro-units, at the candidate where that is least and at the one where it is most. */
    private record Price(long cheapest, long dearest) {
        static final Price FREE = new Price(0, 0);

        static Price of(Planned planned) {
            long least = Long.MAX_VALUE;
            long most = 0;
            for (Candidate candidate : planned.plan().candidates()) {
                if (planned.identified().ladder().get(candidate.rung()) instanceof CompiledRung.Pool rung) {
                    long micros =
                            WorstCase.micros(planned, rung.pool().targets().get(candidate.target()));
                    if (micros >= 0) {
                        least = Math.min(least, micros);
                        most = Math.max(most, micros);
                    }
                }
            }
            return new Price(Math.min(least, most), most);
        }
    }

    private static List<AccountKey> accounts(Identified request, List<CompiledCap> caps) {
        if (caps.isEmpty()) {
            return List.of();
        }
        Instant now = request.arrival().at();
        CompiledTenant tenant = request.caller().tenant();
        List<AccountKey> accounts = new ArrayList<>(caps.size());
        for (CompiledCap cap : caps) {
            accounts.add(new AccountKey(
                    tenant.id(), cap.id(), tenant.caps().calendar().periodAt(cap.period(), now)));
        }
        return accounts;
    }

    private static List<CompiledCap> applying(Identified request) {
        return request.caller()
                .tenant()
                .caps()
                .of(request.caller().key().appId(), request.scenario().name(), request.endUser());
    }

    /** In the words of the caller's contract: which cap, and when it begins anew. */
    static Stop exhausted(Planned planned, AccountKey account) {
        CompiledCaps all = planned.identified().caller().tenant().caps();
        Optional<CompiledCap> cap = applying(planned.identified()).stream()
                .filter(each -> each.id().equals(account.capId()))
                .findFirst();
        String display = cap.map(CompiledCap::display).orElse("a spend cap");
        if (cap.isPresent() && cap.get().limitMicros() == 0) {
            return new Stop(
                    BudgetStops.refusal(planned),
                    display + " is 0, so nothing may be spent; ask whoever manages your budget to raise it",
                    null,
                    0,
                    false);
        }
        return new Stop(
                BudgetStops.refusal(planned),
                display + " does not cover what this request may cost; it begins anew at "
                        + all.calendar().endOf(account.period())
                        + ". Ask whoever manages your budget to raise it, or send less and a smaller max_tokens",
                null,
                0,
                false);
    }

    private <T> Future<T> here(Future<T> anywhere) {
        if (anywhere.isComplete()) {
            return anywhere;
        }
        Promise<T> here = Promise.promise();
        anywhere.onComplete(result -> context.runOnContext(now -> here.handle(result)));
        return here.future();
    }
}
