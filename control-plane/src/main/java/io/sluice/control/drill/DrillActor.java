package io.sluice.control.drill;

import io.sluice.control.drill.DrillStore.Pages;
import io.sluice.control.drill.Proven.Rung;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.DrillConfig;
import io.sluice.tenants.config.SwitchConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.drill.DrillTally;
import io.sluice.tenants.drill.Proof;
import io.sluice.tenants.message.BusMessage.DrillReported;
import io.sluice.tenants.message.BusMessage.RungProven;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes {@link DrillBook}, on one loop so that figures add up: on every node, each of which hears the reports of all, so that each can answer
 * for itself. Says in the log when a switch of a tenant that this node owns ends by itself.
 *
 * <p>In: {@link DrillReported} and {@link RungProven} of all nodes. Out: what changed, to the {@link DrillStore}.
 */
public final class DrillActor extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(DrillActor.class);

    /** So much of a running drill's figures a crash may lose. */
    private static final long SAVE_MS = 5_000;

    /** Operators read of the end of a switch within a second. */
    private static final long WATCH_MS = 1_000;

    /** Figures of a run that was stopped may still come for so long, with the end that it was to have. */
    private static final Duration LATE_MAX = Duration.ofMinutes(11);

    private final Bus bus;
    private final Owners owners;
    private final DrillStore store;
    private final DrillBook book;
    private final Supplier<Configuration> configuration;
    private final InstantSource clock;
    private Instant watchedUntil;
    private Map<TenantId, TenantTree> watchedOf;
    private List<TenantTree> watched = List.of();

    /** @param configuration that serves now */
    public DrillActor(
            Bus bus,
            Owners owners,
            DrillStore store,
            DrillBook book,
            Supplier<Configuration> configuration,
            InstantSource clock) {
        this.bus = bus;
        this.owners = owners;
        this.store = store;
        this.book = book;
        this.configuration = configuration;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        watchedUntil = clock.instant();
        vertx.setPeriodic(SAVE_MS, timer -> save());
        vertx.setPeriodic(WATCH_MS, timer -> watch());
        return store.load().compose(kept -> {
            book.fill(kept);
            return Future.all(
                    bus.on(Address.DRILL_REPORTS, this::onDrillReported), bus.on(Address.RUNGS_PROVEN, this::onProven));
        });
    }

    @Override
    public Future<?> stop() {
        return save();
    }

    private void onDrillReported(DrillReported report) {
        for (DrillTally tally : report.tallies()) {
            book.add(tally);
            tally.rungs().stream()
                    .filter(rung -> rung.answered() > 0)
                    .forEach(rung -> proven(
                            new Rung(tally.tenant(), tally.scenario(), rung.step()), clock.instant(), Proof.DRILL));
        }
    }

    private void onProven(RungProven message) {
        proven(
                new Rung(message.tenant(), message.scenario(), message.step()),
                message.at(),
                Proof.valueOf(message.how()));
    }

    /** What is not configured any more is not kept: rungs that come and go would pile up. */
    private void proven(Rung rung, Instant at, Proof how) {
        TenantTree tree = configuration.get().tenants().get(rung.tenant());
        boolean configured = tree != null
                && tree.scenarios().containsKey(rung.scenario())
                && tree.scenarios().get(rung.scenario()).ladder().stream()
                        .anyMatch(each -> each.name().equals(rung.step()));
        if (configured) {
            book.add(new Proven(rung, at, how));
        }
    }

    private Future<Void> save() {
        Pages changed = book.takeUnsaved();
        List<DrillTally.Run> gone = book.takeGone();
        if (changed.empty() && gone.isEmpty()) {
            return Future.succeededFuture();
        }
        return store.save(changed, gone).onFailure(failure -> {
            LOG.error("results of drills could not be saved; they are tried again", failure);
            context.runOnContext(again -> book.saveAgain(changed, gone));
        });
    }

    /** A run ends when somebody stops it, whatever its figures say. */
    private void stopped(TenantTree tree, Instant now) {
        for (DrillConfig drill : tree.drills().values()) {
            if (drill.stoppedAt() != null && drill.stoppedAt().isAfter(now.minus(LATE_MAX))) {
                book.stopped(tree.tenant().id(), drill.id(), drill.stoppedAt());
            }
        }
    }

    /** Tenants with something to watch, found once per configuration: most have neither drills nor switches. */
    private List<TenantTree> watched() {
        Map<TenantId, TenantTree> tenants = configuration.get().tenants();
        if (watchedOf != tenants) {
            watchedOf = tenants;
            watched = tenants.values().stream()
                    .filter(tree -> !tree.drills().isEmpty() || !tree.switches().isEmpty())
                    .toList();
        }
        return watched;
    }

    private void watch() {
        Instant now = clock.instant();
        for (TenantTree tree : watched()) {
            stopped(tree, now);
            boolean mine = owners.mine(tree.tenant().id().value());
            for (SwitchConfig degradation : tree.switches().values()) {
                boolean ended = degradation.activeAt(watchedUntil) && !degradation.activeAt(now);
                if (ended && mine && degradation.endedAt() == null) {
                    LOG.atWarn()
                            .addKeyValue("tenant", tree.tenant().id().value())
                            .addKeyValue("switch", degradation.id())
                            .addKeyValue("owner", degradation.owner())
                            .addKeyValue("expiresAt", degradation.expiresAt())
                            .log("A degradation switch ended by itself: requests start at the first rung again");
                }
            }
        }
        watchedUntil = now;
    }
}
