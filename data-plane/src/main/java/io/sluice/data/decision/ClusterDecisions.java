package io.sluice.data.decision;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Peers;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.decision.DecisionRecord;
import io.sluice.tenants.message.BusMessage.DecisionPage;
import io.sluice.tenants.message.BusMessage.FindDecision;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node's records first, then those of all others: whoever asks does not know which node served the request. */
public final class ClusterDecisions implements DecisionSource {
    /** A node that needs longer to look a decision up is as good as gone. */
    public static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(ClusterDecisions.class);

    private final DecisionSource own;
    private final Peers peers;

    /** Over this node's {@code own} records and those of its {@code peers}. */
    public ClusterDecisions(DecisionSource own, Peers peers) {
        this.own = own;
        this.peers = peers;
    }

    @Override
    public Future<Optional<DecisionRecord>> find(TenantId tenant, String traceId) {
        return own.find(tenant, traceId)
                .compose(found -> found.isPresent() ? Future.succeededFuture(found) : elsewhere(tenant, traceId));
    }

    private Future<Optional<DecisionRecord>> elsewhere(TenantId tenant, String traceId) {
        return peers.others(Address::decision, node -> new FindDecision(tenant, traceId), DecisionPage.class)
                .map(answers -> {
                    answers.silent()
                            .forEach((node, cause) ->
                                    LOG.warn("decision {} was not looked for on node {}", traceId, node, cause));
                    return answers.byNode().values().stream()
                            .flatMap(page -> page.records().stream())
                            .max(Comparator.comparing(DecisionRecord::at));
                });
    }
}
