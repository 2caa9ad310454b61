package io.sluice.control.budget;

import io.sluice.control.budget.CapWatch.BandChange;
import io.sluice.control.budget.CapWatch.Told;
import io.sluice.control.owner.Stored;
import io.sluice.control.owner.Takeover;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.message.BusMessage.BandsPublished;
import io.sluice.tenants.message.BusMessage.CapsPublished;
import io.sluice.tenants.message.CapBand;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the bands of the caps of tenants that this node owns, on one loop since each follows from the one before: only the owner moves
 * and notes them. Where the node comes to own a tenant it goes on from the bands that were told or stored last. Other tenants' caps stand
 * here with the band that their owner told.
 *
 * <p>In: {@link CapsPublished} of this node, {@link BandsPublished} of others, and what is stored. Out: {@link BandsPublished} each time,
 * so that a node that missed one hears the next; standings to the {@link CapBoard}; a note of each change.
 */
public final class BandActor extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(BandActor.class);

    /** What exempt scenarios spend is asked for so often: it steers hours, not seconds. */
    private static final long EXEMPT_MS = 60_000;

    private final Bus bus;
    private final Owners owners;
    private final Stored<CapBand> stored;
    private final Supplier<Configuration> configuration;
    private final CapBoard board;
    private final ExemptSpend exempt;
    private final Function<BandChange, Future<Void>> notes;
    private final InstantSource clock;
    private final CapWatch watch;
    private final Map<AccountKey, CapFigures> latest = new HashMap<>();
    private Takeover<TenantId> takeover;

    /**
     * @param states where the next owner finds the bands
     * @param configuration that serves now
     * @param notes where changes are written down
     */
    public BandActor(
            Bus bus,
            Owners owners,
            SoftStates states,
            Supplier<Configuration> configuration,
            CapBoard board,
            ExemptSpend exempt,
            Function<BandChange, Future<Void>> notes,
            InstantSource clock) {
        this.bus = bus;
        this.owners = owners;
        stored = new Stored<>(states, "bands", CapBand.class);
        this.configuration = configuration;
        this.board = board;
        this.exempt = exempt;
        this.notes = notes;
        this.clock = clock;
        watch = new CapWatch(owners.node());
    }

    @Override
    public Future<?> start() {
        takeover = new Takeover<>(context, tenant -> owners.mine(tenant.value()), this::load);
        vertx.setPeriodic(EXEMPT_MS, timer -> exempt.refresh(configuration.get(), latest.values()));
        return Future.all(bus.on(Address.CAPS, this::onCaps), bus.on(Address.BANDS, this::onBands))
                .compose(done -> load().otherwiseEmpty());
    }

    private Future<Void> load() {
        return Takeover.on(context, stored.all()).map(all -> {
            watch.heard(all, clock.instant());
            return null;
        });
    }

    private void onBands(BandsPublished told) {
        if (!told.node().equals(owners.node())) {
            tell(watch.heard(told.bands(), clock.instant()));
        }
    }

    private void onCaps(CapsPublished told) {
        told.caps().forEach(figures -> latest.put(figures.account(), figures));
        takeover.take(latest.keySet().stream().map(AccountKey::tenant).collect(Collectors.toSet()), this::decide);
    }

    private void decide() {
        Instant now = clock.instant();
        latest.values().removeIf(figures -> !now.isBefore(figures.ends()));
        watch.over(now).stream()
                .filter(account -> takeover.holds(account.tenant()))
                .forEach(account -> stored.remove(account.key()));
        Told next = watch.next(configuration.get(), latest.values(), exempt::micros, takeover::holds, now);
        board.publish(next.standings());
        tell(next.bands());
        tell(watch.untold(takeover::holds, now));
        next.moved()
                .forEach(band -> stored.later(band.account().key(), band.stamp().number(), band));
        stored.flush();
        next.changes().forEach(this::note);
    }

    private void tell(List<CapBand> bands) {
        if (!bands.isEmpty()) {
            bus.publish(Address.BANDS, new BandsPublished(owners.node(), bands));
        }
    }

    private void note(BandChange change) {
        notes.apply(change)
                .onFailure(failure -> LOG.error("a change of {} is not in the audit log", change.account(), failure));
    }
}
