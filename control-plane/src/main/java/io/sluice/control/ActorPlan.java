package io.sluice.control;

import io.sluice.control.budget.BalanceDesk;
import io.sluice.control.budget.BandActor;
import io.sluice.control.budget.ExemptSpend;
import io.sluice.control.drill.DrillActor;
import io.sluice.control.health.HealthActor;
import io.sluice.control.ledger.LedgerActor;
import io.sluice.control.routing.RoutingActor;
import io.sluice.control.secret.SecretBox;
import io.sluice.control.shift.ShiftActor;
import io.sluice.control.spend.SpendActor;
import io.sluice.control.webhook.BalanceActor;
import io.sluice.control.webhook.SharedAlertStore;
import io.sluice.control.webhook.WebhookActor;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.NodeRole;
import io.sluice.tenants.config.Configuration;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Which actors a node's control plane runs, by its roles. */
final class ActorPlan {
    /** Disputes come with the month's invoice; what is older is in the sums. */
    private static final Duration CHARGES_KEPT = Duration.ofDays(35);

    private final Bus bus;
    private final ControlPlaneSettings settings;
    private final ControlStores stores;
    private final SecretBox box;
    private final AuditTrail trail;
    private final Boards boards;
    private final ConfigActor config;
    private final Supplier<Configuration> configuration;
    private final SharedAlertStore alerts;
    private final BalanceDesk balances;

    /** One actor and how it runs. */
    record Part(VerticleBase actor, DeploymentOptions options) {
        static Part onLoop(VerticleBase actor) {
            return new Part(actor, new DeploymentOptions());
        }

        /**
         * On a thread of its own that may block: where a node dies, Vert.x's workers wait for what Hazelcast is asked about handlers, and the
         * configuration must not wait for them.
         */
        static Part onOwnThread(VerticleBase actor, String name) {
            return new Part(
                    actor,
                    new DeploymentOptions()
                            .setThreadingModel(ThreadingModel.WORKER)
                            .setWorkerPoolName(name)
                            .setWorkerPoolSize(1));
        }
    }

    /**
     * @param boards that the actors write to
     * @param configuration as this node serves it
     */
    ActorPlan(
            Bus bus,
            ControlPlaneSettings settings,
            ControlStores stores,
            SecretBox box,
            Boards boards,
            ConfigActor config,
            Supplier<Configuration> configuration,
            SharedAlertStore alerts,
            BalanceDesk balances) {
        this.bus = bus;
        this.settings = settings;
        this.stores = stores;
        this.box = box;
        trail = new AuditTrail(box);
        this.boards = boards;
        this.config = config;
        this.configuration = configuration;
        this.alerts = alerts;
        this.balances = balances;
    }

    /**
     * In the order in which they start: each hears those that come after it from their first word on.
     *
     * @param epoch of the configuration that was loaded
     */
    List<Part> parts(long epoch) {
        List<Part> parts = new ArrayList<>(ofEveryNode());
        parts.addAll(does(NodeRole.CONTROL) ? ofOwners(epoch) : ofStrangers());
        return parts;
    }

    /** What a data plane needs beside it, and what tells owners and operators of this node. */
    private List<Part> ofEveryNode() {
        return List.of(
                Part.onLoop(new PresenceActor(
                        bus,
                        boards.watched(),
                        boards.applied(),
                        settings.nodeId(),
                        settings.roles(),
                        settings.clock())),
                Part.onLoop(new RoutingActor(
                        bus, settings.owners(), settings.states(), boards.watched()::weights, settings.clock())),
                Part.onLoop(new HealthActor(bus, settings.owners(), boards.watched()::weights, settings.clock())),
                Part.onOwnThread(config, "sluice-config"),
                Part.onLoop(new SpendActor(
                        bus, stores.spend(), configuration, settings.clock(), CHARGES_KEPT, settings.owners())),
                Part.onLoop(new LedgerActor(
                        bus,
                        stores.ledger(),
                        configuration,
                        settings.nodeId(),
                        does(NodeRole.DATA),
                        settings.clock())));
    }

    /** What a node has that owns pools and tenants and answers operators. */
    private List<Part> ofOwners(long epoch) {
        return List.of(
                Part.onLoop(new WatchActor(bus, boards.watched(), settings.owners(), epoch)),
                Part.onLoop(new DrillActor(
                        bus, settings.owners(), stores.drills(), boards.drills(), configuration, settings.clock())),
                Part.onLoop(new BandActor(
                        bus,
                        settings.owners(),
                        settings.states(),
                        configuration,
                        boards.caps(),
                        new ExemptSpend(stores.spend()::rows),
                        change -> config.note(trail.banded(change)),
                        settings.clock())),
                Part.onLoop(new ShiftActor(
                        bus,
                        configuration,
                        settings.states(),
                        boards.shifts(),
                        settings.owners(),
                        change -> config.note(trail.shifted(change)),
                        settings.shifts(),
                        settings.clock())),
                Part.onLoop(new WebhookActor(
                        settings.owners(),
                        configuration,
                        boards.caps(),
                        alerts,
                        box,
                        settings.upstreams(),
                        new AlertLines(trail, config::note),
                        settings.clock())),
                Part.onLoop(new BalanceActor(settings.owners(), configuration, balances, alerts, BalanceActor.LOOK)));
    }

    /** What a node has instead that never owns anything. */
    private List<Part> ofStrangers() {
        return List.of(Part.onLoop(new RecallActor(bus, settings.nodeId(), settings.states())));
    }

    private boolean does(NodeRole role) {
        return settings.roles().contains(role);
    }
}
