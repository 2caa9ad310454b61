package io.sluice.data.request;

import io.sluice.data.money.Hold;
import io.sluice.data.money.RequestCaps;
import io.sluice.data.money.Reservation;
import io.sluice.data.money.Reservations;
import io.sluice.data.money.Shortfall;
import io.sluice.tenants.config.AtExhaustion;
import io.sluice.tenants.decision.PromptRecord.Use;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.routing.CompiledCap;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTarget;
import io.sluice.tenants.routing.RoutePlan.Candidate;
import io.sluice.tenants.routing.RoutePlan.Excluded;
import io.sluice.tenants.routing.RoutePlan.Reason;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reserves a request's money in all caps that apply, or nothing: enough for its dearest candidate, else for its cheapest; then
 * dearer ones are passed over. Before that its prompt is counted, where a model's vocabulary is known: what does not fit by its bytes
 * may fit. For one event loop.
 */
final class ReserveStep {
    private static final AtomicLong REQUESTS = new AtomicLong();

    private final Context context;
    private final Reservations reservations;
    private final CapBook book;
    private final CountStep counts;

    ReserveStep(PipelineParts parts, CapBook book, CountStep counts) {
        this.book = book;
        this.counts = counts;
        context = parts.context();
        reservations = parts.reservations();
    }

    /** The money, told on the request's event loop: at once where this node has enough. */
    Future<Outcome<RequestMoney>> reserve(Planned planned) {
        RequestCaps bounds = book.of(planned.identified());
        List<CompiledCap> caps = bounds.caps();
        Price price = caps.isEmpty() ? Price.FREE : Price.of(planned);
        // What is free, or answers without a model, needs no cap to cover it.
        List<AccountKey> accounts = price.dearest() == 0 ? List.of() : bounds.accounts();
        String id = Long.toString(REQUESTS.incrementAndGet(), Character.MAX_RADIX);
        Future<Reservation> asked = reservations.reserve(id, accounts, price.dearest());
        if (asked.result() instanceof Hold hold) { // nearly always, and then nothing is waited for
            return Future.succeededFuture(Outcome.go(new RequestMoney(planned, caps, hold, counts)));
        }
        Future<Reservation> told = asked.isComplete() ? asked : Hop.to(context, asked);
        Future<Outcome<RequestMoney>> reserved = told.compose(first -> first instanceof Shortfall missing
                        ? counted(planned, id, accounts, price, missing)
                        : Future.succeededFuture(first))
                .compose(came -> came instanceof Hold hold
                        ? Future.succeededFuture(Outcome.go(new RequestMoney(planned, caps, hold, counts)))
                        : without(planned, caps, id, (Shortfall) came));
        return reserved.isComplete() ? reserved : Hop.to(context, reserved);
    }

    /** By the count of the prompt, as far as it can be counted: for the dearest candidate, where that is less, then for the cheapest. */
    private Future<Reservation> counted(
            Planned planned, String id, List<AccountKey> accounts, Price bounded, Shortfall missing) {
        return counts.count(planned.identified(), Price.targets(planned), Use.MONEY)
                .compose(any -> {
                    Price price = Price.of(planned);
                    Future<Reservation> dearest = price.dearest() < bounded.dearest()
                            ? reservations.reserve(id, accounts, price.dearest())
                            : Future.succeededFuture(missing);
                    return dearest.compose(came -> came instanceof Shortfall && price.cheapest() < price.dearest()
                            ? reservations.reserve(id, accounts, price.cheapest())
                            : Future.succeededFuture(came));
                });
    }

    /** What the cap that does not cover the request wants: a refusal, or what costs nothing, where the ladder has some. */
    private Future<Outcome<RequestMoney>> without(
            Planned planned, List<CompiledCap> caps, String id, Shortfall missing) {
        String capId = missing.account().capId();
        Planned left = caps.stream()
                .filter(cap -> cap.id().equals(capId) && cap.atExhaustion() == AtExhaustion.DEGRADE)
                .map(planned::exhausted)
                .filter(again -> again.plan().refused() == null)
                .findFirst()
                .orElse(null);
        return left == null
                ? Future.succeededFuture(Outcome.halt(
                        missing.unanswered()
                                ? BudgetStops.unanswered(planned, capId)
                                : BudgetStops.uncovered(planned, capId)))
                : reservations
                        .reserve(id, List.of(), 0)
                        .map(hold -> Outcome.go(new RequestMoney(left, List.of(), (Hold) hold, counts)));
    }

    /** What one attempt may cost at most, in micro-units, at the candidate where that is least and at the one where it is most. */
    private record Price(long cheapest, long dearest) {
        static final Price FREE = new Price(0, 0);

        static Price of(Planned planned) {
            Price price = new Price(Long.MAX_VALUE, 0);
            for (Candidate candidate : planned.plan().candidates()) {
                price = price.with(planned, candidate.rung(), candidate.target());
            }
            for (Excluded out : planned.plan().excluded()) {
                if (mayBeWaitedFor(out)) {
                    price = price.with(planned, out.rung(), out.target());
                }
            }
            return new Price(Math.min(price.cheapest, price.dearest), price.dearest);
        }

        private static boolean mayBeWaitedFor(Excluded out) {
            return out.reason() == Reason.SATURATED;
        }

        /** The models whose prices these are. */
        static List<CompiledTarget> targets(Planned planned) {
            List<CompiledTarget> targets = new ArrayList<>();
            planned.plan().candidates().forEach(each -> add(planned, each.rung(), each.target(), targets));
            planned.plan().excluded().stream()
                    .filter(Price::mayBeWaitedFor)
                    .forEach(each -> add(planned, each.rung(), each.target(), targets));
            return targets;
        }

        private static void add(Planned planned, int rung, int target, List<CompiledTarget> targets) {
            if (planned.identified().ladder().get(rung) instanceof CompiledRung.Pool pool) {
                targets.add(pool.pool().targets().get(target));
            }
        }

        private Price with(Planned planned, int rung, int target) {
            if (!(planned.identified().ladder().get(rung) instanceof CompiledRung.Pool pool)) {
                return this;
            }
            long micros = WorstCase.micros(planned, pool.pool().targets().get(target));
            return micros < 0 ? this : new Price(Math.min(cheapest, micros), Math.max(dearest, micros));
        }
    }
}
