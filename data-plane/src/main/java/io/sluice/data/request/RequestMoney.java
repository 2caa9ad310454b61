package io.sluice.data.request;

import io.sluice.data.money.Hold;
import io.sluice.data.money.Shortfall;
import io.sluice.tenants.decision.AttemptRecord;
import io.sluice.tenants.decision.PromptRecord.Use;
import io.sluice.tenants.decision.Uncovered;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.money.Money;
import io.sluice.tenants.money.Price;
import io.sluice.tenants.routing.CompiledCap;
import io.sluice.tenants.routing.CompiledRung;
import io.sluice.tenants.routing.CompiledTarget;
import java.util.ArrayList;
import java.util.List;

/**
 * The money of one request. No attempt starts unless what it may cost at most is reserved in every cap that applies, beside what
 * the attempts before it have cost. It ends once, by {@link #settle} or {@link #release}. For one request on one event loop.
 */
final class RequestMoney {
    private final Planned planned;
    private final List<CompiledCap> caps;
    private final Hold hold;
    private final CountStep counts;
    private long spentMicros;
    private Shortfall missing;

    /** @param caps that apply; none where the request may cost what it will */
    RequestMoney(Planned planned, List<CompiledCap> caps, Hold hold, CountStep counts) {
        this.planned = planned;
        this.caps = caps;
        this.hold = hold;
        this.counts = counts;
    }

    /** The request as it goes on: with the plan that its money allows. */
    Planned planned() {
        return planned;
    }

    /** Whether a cap applies. */
    boolean capped() {
        return !caps.isEmpty();
    }

    /** Whether an attempt may start; where it costs more than is reserved, and that is there at once, more is reserved. */
    boolean covers(CompiledTarget target) {
        if (!capped()) {
            return true;
        }
        long worstMicros = WorstCase.micros(planned, target);
        if (worstMicros < 0) {
            return false;
        }
        long lackingMicros = spentMicros + worstMicros - hold.heldMicros();
        if (lackingMicros <= 0) {
            return true;
        }
        if (!(hold.raise(lackingMicros) instanceof Shortfall short_)) {
            return true;
        }
        if (counts.countHere(planned.identified(), target, Use.MONEY)) {
            return covers(target);
        }
        missing = short_;
        return false;
    }

    /** An attempt is over. */
    void charge(AttemptRecord attempt) {
        spentMicros += attempt.cost() == null ? 0 : attempt.cost().micros();
    }

    /** What the last attempt that was not covered lacked; null where none lacked anything. */
    Shortfall missing() {
        return missing;
    }

    /** Likewise, for the record. */
    Uncovered uncovered() {
        return missing == null ? null : new Uncovered(missing.account().capId(), new Money(missing.missingMicros()));
    }

    /** Charges what all attempts have cost. */
    void settle(List<AttemptRecord> attempts) {
        Identified request = planned.identified();
        hold.settle(
                spentMicros,
                new SpendFacts(
                        hold.requestId(),
                        request.arrival().traceId(),
                        request.arrival().at(),
                        request.caller().tenant().id(),
                        request.caller().key().appId(),
                        request.scenario().name(),
                        request.endUser(),
                        charges(attempts)));
    }

    private List<SpendFacts.Charge> charges(List<AttemptRecord> attempts) {
        List<SpendFacts.Charge> charges = new ArrayList<>(attempts.size());
        for (AttemptRecord attempt : attempts) {
            if (attempt.usage().promptTotal() + attempt.usage().outputTotal() > 0) {
                CompiledRung.Pool rung =
                        (CompiledRung.Pool) planned.identified().ladder().get(attempt.rung());
                CompiledTarget target = rung.pool().targets().get(attempt.target());
                charges.add(new SpendFacts.Charge(
                        attempt.step(),
                        attempt.provider(),
                        attempt.model(),
                        attempt.usage(),
                        attempt.cost(),
                        target.prices()
                                .at(planned.identified().arrival().at())
                                .map(Price::version)
                                .orElse(null)));
            }
        }
        return charges;
    }

    /** Gives everything back: nothing was called. */
    void release() {
        hold.release();
    }
}
