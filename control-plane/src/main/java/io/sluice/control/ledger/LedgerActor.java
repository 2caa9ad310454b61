package io.sluice.control.ledger;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.ledger.AccountDecider;
import io.sluice.tenants.ledger.AccountState;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.SharedAccounts;
import io.sluice.tenants.message.BusMessage.AskAuthority;
import io.sluice.tenants.message.BusMessage.AuthorityAnswered;
import io.sluice.tenants.message.BusMessage.CapsPublished;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Owns one node's copy of the ledger, on one loop since each answer follows from all before it. An answer is given when what it says
 * is durable; where the store fails nothing is answered until it is there again. Nodes that share a store share its accounts: each
 * has an actor of its own, which answers its own data plane and hears what the others saved.
 *
 * <p>In: {@link AskAuthority} of this node. Out: {@link AuthorityAnswered}; {@link CapsPublished} to this node once a second, and at
 * once what waits for this node's word.
 */
public final class LedgerActor extends VerticleBase {
    /** People and bands read figures at most this old; nodes stop within it when a cap is set to nothing. */
    static final long TICK_MS = 1_000;

    /** A request waits for a second or more; in this time other nodes have to hear that their word is waited for, and give it. */
    private static final long LOOKS_PER_TICK = 4;

    /** A node that missed what changed hears it after so many ticks. */
    private static final long ALL_EVERY = 5;

    /** So often a node tells the store that it is there, in ticks. */
    private static final long ALIVE_EVERY = 10;

    /** A start waits so long for a store that is not there yet. */
    private static final long START_MS_MAX = 2_000;

    private final Bus bus;
    private final LedgerStore store;
    private final Supplier<Configuration> configuration;
    private final String spender;
    private final LedgerClock clock;
    private final Published published;
    private final Promise<Void> ready = Promise.promise();
    private LedgerWrites writes;
    private LedgerFeed feed;
    private long configured = -1;
    private long looks;
    private long ticks;
    private boolean looking;

    /**
     * @param configuration that serves now
     * @param node this one
     * @param spends whether a data plane of this node may be granted something
     * @param clock of this node; the store's is gone by where it has one
     */
    public LedgerActor(
            Bus bus,
            LedgerStore store,
            Supplier<Configuration> configuration,
            String node,
            boolean spends,
            InstantSource clock) {
        this.bus = bus;
        this.store = store;
        this.configuration = configuration;
        spender = spends ? node : null;
        this.clock = new LedgerClock(clock);
        published = new Published(bus, node);
    }

    /** Starts also where the store stays away: then it is looked for until it is there. */
    @Override
    public Future<?> start() {
        writes = new LedgerWrites(store, context, clock, this::look);
        feed = new LedgerFeed(store, writes, spender, new ConfiguredCaps(configuration), clock, context);
        vertx.setPeriodic(TICK_MS / LOOKS_PER_TICK, timer -> look());
        vertx.setTimer(START_MS_MAX, late -> ready.tryComplete());
        look();
        return bus.answer(Address.AUTHORITY, this::onAsked).compose(answers -> ready.future());
    }

    private Future<AuthorityAnswered> onAsked(AskAuthority asked) {
        return writes.apply(asked.command()).map(AuthorityAnswered::new);
    }

    private void look() {
        if (looking) {
            return;
        }
        looking = true;
        boolean whole = ++looks % LOOKS_PER_TICK == 0;
        boolean alive = looks % (LOOKS_PER_TICK * ALIVE_EVERY) == 0;
        feed.look(alive).onComplete(done -> {
            looking = false;
            if (done.succeeded()) {
                ready.tryComplete();
                published.awaited(writes.accounts(), clock.instant());
                if (whole) {
                    tick(writes.accounts(), clock.instant());
                }
            }
        });
    }

    private void tick(SharedAccounts accounts, Instant now) {
        long serving = configuration.get().epoch();
        for (AccountState state : accounts.states()) {
            if (serving != configured || state.epoch() < accounts.epoch()) {
                writes.refresh(state.account());
            }
            if (!state.closed() && !now.isBefore(state.ends().plus(AccountDecider.CLOSE_AFTER))) {
                writes.apply(new AuthorityCommand.Close(state.account()));
            }
        }
        configured = serving;
        published.tick(accounts, ticks++ % ALL_EVERY == 0, now);
    }
}
