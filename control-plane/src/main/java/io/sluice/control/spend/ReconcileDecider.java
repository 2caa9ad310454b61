package io.sluice.control.spend;

import io.sluice.control.api.Reconciliation;
import io.sluice.control.api.Reconciliation.CapTotal;
import io.sluice.control.api.Reconciliation.NodeTotal;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendStatements;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.money.Money;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares what journals, a cap and a statement say of a day. */
final class ReconcileDecider {
    private ReconcileDecider() {}

    /**
     * What they say.
     *
     * @param nodes what is known by node; the rest was shipped to a release that did not keep it
     * @param statement empty where nothing was closed or corrected
     * @param account of the tenant's day cap; empty where there was none
     */
    record Told(
            LocalDate day,
            String currency,
            SpendFigures journals,
            List<NodeTotal> nodes,
            Optional<SpendStatements.Day> statement,
            Optional<AccountState> account) {}

    static Reconciliation decide(Told told) {
        Money journals = told.journals().cost();
        Optional<CapTotal> cap = told.account().filter(AccountState::known).map(ReconcileDecider::cap);
        Money corrections = additions(told, StatementBook.ADJUSTMENT);
        Optional<Money> statement = told.statement()
                .flatMap(day -> Optional.ofNullable(day.closing()))
                .map(closing -> closing.figures().cost().plus(additions(told, StatementBook.LATE_USAGE)));
        Optional<Money> difference = cap.map(of -> minus(of.spent(), journals));
        boolean balanced = difference.orElse(Money.ZERO).equals(Money.ZERO)
                && cap.map(CapTotal::corrected).orElse(corrections).equals(corrections)
                && statement.orElse(journals).equals(journals);
        return new Reconciliation(
                told.day(),
                told.currency(),
                journals,
                nodes(told),
                cap.orElse(null),
                statement.orElse(null),
                corrections,
                difference.orElse(null),
                balanced,
                explanations(told, cap, statement, corrections));
    }

    private static CapTotal cap(AccountState state) {
        return new CapTotal(
                state.account().capId(),
                new Money(Math.subtractExact(state.spentMicros(), state.adjustedMicros())),
                new Money(state.heldMicros()),
                new Money(state.burnedMicros()),
                new Money(state.adjustedMicros()),
                state.closed());
    }

    private static Money minus(Money one, Money other) {
        return new Money(Math.subtractExact(one.micros(), other.micros()));
    }

    private static Money additions(Told told, String kind) {
        return told.statement().stream()
                .flatMap(day -> day.additions().stream())
                .filter(each -> each.kind().equals(kind))
                .map(SpendStatements.Entry::amount)
                .reduce(Money.ZERO, Money::plus);
    }

    private static List<NodeTotal> nodes(Told told) {
        List<NodeTotal> nodes = new ArrayList<>(told.nodes());
        Money cost = told.journals().cost();
        long requests = told.journals().requests();
        for (NodeTotal each : told.nodes()) {
            cost = minus(cost, each.cost());
            requests -= each.requests();
        }
        if (cost.micros() != 0 || requests != 0) {
            nodes.add(new NodeTotal(null, cost, requests));
        }
        return nodes;
    }

    private static List<String> explanations(
            Told told, Optional<CapTotal> cap, Optional<Money> statement, Money corrections) {
        List<String> words = new ArrayList<>();
        Money journals = told.journals().cost();
        cap.ifPresentOrElse(
                of -> explain(words, of, journals, told.account().orElseThrow().capped()),
                () -> words.add("no day cap of the tenant counted that day"));
        if (cap.isPresent() && !cap.get().corrected().equals(corrections)) {
            words.add("corrections come to " + corrections + " in the statement and to "
                    + cap.get().corrected() + " in the cap: a cap does not know those from before it was set");
        }
        Money late = additions(told, StatementBook.LATE_USAGE);
        if (late.micros() != 0) {
            words.add(late + " was told after the day was closed; it is an addition to the statement");
        }
        if (told.journals().unpricedCalls() > 0) {
            words.add(told.journals().unpricedCalls() + " calls had no price and cost nothing here");
        }
        if (statement.isPresent() && !statement.get().equals(journals)) {
            words.add("the statement says " + statement.get()
                    + ", which must be what the journals say: look at the problem of spendStatements");
        }
        return words;
    }

    private static void explain(List<String> words, CapTotal cap, Money journals, boolean capped) {
        int compared = cap.spent().compareTo(journals);
        if (compared < 0) {
            words.add("the cap counts less than the journals: requests from before it was set are not in it, and nodes"
                    + " tell it what they spent within a second");
        }
        if (compared > 0) {
            words.add("the cap counts more than the journals: lines that are not shipped yet (sluice_spend_unshipped),"
                    + " or that were lost with a node's disk");
        }
        if (compared != 0) {
            words.add("a request that came just before midnight may count in the cap of the next day");
        }
        if (!capped) {
            words.add("the cap was removed; requests after that are not in it");
        }
        if (cap.held().micros() != 0) {
            words.add(cap.held() + " is reserved by requests in flight");
        }
        if (cap.burned().micros() != 0) {
            words.add(cap.burned() + " burned with nodes that crashed: the cap counts it as spent, no journal has it");
        }
    }
}
