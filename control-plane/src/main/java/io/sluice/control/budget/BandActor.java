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
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides once a second which band each cap is in, and tells nodes, subscribers and the audit log.
 *
 * <p>In: {@link CapsPublished}. Out: {@link BandsPublished}.
 */
public final class BandActor extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(BandActor.class);

    /** Bands follow spend at most this late. */
    static final long TICK_MS = 1_000;

    private final Bus bus;
    private final CapBoard board;
    private final ExemptSpend exempt;
    private final Supplier<Configuration> configuration;
    private final BiFunction<BandChange, Instant, Future<Void>> audit;
    private final InstantSource clock;
    private final CapWatch watch = new CapWatch();
    private final Map<AccountKey, CapFigures> figures = new HashMap<>();

    /** @param audit stores a line about a change */
    public BandActor(
            Bus bus,
            CapBoard board,
            ExemptSpend exempt,
            Supplier<Configuration> configuration,
            BiFunction<BandChange, Instant, Future<Void>> audit,
            InstantSource clock) {
        this.bus = bus;
        this.board = board;
        this.exempt = exempt;
        this.configuration = configuration;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(TICK_MS, timer -> tick());
        return bus.on(Address.CAPS, this::onCapsPublished);
    }

    private void onCapsPublished(CapsPublished published) {
        published.caps().forEach(each -> figures.put(each.account(), each));
    }

    private void tick() {
        Instant now = clock.instant();
        figures.values().removeIf(each -> !now.isBefore(each.ends()));
        exempt.forget(now);
        Told told = watch.next(configuration.get(), figures.values(), exempt::of, now);
        bus.publish(Address.BANDS, new BandsPublished(told.bands()));
        board.publish(told.standings());
        told.changes().forEach(change -> announce(change, now));
    }

    private void announce(BandChange change, Instant now) {
        LOG.atInfo()
                .addKeyValue("cap", change.account().key())
                .addKeyValue("from", change.from())
                .addKeyValue("to", change.decision().state().band())
                .log(change.decision().explanation());
        audit.apply(change, now)
                .onFailure(failure -> LOG.error("A change of a band could not be written to the audit log", failure));
    }
}
