package io.sluice.control.spend;

import io.sluice.control.api.Reconciliation.NodeTotal;
import io.sluice.control.api.SpendDimension;
import io.sluice.control.api.SpendFigures;
import io.sluice.control.api.SpendPage;
import io.sluice.control.api.SpendReport;
import io.sluice.control.api.SpendStatements;
import io.sluice.control.api.UnavailableException;
import io.sluice.control.spend.FollowDecider.Standing;
import io.sluice.control.spend.SpendLog.Page;
import io.sluice.control.spend.SpendLogEntry.Adjusted;
import io.sluice.control.spend.SpendLogEntry.Began;
import io.sluice.control.spend.SpendLogEntry.Shipped;
import io.sluice.control.store.StoreException;
import io.sluice.control.store.Turns;
import io.sluice.tenants.TenantId;
import io.sluice.tenants.ledger.SpendFacts;
import io.sluice.tenants.message.BusMessage.SpendShipped;
import io.sluice.tenants.money.Money;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store of one node of a cluster: what nodes ship, finance corrects and days close goes to the {@link SpendLog} that all nodes share,
 * and a copy on this node's disk that follows the log answers. So every node gives the same answers, byte by byte, once it has followed.
 *
 * <p>While the log can't be reached reports go on, shipments wait in the journals, and corrections are refused. A copy of which history is
 * missing answers nothing at all: half a report is worse than none. Its node's shipments go on.
 */
public final class SharedSpendStore implements SpendStore {
    private static final Logger LOG = LoggerFactory.getLogger(SharedSpendStore.class);

    /** A correction whose answer was lost is looked for that long. */
    private static final Duration INSIST_MAX = Duration.ofSeconds(5);

    private static final Duration INSIST_EVERY = Duration.ofMillis(100);

    /** What a copy may be used for. */
    private enum State {
        /** Nothing is known of the log yet. */
        STARTING("this node has not heard yet what the cluster has spent; ask again"),
        WHOLE(null),
        /** What comes between this copy and the log is gone. */
        PARTIAL("this node's history of spend is not complete yet; ask another node, or again"),
        FOREIGN("this node's spend.db has a history that is not the cluster's; see the runbook on restoring"),
        LOST("the shared log of spend was lost or restored from an old backup; see the runbook on restoring");

        private final String problem;

        State(String problem) {
            this.problem = problem;
        }

        boolean readable() {
            return this == WHOLE || this == LOST;
        }

        boolean ships() {
            return this == WHOLE || this == PARTIAL;
        }
    }

    private final Vertx vertx;
    private final SpendLog log;
    private final SpendCopies others;
    private final String node;
    private final InstantSource clock;
    private final Turns turns = new Turns(); // two that follow at the same time would apply the same entries

    private volatile SqliteSpendStore copy;
    private volatile State state = State.STARTING;
    private volatile boolean fetching;
    private volatile boolean told;
    private volatile long behind;

    /**
     * @param copy on this node's disk; closed with this store, as is {@code log}
     * @param others asked where the log does not reach back to this copy
     * @param node for people
     */
    public SharedSpendStore(
            Vertx vertx, SqliteSpendStore copy, SpendLog log, SpendCopies others, String node, InstantSource clock) {
        this.vertx = vertx;
        this.copy = copy;
        this.log = log;
        this.others = others;
        this.node = node;
        this.clock = clock;
    }

    @Override
    public Future<Void> refresh() {
        return turns.take(() -> copy.standing()
                .compose(at -> follow(at).recover(away -> {
                    if (state == State.STARTING && at.position() > 0) {
                        LOG.warn("starting with what this node knows of spend: {}", away.getMessage());
                        become(State.WHOLE);
                    }
                    return Future.failedFuture(away);
                })));
    }

    private Future<Void> follow(Standing at) {
        return log.since(at.position()).compose(page -> {
            behind = Math.max(0, page.last() - at.position());
            return switch (FollowDecider.decide(at, page)) {
                case NOTHING -> become(State.WHOLE);
                case APPLY -> copy.apply(page.next()).compose(applied -> again());
                case BEGIN -> begin(at);
                case BEGUN -> copy.stand(1, at.id()).compose(stood -> again());
                case FETCH -> partial();
                case FOREIGN -> become(State.FOREIGN);
                case LOST -> lost(at, page);
            };
        });
    }

    private Future<Void> again() {
        return copy.standing().compose(this::follow);
    }

    /** The first node that has a history brings it in. */
    private Future<Void> begin(Standing at) {
        return copy.places()
                .compose(places -> log.begin(at.id(), new Began(node), places))
                .compose(begun -> follow(at));
    }

    private Future<Void> partial() {
        if (!fetching) {
            fetching = true;
            SqliteSpendStore part = copy;
            Path into = part.sibling("spend-fetched.db");
            vertx.executeBlocking(() -> Files.deleteIfExists(into))
                    .compose(clean -> others.fetch(into))
                    .compose(there -> turns.take(() -> replace(part, into)))
                    .onComplete(done -> {
                        fetching = false;
                        if (done.failed() && !told) {
                            LOG.warn("no copy of spend came from another node; trying again", done.cause());
                        }
                        told = done.failed();
                    });
        }
        return become(State.PARTIAL);
    }

    private Future<Void> replace(SqliteSpendStore part, Path whole) {
        return part.replacedBy(whole).compose(opened -> {
            copy = opened;
            LOG.info("took the history of spend over from another node");
            return again();
        });
    }

    /** Position in the log up to which this node has the whole history; fails where it does not have it. */
    Future<Long> offered() {
        return read(SqliteSpendStore::standing).map(Standing::position);
    }

    /**
     * Writes the whole history, as it is at one instant, to a new file; fails where this node does not have it. Blocks: not for event
     * loops.
     */
    void copyTo(Path into) {
        if (state != State.WHOLE) {
            throw new StoreException(state.problem == null ? "ask again" : state.problem);
        }
        copy.copyTo(into);
    }

    private Future<Void> lost(Standing at, Page page) {
        if (state != State.LOST) {
            LOG.error(
                    "the log of spend ends at {} and this node has applied {} ({}): it was lost or restored",
                    page.last(),
                    at.position(),
                    at.id());
        }
        return become(State.LOST);
    }

    private Future<Void> become(State now) {
        if (state != now && now.problem != null && now != State.LOST) {
            LOG.warn("{}", now.problem);
        }
        state = now;
        return Future.succeededFuture();
    }

    @Override
    public long behind() {
        return behind;
    }

    @Override
    public Future<Long> position(String of, long journal) {
        return refresh().compose(followed -> shipping(() -> log.place(of, journal)));
    }

    @Override
    public Future<Long> append(SpendShipped shipped) {
        Future<Void> known = state == State.STARTING ? refresh() : Future.succeededFuture();
        return known.compose(heard -> shipping(() -> log.ship(new Shipped(shipped, clock.instant()))))
                .compose(place -> refresh().transform(followed -> Future.succeededFuture(place)));
    }

    private Future<Long> shipping(Supplier<Future<Long>> work) {
        State now = state;
        return now.ships() ? work.get() : Future.failedFuture(new StoreException(now.problem));
    }

    @Override
    public Future<SpendStatements.Entry> adjust(Adjustment adjustment) {
        if (state != State.WHOLE) {
            return refused();
        }
        long until = System.nanoTime() + INSIST_MAX.toNanos();
        return insist(until, () -> log.append(new Adjusted(adjustment)))
                .compose(there -> insist(until, () -> added(adjustment)))
                .recover(away -> Future.failedFuture(new UnavailableException(
                        "the shared log of spend can't be reached, so nothing can be corrected now; whether this correction"
                                + " was stored will show in the statement when it is back",
                        away)));
    }

    private Future<SpendStatements.Entry> added(Adjustment adjustment) {
        return refresh()
                .compose(followed -> copy.adjusted(adjustment.id()))
                .compose(found -> found.map(Future::succeededFuture)
                        .orElseGet(() -> Future.failedFuture(new StoreException("the correction is not there yet"))));
    }

    private <T> Future<T> insist(long untilNanos, Supplier<Future<T>> work) {
        return work.get()
                .recover(failure -> System.nanoTime() < untilNanos
                        ? vertx.timer(INSIST_EVERY.toMillis(), TimeUnit.MILLISECONDS)
                                .compose(later -> insist(untilNanos, work))
                        : Future.failedFuture(failure));
    }

    /** Asks its copy first, so that the log does not fill with what changes nothing. */
    @Override
    public Future<Integer> close(Closing closing) {
        if (state != State.WHOLE) {
            return refused();
        }
        return copy.due(closing)
                .compose(due -> due.isEmpty()
                        ? Future.succeededFuture(0)
                        : log.append(closing.of(due))
                                .compose(there -> refresh())
                                .compose(followed -> copy.due(closing))
                                .map(left -> due.size() - left.size()));
    }

    @Override
    public Future<List<Closing>> due(List<Closing> closings) {
        return state == State.WHOLE ? copy.due(closings) : refused();
    }

    private <T> Future<T> refused() {
        State now = state;
        return Future.failedFuture(new UnavailableException(
                now.problem == null ? "this node's history of spend was replaced; ask again" : now.problem, null));
    }

    private <T> Future<T> read(Function<SqliteSpendStore, Future<T>> question) {
        return state.readable() ? question.apply(copy) : refused();
    }

    @Override
    public Future<SpendFigures> total(TenantId tenant, Span span) {
        return read(of -> of.total(tenant, span));
    }

    @Override
    public Future<List<SpendReport.Row>> rows(TenantId tenant, Span span, List<SpendDimension> groupBy, int max) {
        return read(of -> of.rows(tenant, span, groupBy, max));
    }

    @Override
    public Future<List<NodeTotal>> byNode(TenantId tenant, Span span) {
        return read(of -> of.byNode(tenant, span));
    }

    @Override
    public Future<List<SpendReport.Row>> rowsByDay(
            TenantId tenant, List<DaySpan> days, List<SpendDimension> groupBy, int max) {
        return read(of -> of.rowsByDay(tenant, days, groupBy, max));
    }

    @Override
    public Future<Map<TenantId, Long>> ofProvider(TenantId tenant, String provider, Span span) {
        return read(of -> of.ofProvider(tenant, provider, span));
    }

    @Override
    public Future<List<SpendFacts>> charges(TenantId tenant, Span span, int max) {
        return read(of -> of.charges(tenant, span, max));
    }

    @Override
    public Future<SpendPage> page(TenantId tenant, Span span, String after, int max) {
        return read(of -> of.page(tenant, span, after, max));
    }

    @Override
    public Future<Money> adjustments(TenantId tenant, LocalDate from, LocalDate to) {
        return read(of -> of.adjustments(tenant, from, to));
    }

    @Override
    public Future<SpendStatements> statements(TenantId tenant, LocalDate from, LocalDate to) {
        return read(of -> of.statements(tenant, from, to));
    }

    @Override
    public Future<Void> purge(Instant before) {
        return copy.purge(before);
    }

    @Override
    public Future<Void> close() {
        return turns.take(() -> log.close().transform(closed -> copy.close()));
    }
}
