package io.sluice.data.money;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.ledger.AuthorityCommand;
import io.sluice.tenants.ledger.CapAuthority;
import io.sluice.tenants.ledger.Holder;
import io.sluice.tenants.message.BusMessage.CapsPublished;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns this node's {@link Leases}, on one loop: draws slices ahead, answers requests in need, says once a second what was spent, and
 * gives everything back when the node leaves. It begins a new life of the node, and tells the authority what the lives before left.
 *
 * <p>In: {@link CapsPublished}; answers of the {@link CapAuthority}. Out: commands to it.
 */
public final class LeaseActor extends VerticleBase implements Reservations.Refill {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseActor.class);

    /** What was spent is known to others within a second. */
    private static final long TICK_MS = 1_000;

    /** What was not answered is asked again, and who waited too long hears so, this much late at most. */
    private static final long POLL_MS = 50;

    /** A node that leaves waits so long for the authority; what it still holds then is burned. */
    private static final long DRAIN_MS_MAX = 2_000;

    private final Bus bus;
    private final CapAuthority authority;
    private final String node;
    private final Purse purse;
    private final LedgerJournal journal;
    private final JournalTotals before;
    private final LeaseSettings settings;
    private final InstantSource clock;
    private volatile Leases leases;

    /**
     * @param journal the one that {@code purse} writes to
     * @param before what the lives before this one wrote there
     */
    public LeaseActor(
            Bus bus,
            CapAuthority authority,
            String node,
            Purse purse,
            LedgerJournal journal,
            JournalTotals before,
            LeaseSettings settings,
            InstantSource clock) {
        this.bus = bus;
        this.authority = authority;
        this.node = node;
        this.purse = purse;
        this.journal = journal;
        this.before = before;
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        // A disk that was replaced does not know the lives before: the clock does.
        Holder me = new Holder(node, Math.max(before.incarnation() + 1, clock.millis()));
        return journal.commit(new LedgerRecord.Opened(me, clock.millis()))
                .compose(durable -> Future.<Void>future(begun -> context.runOnContext(here -> {
                    begin(me);
                    begun.complete();
                })))
                .compose(begun -> bus.on(
                        Address.CAPS,
                        (CapsPublished published) -> published.caps().forEach(leases::figures)));
    }

    private void begin(Holder me) {
        Leases begun = new Leases(
                me,
                purse,
                journal,
                settings,
                monotonic(),
                task -> context.runOnContext(here -> task.run()),
                this::send);
        begun.recover(before);
        leases = begun;
        vertx.setPeriodic(TICK_MS, timer -> begun.tick());
        vertx.setPeriodic(POLL_MS, timer -> {
            if (begun.waits()) {
                begun.poll();
            }
        });
    }

    /** Waits are measured by a clock that nobody sets. */
    private InstantSource monotonic() {
        long beganMs = clock.millis() - TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
        return () -> Instant.ofEpochMilli(beganMs + TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    }

    private void send(AuthorityCommand command) {
        authority.ask(command).whenComplete((answer, failure) -> {
            if (failure == null) {
                context.runOnContext(here -> leases.heard(answer));
            } else {
                LOG.debug("The authority over spend caps did not answer", failure);
            }
        });
    }

    @Override
    public Future<Refilled> urgent(Shortfall missing) {
        Leases now = leases;
        if (now == null || purse.stopped() != null) {
            return Future.succeededFuture(Refilled.UNANSWERED);
        }
        Promise<Refilled> came = Promise.promise();
        Context caller = vertx.getOrCreateContext();
        context.runOnContext(
                here -> now.urgent(missing, useful -> caller.runOnContext(there -> came.tryComplete(useful))));
        return came.future();
    }

    /** Gives back what is free, and waits a little for the authority to know. */
    @Override
    public Future<?> stop() {
        Leases now = leases;
        now.drain();
        if (now.drained()) {
            return Future.succeededFuture();
        }
        Promise<Void> stopped = Promise.promise();
        long timer = vertx.setPeriodic(POLL_MS, each -> {
            now.tick();
            if (now.drained()) {
                stopped.tryComplete();
            }
        });
        vertx.setTimer(DRAIN_MS_MAX, late -> stopped.tryComplete());
        return stopped.future().onComplete(done -> vertx.cancelTimer(timer));
    }
}
