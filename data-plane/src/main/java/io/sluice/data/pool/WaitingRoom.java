package io.sluice.data.pool;

import io.sluice.tenants.config.Lane;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Where requests wait for a permit of one pool on one node. The {@link LaneQueue} is touched on one event loop only, that of the
 * pool's actor; requests of all loops come and go by messages to it and are told on their own. Permits stay counters that any
 * loop takes: a request that finds one free, and nobody waiting, comes near neither queue nor actor.
 *
 * <p>Nobody is forgotten: a permit that comes free is noticed by whoever enters after it, or its release notices who entered
 * before it, since both look after they have written.
 */
public final class WaitingRoom implements LaneRules {
    /** How precisely a wait ends, and how soon a wider limit or a closed breaker is noticed. */
    static final long TICK_MS = 25;

    /** Steps of {@link BatchShare}. */
    private static final long SHARE_STEP_MS = 500;

    private final LaneQueue<Waiting> queue;
    private final LongSupplier clockMs;
    private final Promise<Context> opened = Promise.promise();
    private final AtomicBoolean called = new AtomicBoolean();
    private final IntSupplier targets;
    private final IdentityHashMap<Waiting, Integer> taken = new IdentityHashMap<>();
    private final Map<Lane, Set<TargetGauge>> empty = new EnumMap<>(Lane.class);
    private volatile int realtimeWaiting;
    private volatile int batchWaiting;
    private volatile BatchShare share;
    private Vertx vertx; // from here on of the actor's loop alone
    private boolean ticking;
    private long shareDueMs;

    /** @param targets how many there are, at least those that are waited for */
    WaitingRoom(QueueSettings settings, IntSupplier targets, LongSupplier clockMs) {
        this.targets = targets;
        for (Lane lane : Lane.values()) {
            empty.put(lane, Collections.newSetFromMap(new IdentityHashMap<>()));
        }
        queue = new LaneQueue<>(settings.lengthMax());
        share = BatchShare.of(settings);
        this.clockMs = clockMs;
    }

    /** The actor whose loop this is; called once, on it. */
    void open(Vertx actorVertx, Context actorContext) {
        vertx = actorVertx;
        opened.complete(actorContext);
    }

    /** There will be no actor: nobody can wait here. */
    void stayClosed(Throwable cause) {
        opened.tryFail(cause);
    }

    /** The actor goes: whoever waits is told. On its loop. */
    void close() {
        for (LaneQueue.Left<Waiting> left : queue.clear(clockMs.getAsLong())) {
            tell(left);
        }
        publish();
    }

    /** Whether a request of {@code lane} must queue behind others, whatever permits there are. Any thread. */
    public boolean crowded(Lane lane) {
        return realtimeWaiting > 0 || (lane == Lane.BATCH && batchWaiting > 0);
    }

    /** Requests that wait. Any thread. */
    public int length(Lane lane) {
        return lane == Lane.REALTIME ? realtimeWaiting : batchWaiting;
    }

    @Override
    public double batchShare() {
        return share.share();
    }

    @Override
    public double keptForBatch() {
        return batchWaiting > 0 ? share.settings().batchShareMin() : 0;
    }

    /** A request begins to wait. Any thread. */
    public void enter(Waiting waiting) {
        opened.future()
                .onSuccess(loop -> loop.runOnContext(now -> admit(waiting)))
                .onFailure(closed -> waiting.tell(new Waiting.Turn(Waiting.End.FULL, -1, 0, 0)));
    }

    /** A request waits no more; it may be told of a permit that it was given before this came. Any thread. */
    public void leave(Waiting waiting) {
        opened.future()
                .onSuccess(loop -> loop.runOnContext(now -> {
                    queue.leave(waiting, waiting.lane());
                    publish();
                }));
    }

    @Override
    public void released() {
        if ((realtimeWaiting > 0 || batchWaiting > 0) && called.compareAndSet(false, true)) {
            opened.future()
                    .onSuccess(loop -> loop.runOnContext(now -> {
                        called.set(false);
                        serve();
                        publish();
                    }));
        }
    }

    private void admit(Waiting waiting) {
        long nowMs = clockMs.getAsLong();
        LaneQueue.Left<Waiting> turnedOut = queue.enter(waiting, waiting.lane(), nowMs, nowMs + waiting.waitMs());
        publish();
        if (turnedOut != null) {
            tell(turnedOut);
        }
        stepShare(nowMs, waiting.lane() == Lane.REALTIME && share.share() == 1);
        serve();
        publish();
        tickLater();
    }

    private void tickLater() {
        if (!ticking && queue.length() > 0) {
            ticking = true;
            vertx.setTimer(TICK_MS, timer -> tick());
        }
    }

    private void tick() {
        ticking = false;
        stepShare(clockMs.getAsLong(), false);
        serve();
        queue.at(clockMs.getAsLong()).forEach(this::tell);
        publish();
        tickLater();
    }

    private void stepShare(long nowMs, boolean atOnce) {
        if (atOnce || nowMs >= shareDueMs) {
            shareDueMs = nowMs + SHARE_STEP_MS;
            share = share.next(queue.drainWaitP95Ms(), queue.length(Lane.REALTIME) > 0, nowMs);
        }
    }

    private void serve() {
        empty.values().forEach(Set::clear);
        List<LaneQueue.Served<Waiting>> served = queue.serve(clockMs.getAsLong(), this::tryTake);
        for (LaneQueue.Served<Waiting> each : served) {
            each.who().tell(new Waiting.Turn(Waiting.End.SERVED, taken.remove(each.who()), each.waitedMs(), 0));
        }
    }

    private LaneQueue.Try tryTake(Waiting waiting) {
        Set<TargetGauge> without = empty.get(waiting.lane());
        int choice = waiting.take(without);
        if (choice >= 0) {
            taken.put(waiting, choice);
            return LaneQueue.Try.TAKEN;
        }
        return without.size() < targets.getAsInt() ? LaneQueue.Try.NONE : LaneQueue.Try.NONE_FOR_LANE;
    }

    private void tell(LaneQueue.Left<Waiting> left) {
        Waiting.End end = switch (left.why()) {
            case EXPIRED -> Waiting.End.EXPIRED;
            case SHED -> Waiting.End.SHED;
            case FULL -> Waiting.End.FULL;
        };
        left.who().tell(new Waiting.Turn(end, -1, left.waitedMs(), queue.retryAfterMs(clockMs.getAsLong())));
    }

    private void publish() {
        realtimeWaiting = queue.length(Lane.REALTIME);
        batchWaiting = queue.length(Lane.BATCH);
    }
}
