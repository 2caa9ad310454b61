package io.sluice.control;

import io.sluice.control.api.CommandOutcome;
import io.sluice.control.api.ConfigCommand;
import io.sluice.control.api.Principal;
import io.sluice.control.store.AuditLine;
import io.sluice.control.store.ConfigStore;
import io.sluice.control.store.StoreException;
import io.sluice.control.store.StoredWrite;
import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.message.BusMessage;
import io.sluice.tenants.message.BusMessage.AskSnapshot;
import io.sluice.tenants.message.BusMessage.KeyUsed;
import io.sluice.tenants.message.BusMessage.SnapshotPublished;
import io.sluice.tenants.routing.Snapshot;
import io.sluice.tenants.routing.SnapshotCompiler;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the configuration: decides on commands one after another, stores them, and only then lets them serve. One context,
 * since each decision stands on the one before; a thread of its own, since compiling thousands of tenants takes milliseconds. Where the
 * store is shared, what other nodes decided serves here, too. In: commands, {@link AskSnapshot}, {@link KeyUsed}. Out: {@link SnapshotPublished}, one for each epoch.
 */
final class ConfigActor extends VerticleBase {
    /** Days of use are no urgent news, and a second's worth of them is one write. */
    private static final long KEY_USES_INTERVAL_MS = 1_000;

    /** A change on another node serves here within two seconds, a key that was revoked there among them. */
    private static final long FOLLOW_INTERVAL_MS = 250;

    private static final Logger LOG = LoggerFactory.getLogger(ConfigActor.class);

    private final Bus bus;
    private final ConfigStore store;
    private final DecisionContexts contexts;
    private final AuditTrail audit;
    private final Consumer<Configuration> serving;
    private final Configuration loaded;
    private final Watched watched;
    private final SnapshotCompiler compiler;
    private final KeyUses uses = new KeyUses();
    private CommitQueue queue;
    private CommandDesk desk;
    private boolean cutOff;
    private String cause = "start";
    private Instant since;

    ConfigActor(
            Bus bus,
            ConfigStore store,
            DecisionContexts contexts,
            AuditTrail audit,
            Watched watched,
            Configuration loaded,
            Consumer<Configuration> serving) {
        this.bus = bus;
        this.store = store;
        this.contexts = contexts;
        compiler = new SnapshotCompiler(contexts.faults());
        this.audit = audit;
        this.watched = watched;
        this.loaded = loaded;
        this.serving = serving;
    }

    @Override
    public Future<?> start() {
        Snapshot snapshot;
        try {
            snapshot = compiler.compile(loaded);
        } catch (RuntimeException incomplete) {
            return Future.failedFuture(new StoreException(
                    "the stored configuration of epoch " + loaded.epoch() + " can not serve; restore a backup",
                    incomplete));
        }
        since = contexts.now();
        queue = new CommitQueue(store, context, loaded, snapshot, this::adopt);
        desk = new CommandDesk(contexts, audit, compiler, queue, this::serve);
        serving.accept(loaded);
        vertx.setPeriodic(KEY_USES_INTERVAL_MS, timer -> storeKeyUses());
        vertx.setPeriodic(FOLLOW_INTERVAL_MS, timer -> queue.follow(this::followed));
        return Future.all(bus.answer(Address.SNAPSHOT_REQUESTS, this::onAsk), bus.on(Address.KEY_USES, uses::add))
                .onSuccess(registered -> bus.publish(Address.SNAPSHOTS, present()));
    }

    @Override
    public Future<?> stop() {
        storeKeyUses();
        return queue.drain();
    }

    /** Applies a command; may be called from any thread. */
    Future<CommandOutcome> submit(Principal principal, ConfigCommand command) {
        Promise<CommandOutcome> outcome = Promise.promise();
        context.runOnContext(now -> desk.take(principal, command, outcome));
        return outcome.future();
    }

    /** Stores a line of the audit log that no command belongs to; may be called from any thread. */
    Future<Void> note(AuditLine line) {
        Promise<Void> stored = Promise.promise();
        context.runOnContext(now -> note(line, stored));
        return stored.future();
    }

    private void note(AuditLine line, Promise<Void> stored) {
        if (queue.full()) {
            stored.fail(new StoreException("too many changes wait for the disk; try again"));
            return;
        }
        StoredWrite write = new StoredWrite(queue.head().epoch(), List.of(), List.of(line));
        queue.add(new CommitQueue.Entry(
                queue.head(),
                queue.headSnapshot(),
                write,
                () -> {},
                failure -> {
                    if (failure == null) {
                        stored.complete();
                    } else {
                        stored.fail(failure);
                    }
                },
                () -> note(line, stored)));
    }

    /** What another node stored serves here, too; throws where it can not, and then the last one goes on serving. */
    private void adopt(ConfigStore.Update update) {
        Configuration now = update.configuration();
        boolean newEpoch = now.epoch() != queue.stored().epoch();
        queue.reset(update.position(), now, newEpoch ? compiler.compile(now) : queue.storedSnapshot());
        if (newEpoch) {
            serve(update.cause());
        } else {
            serving.accept(now);
        }
    }

    /** Once for each time that it fails, and not four times a second. */
    private void followed(Throwable failure) {
        if (failure != null && !cutOff) {
            LOG.warn("changes of other nodes are not known now: {}", failure.getMessage());
        } else if (failure == null && cutOff) {
            LOG.info(
                    "changes of other nodes are known again, epoch {}",
                    queue.stored().epoch());
        }
        cutOff = failure != null;
    }

    private void serve(String action) {
        cause = action;
        since = contexts.now();
        serving.accept(queue.stored());
        bus.publish(Address.SNAPSHOTS, present());
    }

    private SnapshotPublished present() {
        return new SnapshotPublished(queue.storedSnapshot().with(watched.weights()), cause, since);
    }

    private Future<BusMessage> onAsk(AskSnapshot question) {
        return Future.succeededFuture(present());
    }

    private void storeKeyUses() {
        KeyUses.Applied applied = uses.drainInto(queue.head());
        if (!applied.keys().isEmpty()) {
            queue.add(new CommitQueue.Entry(
                    applied.configuration(),
                    queue.headSnapshot(),
                    new StoredWrite(applied.configuration().epoch(), applied.keys(), List.of()),
                    () -> serving.accept(queue.stored()),
                    failure -> {},
                    () -> {
                        applied.uses().forEach(uses::add);
                    }));
        }
    }
}
