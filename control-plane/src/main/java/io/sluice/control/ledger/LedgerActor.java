package io.sluice.control.ledger;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.ledger.AccountDecider;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.Authority;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapFigures;
import io.sluice.tenants.message.BusMessage.AskAuthority;
import io.sluice.tenants.message.BusMessage.AuthorityAnswered;
import io.sluice.tenants.message.BusMessage.CapsPublished;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the authority over spend caps, on one loop since each answer follows from all before it. An answer is given when what it says
 * is on disk; where the disk fails nothing is answered any more, and a new epoch begins from what is there.
 *
 * <p>In: {@link AskAuthority} of nodes. Out: {@link AuthorityAnswered}; {@link CapsPublished} once a second.
 */
public final class LedgerActor extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerActor.class);

    /** People and bands read figures at most this old; nodes stop within it when a cap is set to nothing. */
    static final long TICK_MS = 1_000;

    /** A node that missed what changed hears it after so many ticks. */
    private static final int ALL_EVERY = 5;

    private final Bus bus;
    private final LedgerStore store;
    private final Supplier<Configuration> configuration;
    private final Set<String> members;
    private final InstantSource clock;
    private LedgerWrites writes;
    private long configured = -1;
    private int ticks;

    /**
     * @param configuration that serves now
     * @param members nodes that may hold slices from before this start
     */
    public LedgerActor(
            Bus bus,
            LedgerStore store,
            Supplier<Configuration> configuration,
            Set<String> members,
            InstantSource clock) {
        this.bus = bus;
        this.store = store;
        this.configuration = configuration;
        this.members = Set.copyOf(members);
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(TICK_MS, timer -> tick());
        return begin().compose(begun -> bus.answer(Address.AUTHORITY, this::onAsked));
    }

    /** Clocks are larger than whatever epoch a copy of the store that was restored may have. */
    private Future<Void> begin() {
        Instant now = clock.instant();
        Promise<Void> begun = Promise.promise();
        store.beginEpoch(now.toEpochMilli())
                .compose(epoch -> store.open().map(open -> {
                    Authority authority = new Authority(epoch, now, members, new ConfiguredCaps(configuration));
                    open.forEach(authority::load);
                    return authority;
                }))
                .onFailure(begun::fail)
                .onSuccess(authority -> context.runOnContext(here -> {
                    writes = new LedgerWrites(authority, store, context);
                    begun.complete();
                }));
        return begun.future();
    }

    private Future<AuthorityAnswered> onAsked(AskAuthority asked) {
        LedgerWrites now = writes;
        return now == null
                ? Future.failedFuture("the ledger is not ready")
                : now.apply(asked.command(), clock).map(AuthorityAnswered::new);
    }

    private void tick() {
        LedgerWrites now = writes;
        if (now == null) {
            return;
        }
        if (now.broken() != null) {
            LOG.error("The ledger can not be written; it begins anew from what is on disk", now.broken());
            writes = null;
            begin().onFailure(again -> writes = now);
            return;
        }
        Instant time = clock.instant();
        long serving = configuration.get().epoch();
        for (AccountState state : now.authority().states()) {
            if (serving != configured || state.epoch() < now.authority().epoch()) {
                now.refresh(state.account(), time);
            }
            if (!time.isBefore(state.ends().plus(AccountDecider.CLOSE_AFTER))) {
                now.apply(new AuthorityCommand.Close(state.account()), clock);
            }
        }
        configured = serving;
        publish(now, time);
    }

    private void publish(LedgerWrites now, Instant time) {
        List<CapFigures> all = now.figures(ticks++ % ALL_EVERY == 0, time);
        bus.publish(Address.CAPS, new CapsPublished(all, time));
    }
}
