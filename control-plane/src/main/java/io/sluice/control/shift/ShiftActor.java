package io.sluice.control.shift;

import io.sluice.plugins.bus.Address;
import io.sluice.plugins.bus.Bus;
import io.sluice.plugins.bus.Owners;
import io.sluice.plugins.bus.SoftStates;
import io.sluice.tenants.config.Configuration;
import io.sluice.tenants.message.BusMessage.ScenariosReported;
import io.sluice.tenants.message.BusMessage.ShiftsPublished;
import io.sluice.tenants.shift.ScenarioKey;
import io.sluice.tenants.shift.ScenarioShift;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns {@link ShiftBook}, on one loop since each state follows from the one before.
 *
 * <p>In: {@link ScenariosReported} of all nodes, {@link ShiftsPublished} of all controllers. Out: {@link ShiftsPublished}, each change
 * after it was stored and all of them every few seconds, and what others do not know; standings to the {@link ShiftBoard}; a note of each step.
 */
public final class ShiftActor extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(ShiftActor.class);

    /** As often as nodes report. */
    static final long TICK_MS = 1_000;

    /** A node that missed a message, or came later, hears the next within this time. */
    static final long TELL_MS = 5_000;

    /** All scenarios with calls are looked through; one that is gone is asked for by nobody. */
    private static final long RETAIN_MS = 60_000;

    private final Bus bus;
    private final Supplier<Configuration> configuration;
    private final StoredShifts store;
    private final ShiftBoard board;
    private final Owners owners;
    private final Function<ShiftChange, Future<Void>> notes;
    private final InstantSource clock;
    private final ShiftBook book;
    private boolean adopting;

    /**
     * @param configuration that serves now
     * @param states where the next controller finds what this one decided
     * @param owners which controller looks after a scenario
     * @param notes where steps are written down
     */
    public ShiftActor(
            Bus bus,
            Supplier<Configuration> configuration,
            SoftStates states,
            ShiftBoard board,
            Owners owners,
            Function<ShiftChange, Future<Void>> notes,
            ShiftSettings settings,
            InstantSource clock) {
        this.bus = bus;
        this.configuration = configuration;
        store = new StoredShifts(states);
        this.board = board;
        this.owners = owners;
        this.notes = notes;
        this.clock = clock;
        book = new ShiftBook(settings);
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(TICK_MS, timer -> tick());
        vertx.setPeriodic(TELL_MS, timer -> tell(book.told()));
        vertx.setPeriodic(RETAIN_MS, timer -> board.retain(book::knows));
        return Future.all(
                bus.on(Address.SCENARIO_REPORTS, this::onReported),
                bus.on(Address.SHIFTS, this::onPublished),
                store.load().onSuccess(stored -> stored.forEach(book::heard)));
    }

    private void onReported(ScenariosReported report) {
        book.reported(report.windows(), clock.millis());
    }

    private void onPublished(ShiftsPublished published) {
        published.shifts().forEach(book::published);
    }

    private void tick() {
        adopt(book.unowned(owners::mine));
        List<ShiftChange> changes = book.tick(configuration.get(), clock.millis());
        board.publish(book.looks().stream()
                .map(key -> book.look(configuration.get(), key, clock.millis()))
                .flatMap(Optional::stream)
                .toList());
        changes.forEach(this::keep);
        tell(book.answers());
    }

    /** What another controller has stored meanwhile comes first: it may be newer than what was heard. */
    private void adopt(Set<ScenarioKey> keys) {
        if (keys.isEmpty() || adopting) {
            return;
        }
        adopting = true;
        store.load()
                .onSuccess(stored -> {
                    stored.forEach(book::heard);
                    keys.forEach(key -> book.adopt(key, clock.millis()));
                })
                .onFailure(failure -> LOG.warn("states of shifts could not be read; they are read again", failure))
                .onComplete(done -> adopting = false);
    }

    /** Stored first, so that who goes on from there never knows less than nodes do; told in any case, since a way back may not wait. */
    private void keep(ShiftChange change) {
        store.save(change.shift())
                .onFailure(failure -> LOG.error(
                        "the shift of {} is not stored", change.scenario().key(), failure))
                .onComplete(done -> tell(List.of(change.shift())))
                .compose(done -> change.gone() ? store.remove(change.scenario()) : Future.succeededFuture())
                .onFailure(failure -> LOG.debug("a state that nobody needs is still stored", failure));
        if (change.moved()) {
            LOG.atWarn()
                    .addKeyValue("tenant", change.scenario().tenant().value())
                    .addKeyValue("scenario", change.scenario().scenario())
                    .addKeyValue("phase", change.after().phase())
                    .addKeyValue("share", change.after().share())
                    .addKeyValue("substitute", change.after().substitute())
                    .log("Traffic is shifted: {}", change.after().reason());
            notes.apply(change)
                    .onFailure(failure -> LOG.error(
                            "a shift of {} is not in the audit log",
                            change.scenario().key(),
                            failure));
        }
    }

    private void tell(List<ScenarioShift> shifts) {
        if (!shifts.isEmpty()) {
            bus.publish(Address.SHIFTS, new ShiftsPublished(shifts));
        }
    }
}
