package io.sluice.control.spend;

import io.sluice.control.spend.SpendStore.Closing;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.config.TenantConfig;
import io.sluice.tenants.config.TenantTree;
import io.sluice.tenants.message.BusMessage.AskSpendPosition;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.message.BusMessage.SpendStored;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what nodes ship of their journals, and closes days, on one loop so that one closing follows the other.
 *
 * <p>In: {@link AskSpendPosition}, {@link SpendShipped}. Out: {@link SpendStored}, when it is stored.
 */
public final class SpendActor extends VerticleBase {
    /** So much later than its midnight a day is closed: nodes give back slices of the old day until 10 minutes after it. */
    static final Duration GRACE = Duration.ofMinutes(15);

    private static final long TICK_MS = 60_000;

    /** Figures of other nodes are seen here that much later. */
    private static final long FOLLOW_MS = 500;

    private static final Logger LOG = LoggerFactory.getLogger(SpendActor.class);

    private final Bus bus;
    private final SpendStore store;
    private final Supplier<Configuration> configuration;
    private final InstantSource clock;
    private final Duration chargesKept;
    private final Owners owners;
    private boolean closing;
    private boolean following;
    private boolean told;

    /**
     * @param chargesKept how long single charges are kept; sums are kept for good
     * @param owners a tenant's owner closes its days; two that both believe to be it do no harm
     */
    public SpendActor(
            Bus bus,
            SpendStore store,
            Supplier<Configuration> configuration,
            InstantSource clock,
            Duration chargesKept,
            Owners owners) {
        this.bus = bus;
        this.store = store;
        this.configuration = configuration;
        this.clock = clock;
        this.chargesKept = chargesKept;
        this.owners = owners;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(TICK_MS, timer -> tick());
        vertx.setPeriodic(1, FOLLOW_MS, timer -> follow());
        return Future.all(bus.answer(Address.SPEND_POSITIONS, this::onAsk), bus.answer(Address.SPEND, this::onShipped));
    }

    private Future<SpendStored> onAsk(AskSpendPosition ask) {
        return store.position(ask.node(), ask.journal()).map(SpendStored::new);
    }

    private Future<SpendStored> onShipped(SpendShipped shipped) {
        return store.append(shipped).map(SpendStored::new);
    }

    private void follow() {
        if (following) {
            return;
        }
        following = true;
        store.refresh()
                .onComplete(done -> context.runOnContext(now -> {
                    following = false;
                    if (done.failed() && !told) {
                        LOG.warn("what other nodes spent is not heard of now", done.cause());
                    }
                    told = done.failed(); // once for each time that it fails, and not twice a second
                }));
    }

    private void tick() {
        if (!closing) {
            closing = true;
            closeDays().onComplete(done -> context.runOnContext(now -> closing = false));
        }
    }

    /** Closes what is over of every tenant, one after another. */
    Future<Void> closeDays() {
        Instant now = clock.instant();
        String tzdb = ZoneRulesProvider.getVersions("UTC").lastEntry().getKey();
        List<Closing> closings = new ArrayList<>();
        for (TenantTree tree : configuration.get().tenants().values()) {
            if (owners.mine(tree.tenant().id().value())) {
                closings.add(closing(tree.tenant(), tzdb, now));
            }
        }
        return store.purge(now.minus(chargesKept))
                .compose(purged -> store.due(closings))
                .compose(this::close)
                .onFailure(failure -> LOG.error("days could not be closed; it is tried again", failure));
    }

    private Future<Void> close(List<Closing> due) {
        Future<Void> done = Future.succeededFuture();
        for (Closing each : due) {
            done = done.compose(before -> store.close(each).<Void>mapEmpty());
        }
        return done;
    }

    private static Closing closing(TenantConfig tenant, String tzdb, Instant now) {
        LocalDate open = LocalDate.ofInstant(now.minus(GRACE), tenant.timeZone());
        return new Closing(tenant.id(), tenant.timeZone(), tzdb, tenant.currency(), open, now);
    }
}
