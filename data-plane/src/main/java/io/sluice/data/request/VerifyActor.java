package io.sluice.data.request;

import io.sluice.data.money.Reservations;
import io.sluice.data.recall.ExactCache;
import io.sluice.data.seeing.RequestMeters;
import io.sluice.data.snapshot.CurrentSnapshot;
import io.sluice.data.upstream.UpstreamClient;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.message.BusMessage.CheckLadder;
import io.sluice.tenants.message.BusMessage.LadderChecked;
import io.sluice.tenants.routing.CompiledScenario;
import io.sluice.tenants.routing.CompiledTenant;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Function;

/**
 * Verifies ladders for operators, one at a time and one call at a time (requirement C6). Its calls use connections of their own,
 * take no permits and move no breaker: they prove a rung, they do not serve.
 *
 * <p>In: {@link CheckLadder}. Out: {@link LadderChecked}; a proof for each rung that works.
 */
public final class VerifyActor extends VerticleBase {
    private final Bus bus;
    private final String node;
    private final CurrentSnapshot current;
    private final Function<Vertx, UpstreamClient> clients;
    private final RungProofs proofs;
    private final RequestMeters meters;
    private final ExactCache cache;
    private final Reservations reservations;
    private UpstreamClient upstream;
    private boolean busy;

    /**
     * The actor of {@code node}.
     *
     * @param clients makes the client for the event loop of the actor
     * @param cache whose answers cache rungs would give
     * @param reservations that its calls are charged by, like requests
     */
    public VerifyActor(
            Bus bus,
            String node,
            CurrentSnapshot current,
            Function<Vertx, UpstreamClient> clients,
            RungProofs proofs,
            RequestMeters meters,
            ExactCache cache,
            Reservations reservations) {
        this.bus = bus;
        this.node = node;
        this.current = current;
        this.clients = clients;
        this.proofs = proofs;
        this.meters = meters;
        this.cache = cache;
        this.reservations = reservations;
    }

    @Override
    public Future<?> start() {
        upstream = clients.apply(vertx);
        return bus.answer(Address.ladderChecks(node), this::onCheckLadder);
    }

    @Override
    public Future<?> stop() {
        return upstream.close();
    }

    private Future<LadderChecked> onCheckLadder(CheckLadder check) {
        if (busy) {
            return problem("another ladder is being verified on this node; try again in a minute");
        }
        CompiledTenant tenant = current.get().tenants().get(check.tenant());
        CompiledScenario scenario = tenant == null ? null : tenant.scenarios().get(check.scenario());
        if (scenario == null) {
            return problem("this node does not serve the scenario yet; try again in a moment");
        }
        busy = true;
        WalkMoney money = new WalkMoney(context, reservations, tenant, scenario.name());
        return new LadderWalk(upstream, proofs, meters, cache, check, scenario, money)
                .walk()
                .onComplete(done -> busy = false);
    }

    private static Future<LadderChecked> problem(String text) {
        return Future.succeededFuture(new LadderChecked(List.of(), text));
    }
}
