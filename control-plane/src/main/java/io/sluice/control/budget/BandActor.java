package io.sluice.control.budget;

import io.sluice.control.budget.CapWatch.BandChange;
import io.sluice.control.budget.CapWatch.Told;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.ledger.AccountKey;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.message.BusMessage.BandsPublished;
import io.sluice.tenants.message.BusMessage.CapsPublished;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the bands of all caps, on one loop since each follows from the one before.
 *
 * <p>In: {@link CapsPublished}. Out: {@link BandsPublished} each time, so that a node that missed one hears the next; standings to the
 * {@link CapBoard}; a note of each change.
 */
public final class BandActor extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(BandActor.class);

    /** What exempt scenarios spend is asked for so often: it steers hours, not seconds. */
    private static final long EXEMPT_MS = 60_000;

    private final Bus bus;
    private final Supplier<Configuration> configuration;
    private final CapBoard board;
    private final ExemptSpend exempt;
    private final Function<BandChange, Future<Void>> notes;
    private final InstantSource clock;
    private final CapWatch watch = new CapWatch();
    private final Map<AccountKey, CapFigures> latest = new HashMap<>();

    /**
     * @param configuration that serves now
     * @param notes where changes are written down
     */
    public BandActor(
            Bus bus,
            Supplier<Configuration> configuration,
            CapBoard board,
            ExemptSpend exempt,
            Function<BandChange, Future<Void>> notes,
            InstantSource clock) {
        this.bus = bus;
        this.configuration = configuration;
        this.board = board;
        this.exempt = exempt;
        this.notes = notes;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(EXEMPT_MS, timer -> exempt.refresh(configuration.get(), latest.values()));
        return bus.on(Address.CAPS, this::onCaps);
    }

    private void onCaps(CapsPublished told) {
        Instant now = clock.instant();
        told.caps().forEach(figures -> latest.put(figures.account(), figures));
        latest.values().removeIf(figures -> !now.isBefore(figures.ends()));
        Told next = watch.next(configuration.get(), latest.values(), exempt::micros, now);
        board.publish(next.standings());
        bus.publish(Address.BANDS, new BandsPublished(next.bands()));
        next.changes().forEach(this::note);
    }

    private void note(BandChange change) {
        notes.apply(change)
                .onFailure(failure -> LOG.error("a change of {} is not in the audit log", change.account(), failure));
    }
}
