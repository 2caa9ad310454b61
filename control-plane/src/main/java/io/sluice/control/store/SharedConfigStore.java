package io.sluice.control.store;

import io.sluice.control.api.AuditPage;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.config.Configuration;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store of one node of a cluster: the {@link ConfigLog} that all nodes share decides, and a copy on this node's disk answers. So a
 * node starts and serves the last configuration it knew while the log can't be reached; then writes are refused and reads go on.
 *
 * <p>Where the log is behind the copy it was lost or restored from an old backup: that is nothing that a node may decide on, so the
 * copy serves on and every write is refused until an operator has chosen.
 */
public final class SharedConfigStore implements ConfigStore {
    private static final Logger LOG = LoggerFactory.getLogger(SharedConfigStore.class);

    /** An append whose answer was lost is repeated for so long; it is in the log once. */
    private static final Duration REPEAT_MAX = Duration.ofSeconds(5);

    private static final Duration REPEAT_EVERY = Duration.ofMillis(100);

    private final Vertx vertx;
    private final SqliteConfigStore copy;
    private final ConfigLog log;
    private final Turns turns = new Turns(); // what follows the log and what appends to it stand on the same position
    private Configuration current = Configuration.EMPTY;
    private long currentAt = -1;
    private String lastCause = "start";

    /**
     * @param copy on this node's disk; closed with this store, as is {@code log}
     */
    public SharedConfigStore(Vertx vertx, SqliteConfigStore copy, ConfigLog log) {
        this.vertx = vertx;
        this.copy = copy;
        this.log = log;
    }

    @Override
    public Future<Configuration> load() {
        return turns.take(() -> follow().recover(failure -> {
                    if (failure instanceof StoreException) {
                        return Future.failedFuture(failure);
                    }
                    LOG.warn("starting with the configuration that this node has: {}", failure.getMessage());
                    return Future.succeededFuture();
                })
                .compose(followed -> copy.load())
                .map(loaded -> {
                    hold(loaded, "start");
                    return loaded;
                }));
    }

    @Override
    public long position() {
        return copy.position();
    }

    @Override
    public Future<Void> claim(String secretCheck) {
        return copy.claim(secretCheck)
                .compose(own -> log.claim(secretCheck).recover(failure -> {
                    if (failure instanceof StoreException) {
                        return Future.failedFuture(failure);
                    }
                    LOG.warn("the shared configuration can't be reached", failure);
                    return Future.succeededFuture();
                }));
    }

    @Override
    public Future<Long> append(long decidedAt, List<StoredWrite> writes) {
        List<StoredWrite> all = List.copyOf(writes);
        return turns.take(() -> copy.standing().compose(at -> {
            if (decidedAt != at.position()) {
                return Future.failedFuture(new StoreConflictException());
            }
            String id = UUID.randomUUID().toString();
            ConfigBatch batch = ConfigBatch.of(all, at.position(), id, at.epoch(), at.head());
            Future<Void> held = currentAt == at.position() ? Future.succeededFuture() : reload();
            return held.compose(done -> append(batch, System.nanoTime() + REPEAT_MAX.toNanos()));
        }));
    }

    private Future<Long> append(ConfigBatch batch, long untilNanos) {
        return insist(batch, untilNanos).compose(appended -> switch (appended) {
            case BEHIND -> Future.failedFuture(new StoreConflictException());
            case DONE ->
                copy.apply(batch).map(done -> {
                    hold(batch.applyTo(current), batch.cause());
                    return batch.position();
                });
        });
    }

    private Future<ConfigLog.Appended> insist(ConfigBatch batch, long untilNanos) {
        return log.append(batch).recover(failure -> {
            if (failure instanceof StoreException) {
                return Future.failedFuture(failure);
            }
            return System.nanoTime() < untilNanos
                    ? vertx.timer(REPEAT_EVERY.toMillis(), TimeUnit.MILLISECONDS)
                            .compose(later -> insist(batch, untilNanos))
                    : Future.failedFuture(new StoreAwayException(
                            "the shared configuration can't be reached, so nothing can be changed now; whether"
                                    + " this change was stored will show when it is back",
                            failure));
        });
    }

    @Override
    public Future<Optional<Update>> newer(long known) {
        return turns.take(() -> follow().recover(SharedConfigStore::away)
                .map(followed -> currentAt == known
                        ? Optional.empty()
                        : Optional.of(new Update(currentAt, current, lastCause))));
    }

    /** Whoever waits for a change is told why it was not made. */
    private static Future<Void> away(Throwable failure) {
        return Future.failedFuture(
                failure instanceof StoreException
                        ? failure
                        : new StoreAwayException(
                                "the shared configuration can't be reached, so nothing can be changed now", failure));
    }

    /** Brings the copy up to the end of the log. */
    private Future<Void> follow() {
        return copy.standing()
                .compose(at -> at.position() > 0 && at.batchId().isEmpty() ? seed(at.epoch()) : follow(at));
    }

    /** What one process had by itself becomes the beginning of a log that is empty; it is never mixed with another. */
    private Future<Void> seed(long epoch) {
        return log.since(0).compose(page -> {
            if (page.last() > 0) {
                return Future.failedFuture(
                        new StoreException("this data directory has a configuration of its own (epoch "
                                + epoch
                                + ") and the cluster has another; start this node with an empty data directory, or move"
                                + " its config.db away"));
            }
            return copy.whole().compose(own -> {
                ConfigWhole first = new ConfigWhole(1, UUID.randomUUID().toString(), epoch, own.rows(), own.audit());
                ConfigBatch batch = new ConfigBatch(1, first.id(), epoch, "begin cluster", first.rows(), first.audit());
                return log.append(batch).compose(appended -> switch (appended) {
                    case DONE -> copy.replace(first).compose(done -> reload());
                    case BEHIND -> seed(epoch);
                });
            });
        });
    }

    private Future<Void> follow(SqliteConfigStore.Standing at) {
        return log.since(at.position()).compose(page -> {
            if (page.last() < at.position()) {
                return Future.failedFuture(new StoreAwayException(
                        "the shared configuration ends at change " + page.last()
                                + " and this node knows " + at.position()
                                + ": it was lost or restored from an old backup; see the runbook on restoring",
                        null));
            }
            if (page.id() != null && !page.id().equals(at.batchId())) {
                return Future.failedFuture(new StoreAwayException(
                        "change " + at.position()
                                + " of the shared configuration is another one than this node knows: it was restored from an old"
                                + " backup and went on from there; see the runbook on restoring",
                        null));
            }
            if (page.last() == at.position()) {
                return currentAt == at.position() ? Future.succeededFuture() : reload();
            }
            return page.batches().isEmpty() ? takeWhole() : take(page.batches().iterator());
        });
    }

    private Future<Void> take(Iterator<ConfigBatch> batches) {
        if (!batches.hasNext()) {
            return follow();
        }
        ConfigBatch batch = batches.next();
        Configuration next = currentAt == batch.position() - 1 ? batch.applyTo(current) : null;
        return copy.apply(batch).compose(kept -> {
            if (next != null) {
                hold(next, batch.cause());
            }
            return take(batches);
        });
    }

    /** What can't be read is not kept: this node goes on with what it has. */
    private Future<Void> takeWhole() {
        return log.whole().compose(whole -> {
            ConfigRows rows = new ConfigRows();
            whole.rows().forEach(rows::add);
            Configuration next = rows.at(whole.epoch());
            return copy.replace(whole).map(replaced -> {
                hold(next, "");
                return null;
            });
        });
    }

    private Future<Void> reload() {
        return copy.load().map(loaded -> {
            hold(loaded, "");
            return null;
        });
    }

    private void hold(Configuration now, String cause) {
        current = now;
        currentAt = copy.position();
        lastCause = cause.isEmpty() ? "change on another node" : cause;
    }

    @Override
    public Future<AuditPage> audit(TenantId tenant, Set<String> actions, int first, String after) {
        return copy.audit(tenant, actions, first, after);
    }

    @Override
    public Future<List<String>> verifyAudit() {
        return copy.verifyAudit();
    }

    @Override
    public Future<Void> close() {
        return turns.take(() -> log.close().transform(any -> copy.close()));
    }
}
