package io.sluice.control;

import io.sluice.control.api.UnavailableException;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Peers;
import io.sluice.plugins.bus.Peers.Answers;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.FindDecision;
import io.sluice.tenants.message.BusMessage.FindDecisions;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds decisions on all nodes: each keeps those of the requests that it served. Any thread. */
final class DecisionDesk {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionDesk.class);

    private final Peers peers;

    DecisionDesk(Peers peers) {
        this.peers = peers;
    }

    /**
     * The newest decision of a trace. Fails with {@link UnavailableException} where none is found and a node did not answer that
     * may have one.
     *
     * @param tenant whose; null means anyone's
     */
    Future<Optional<DecisionRecord>> find(TenantId tenant, String traceId) {
        return peers.all(Address::decision, node -> new FindDecision(tenant, traceId), DecisionPage.class)
                .compose(answers -> {
                    Optional<DecisionRecord> newest = answers.byNode().values().stream()
                            .flatMap(page -> page.records().stream())
                            .max(Comparator.comparing(DecisionRecord::at));
                    tell(answers);
                    return newest.isEmpty() && !answers.silent().isEmpty()
                            ? Future.failedFuture(missing(answers))
                            : Future.succeededFuture(newest);
                });
    }

    /**
     * A page of a tenant's decisions, newest first. What a node has that does not answer is left out, and comes with a later page where
     * it answers again. Fails with {@link IllegalArgumentException} where the cursor is not one of this list, with {@link
     * UnavailableException} where no node answers.
     */
    Future<DecisionPage> page(FindDecisions query) {
        DecisionPlace place;
        try {
            place = DecisionPlace.parse(query.after());
        } catch (IllegalArgumentException foreign) {
            return Future.failedFuture(foreign);
        }
        return peers.all(Address::decisions, node -> place.question(query, node), DecisionPage.class)
                .compose(answers -> {
                    tell(answers);
                    return answers.byNode().isEmpty()
                            ? Future.failedFuture(missing(answers))
                            : Future.succeededFuture(DecisionMerge.page(place, answers.byNode(), query.limit()));
                });
    }

    private static void tell(Answers<?> answers) {
        answers.silent()
                .forEach((node, cause) -> LOG.warn("decisions of node {} are missing from an answer", node, cause));
    }

    private static UnavailableException missing(Answers<?> answers) {
        return new UnavailableException(
                "the decisions of "
                        + String.join(
                                ", ",
                                answers.silent().keySet().stream().sorted().toList())
                        + " can't be looked at now, try again",
                answers.silent().values().iterator().next());
    }
}
