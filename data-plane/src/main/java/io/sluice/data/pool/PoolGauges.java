package io.sluice.data.pool;

import io.sluice.tenants.config.Lane;
import io.sluice.tenants.routing.BreakerState;
import io.sluice.tenants.routing.CompiledPool;
import io.sluice.tenants.routing.CompiledTarget;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/** The gauges of one pool on one node, and the room where requests wait for them. Thread-safe. */
public final class PoolGauges {
    /** Targets that are seen within this time of the pool's first request are not new to it. */
    private static final long TOGETHER_MS = 1_000;

    /** How exactly it is known when the pool was last used: requests need not all write it down. */
    private static final long USED_STEP_MS = 1_000;

    /** A pool that no ladder needed for this long is left in peace: so many idle tenants ping nobody. */
    private static final long USED_MS = 300_000;

    private final Map<String, TargetGauge> targets = new ConcurrentHashMap<>();
    private final RetryBudget retries;
    private final WaitingRoom room;
    private final BiConsumer<String, TargetGauge> onTarget;
    private final PoolSettings settings;
    private final LongSupplier clockMs;
    private final long bornMs;
    private volatile long usedMs = Long.MIN_VALUE / 2;
    private volatile CompiledPool inUse;
    private final AtomicLong earlyDueMs = new AtomicLong(Long.MIN_VALUE);

    /**
     * A pool whose targets were not called yet.
     *
     * @param onTarget hears of each target that is met for the first time
     * @param clockMs milliseconds of a clock that never goes back
     */
    PoolGauges(PoolSettings settings, BiConsumer<String, TargetGauge> onTarget, LongSupplier clockMs) {
        this.onTarget = onTarget;
        this.settings = settings;
        this.clockMs = clockMs;
        bornMs = clockMs.getAsLong();
        retries = new RetryBudget(settings.retries());
        room = new WaitingRoom(settings.queue(), targets::size, clockMs);
    }

    /** What requests that have called this pool may still call of it. */
    public RetryBudget retries() {
        return retries;
    }

    /** The gauge of a target; made at its first use. */
    public TargetGauge of(String targetKey) {
        TargetGauge gauge = targets.get(targetKey);
        return gauge != null ? gauge : targets.computeIfAbsent(targetKey, this::made);
    }

    /** A target that comes to a pool that serves already takes its share slowly (requirement F5). */
    private TargetGauge made(String key) {
        long now = clockMs.getAsLong();
        boolean newcomer = settings.slowStartMs() > 0 && now - bornMs > TOGETHER_MS;
        TargetGauge gauge = newcomer ? TargetGauge.warmingSince(room, now) : new TargetGauge(room);
        onTarget.accept(key, gauge);
        return gauge;
    }

    /**
     * The one target whose open breaker may be passed now: all of the pool are open, nobody was asked within the interval, and
     * it is the first to return.
     *
     * @param pool as it is configured now
     * @return its key; null where none may be asked
     */
    public String returning(CompiledPool pool) {
        String first = null;
        long soonest = Long.MAX_VALUE;
        for (CompiledTarget target : pool.targets()) {
            TargetGauge gauge = of(target.key());
            if (target.weight() <= 0) {
                continue;
            }
            if (gauge.breaker() != BreakerState.OPEN) {
                return null;
            }
            if (gauge.mayBeAskedEarly() && gauge.closedUntilMs() < soonest) {
                soonest = gauge.closedUntilMs();
                first = target.key();
            }
        }
        return first != null && clockMs.getAsLong() >= earlyDueMs.get() ? first : null;
    }

    /** A breaker opened: whoever may be asked early is left alone for an interval first. */
    void opened(long nowMs) {
        earlyDueMs.accumulateAndGet(nowMs + settings.earlyEveryMs(), Math::max);
    }

    /** Takes a permit of an open target, and the pool's turn to do so; false where somebody else has it. */
    public boolean tryAcquireEarly(TargetGauge gauge, int max, Lane lane) {
        long now = clockMs.getAsLong();
        long due = earlyDueMs.get();
        return now >= due
                && gauge.mayBeAskedEarly()
                && earlyDueMs.compareAndSet(due, now + settings.earlyEveryMs())
                && gauge.tryAcquireEarly(max, lane);
    }

    /** A request's ladder holds this pool, whether or not the request will call it. */
    public void used(CompiledPool pool, long nowMs) {
        if (nowMs - usedMs >= USED_STEP_MS) {
            usedMs = nowMs;
            inUse = pool;
        }
    }

    /** The targets that may be called any moment: empty where no request's ladder has held this pool for minutes. */
    List<CompiledTarget> inUse(long nowMs) {
        CompiledPool pool = inUse;
        return pool == null || nowMs - usedMs > USED_MS
                ? List.of()
                : pool.targets().stream().filter(target -> target.weight() > 0).toList();
    }

    /** Where requests wait for a permit. */
    public WaitingRoom room() {
        return room;
    }

    /** All requests that wait. */
    int queued() {
        return room.length(Lane.REALTIME) + room.length(Lane.BATCH);
    }

    /** All calls in flight. */
    public int inFlight() {
        return targets.values().stream().mapToInt(TargetGauge::inFlight).sum();
    }
}
